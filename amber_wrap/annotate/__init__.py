"""Find texts on a page that may be values of records (AMBER paper, section 3.2).

Input: a `Page`, and a `Domain` of records such as cars; output: an `Annotation` for
each text, in document order.

- `annotate_page` calls the annotators, and removes contradictory annotations,
- `annotator` has the type `Annotation`, and the texts that annotators search,
- `pattern_annotator` and `gazetteer_annotator` find values by patterns and word lists,
- `built_in_annotators` find links, headlines and images,
- `name_annotator` finds values by names in the markup,
- `plugin_annotators` run the annotators of other packages,
- `prefilter` finds the texts that a pattern may match,
- `examples` annotates values like a user's examples,
- `element_names`, `element_icons` and `element_labels` find names, icons and labels,
  with the help of `naming_attributes`,
- `table_headers`, `header_rows_of_lists`, `definition_terms` and `aria_tables` find
  headers,
- `labels_and_titles` recognises labels and titles by their form,
- `links`, `headlines` and `images` find links, possible titles of records, and
  pictures,
- `spoken_texts` recognises texts for screen readers,
- `locale` determines language, country and currency,
- `thresholds` has the numbers on which the annotation depends.
"""
