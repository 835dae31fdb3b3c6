"""From an extraction typing to a wrapper: where the paper stops and code begins.

Comes in: typings and columns.  Goes out: a page-free wrapper.  `sample_agreement` keeps
what samples agree on, `examples` adds what a person points at, `rules` makes the
wrapper, `pruning` drops what reads wrongly, `user_decisions` applies a spec,
`next_page_rule` leads on; `doubts` and `sample_advice` say what is left open.
"""
