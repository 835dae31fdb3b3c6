"""Turn an extraction typing into a wrapper (beyond the AMBER paper).

Comes in: typings and columns. Goes out: a page-free wrapper. `sample_agreement`
reconciles the samples, `examples` adds fields that a person points at, `rules` makes
the wrapper, `pruning` drops wrong columns, `user_decisions` and `column_names` apply a
spec, and `next_page_rule` finds the link to the next page. `doubts` and `sample_advice`
report open questions.
"""
