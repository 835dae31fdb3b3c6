"""Turn the records and values found on sample pages into a wrapper for other pages.

The AMBER paper doesn't describe this step.

Input: sample pages with records, attributes (values with a type of the domain) and
columns (values without such a type). A domain, such as cars, is a set of value types.
Output: a wrapper, i.e. rules for reading other pages.

`several_samples` moves each attribute to the same element on all samples. `examples`
adds columns for values that a person gives as examples, and `example_matching` finds
the elements with these values. `wrapper_rules` makes the wrapper. `pruning` drops
columns that are read wrongly. `user_decisions` and `column_names` apply a person's
decisions. `next_page_rule` finds the link to the next page. `doubts` reports open
questions.
"""
