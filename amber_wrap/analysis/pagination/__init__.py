"""Where a page of results leads on: the link to the next page, and how one knows.

`labels` says what words, arrows and class tokens mean, `counters` what addresses count,
`pagers` finds rows of page numbers; `links` weighs what they say of each link.
"""
