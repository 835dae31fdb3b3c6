"""Compute features of candidate lists, by which the main list of a page is chosen.

The input is a page, its annotations and a candidate. The output is a number for each
feature, mostly from 0 to 1.

`page_parts` and `topic_words` describe the page. `page_counts` counts things on the
page. `list_counts` has the counts for one candidate. `registry` maps names to features.
`record_*` and the other modules define features. `candidate_comparison` compares
candidates.
"""

from amber_wrap.analysis.features import (  # noqa: F401  They register themselves.
    list_headings,
    record_gaps,
    record_links,
    record_sizes,
    record_structure,
    record_texts,
    surroundings,
)
