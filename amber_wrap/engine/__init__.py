"""Interpret wrappers: read pages by a wrapper, and check what was read.

Records and values are selected on lxml trees by `reading` and `ensemble`, typed by
`interpret`, and checked against the contract by `drift_check`.

Induction tries thousands of expressions on one page. `evaluator` and `readout` evaluate
them on the columns of a `Page`. A column is a list with one entry per node.
"""
