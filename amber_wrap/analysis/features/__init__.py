"""Compute features of candidate lists, by which the main list of a page is chosen.

The input is a page, its annotations and a candidate. The output is a number for each
feature, mostly from 0 to 1.

`looks`, `regions`, `topic_words` and `landmarks` describe the page. `measures` counts
things on the page. `view` has the counts for one candidate. `registry` maps names to
features. `contrasts` compares candidates. Most other modules define features.
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
