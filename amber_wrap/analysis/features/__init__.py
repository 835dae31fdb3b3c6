"""Compute named features of candidate lists, by which the main list of a page is
chosen.

Input: a page, its annotations and a candidate. Output: for each name a number, about 0
to 1. `measures` counts things on the page once, with its `looks`, `regions`,
`topic_words` and `landmarks`. `view` is a candidate with its measures, and `registry`
holds the features. The features are in `size`, `links`, `list_headings`, `texts`,
`topics`, `structure`, `gaps`, `surroundings`, `tags`, `types` and `whereabouts`.
`contrasts` compares candidates.
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
