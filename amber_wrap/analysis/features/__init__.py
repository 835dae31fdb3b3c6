"""Named features of candidate lists: what tells the list that a page is for.

In come a page, the claims on it and a candidate; out comes a number of about 0 to 1 for
each name, which `choice` weighs.  `measures` counts on the page once, `view` is the
candidate on it, `registry` has the features; they stand by what they look at in `size`,
`links`, `list_headings`, `texts`, `topics`, `structure`, `gaps`, `surroundings`,
`tags`, `types` and `whereabouts`.
"""

from amber_wrap.analysis.features import (  # noqa: F401  They register themselves.
    gaps,
    links,
    list_headings,
    size,
    structure,
    surroundings,
    tags,
    texts,
    topics,
    types,
    whereabouts,
)
