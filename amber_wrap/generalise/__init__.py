"""Turn the records and attributes found on samples into a wrapper for other pages
(beyond the AMBER paper).

Comes in: samples with records, attributes and columns. Goes out: a wrapper.
`sample_agreement` reconciles the samples. `examples` adds columns that a person points
at. `rules` makes the wrapper. `pruning` drops columns that are read wrongly.
`user_decisions` and `column_names` apply a person's decisions. `next_page_rule` finds
the link to the next page. `doubts` and `sample_advice` report open questions.
"""
