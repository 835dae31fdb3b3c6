"""Turn the records and values found on sample pages into a wrapper for other pages.

The input is sample pages with records, known values and columns. The output is a
wrapper: the rules for reading the pages of a site. These modules do the step, which the
AMBER paper doesn't describe:

- `several_samples` reads each type of values from the same element on all samples,
- `examples` adds columns for a person's example values,
- `example_matching` finds the elements with these values, and `patterns_of_examples`
  the part of a text that is the value,
- `wrapper_rules` makes the wrapper,
- `pruning` drops columns that are read wrongly,
- `user_decisions` and `column_names` apply a person's decisions,
- `next_page_rule` finds the link to the next page,
- `doubts` reports open questions.
"""
