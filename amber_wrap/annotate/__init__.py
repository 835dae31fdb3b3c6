"""Find texts on a page that may be values of records (AMBER paper, section 3.2).

Input: a `Page`, and a `Domain` of records such as cars; output: an `Annotation` for
each text, in document order.

- `annotate_page` calls the annotators, and removes contradictory annotations,
- `annotator` has the type `Annotation`, and the texts that annotators search,
- `pattern_and_gazetteer_annotators` find values by patterns and word lists,
- `markup_annotators` find values by HTML elements, and by names in the markup,
- `plugin_annotators` run the annotators of other packages,
- `prefilter` finds the texts that a pattern may match,
- `examples` annotates values like a user's examples,
- `names`, `headers`, `aria_tables` and `labels_and_titles` find names, labels and
  titles,
- `links`, `headlines` and `images` find links, possible titles of records, and
  pictures,
- `spoken_texts` recognises texts for screen readers,
- `locale` determines language, country and currency,
- `thresholds` has the numbers on which the annotation depends.
"""
