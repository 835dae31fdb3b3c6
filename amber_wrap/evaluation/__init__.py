"""Evaluate wrappers on pages whose records are known (AMBER, section 6.1).

Input: a gold corpus (`gold`). Output: the score of each page (`score`), and the report
(`figures`). `tasks` induces wrappers and runs them, `agreement` compares values,
`counts` computes precision and recall, and `summary` adds the scores up.
"""
