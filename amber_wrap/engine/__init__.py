"""Interpret wrappers: read pages by a wrapper, and check what was read.

`tree_reading` and `ensemble` select records and values on lxml trees. `interpret` turns
the records into output rows. `drift_check` checks the records against the contract.

During induction, `evaluator` and `column_reading` evaluate thousands of expressions on
the columns of a `Page`. A column is a list with one entry per node.
"""
