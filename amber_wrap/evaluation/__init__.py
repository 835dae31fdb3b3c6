"""Evaluate wrappers on pages whose records are known (AMBER paper, section 6.1).

A wrapper is a set of rules for extracting records from pages. The input is a corpus:
pages and their known records, the gold (`gold`). The output is a score for each page
(`score`), and a report (`report`). `tasks` makes wrappers from pages and runs them.
`agreement` compares values.
"""
