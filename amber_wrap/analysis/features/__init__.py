"""Compute features of candidate lists, by which the main list of a page is chosen.

A candidate is a list on the page that may be the list of results. The input is a page,
a candidate, and the page's annotations, which are texts recognised as possible values.
The output is a number for each feature, mostly from 0 to 1.

`page_parts` finds the parts and the topic of the page. `page_counts` counts texts,
links and images on the page. `list_counts` has the counts for one candidate. `registry`
maps names to features. `surroundings` and the modules `record_*` define features.
`candidate_comparison` compares candidates.
"""

from amber_wrap.analysis.features import (  # noqa: F401  They register themselves.
    record_contents,
    record_sizes_and_gaps,
    record_structure,
    surroundings,
)
