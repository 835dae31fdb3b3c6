"""Compute the features by which the main list of a page is chosen.

The input is a page, a candidate list and the recognised texts, and the output is one
number per feature, mostly from 0 to 1. The modules are:

* `page_parts`: the parts and the topic of the page
* `page_counts`, `list_counts`: counts of texts, links and images on the page and in a
  list
* `registry`: the features by name
* `surroundings`, `record_*`: the features
* `candidate_comparison`: features that compare lists with each other
* `thresholds`: the thresholds of these modules
"""

from amber_wrap.analysis.features import (  # noqa: F401  They register themselves.
    record_contents,
    record_sizes_and_gaps,
    record_structure,
    surroundings,
)
