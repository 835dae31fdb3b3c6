"""Annotate a page: find the texts that may be values of a domain's attribute types
(AMBER paper, section 3.2).

Input: a `Page` and a `Domain`, which describes a kind of records, such as cars. Output:
`Annotation`s in document order.

`annotate_page` calls the annotators and removes contradictory annotations. `annotator`
has the type `Annotation` and the texts that annotators search. The annotators recognise
values by patterns and lists of terms (`pattern_and_gazetteer_annotators`), by HTML
elements and names in the markup (`markup_annotators`), or by plugins
(`plugin_annotators`). `prefilter` finds the texts that a pattern may match. `examples`
annotates values like a user's examples.

`names`, `headers`, `aria_tables` and `labels_and_titles` find names, labels and titles.
`links` finds links, `headlines` the texts that may name a record, and `images`
pictures. `locale` determines language, country and currency. `thresholds` has the
numbers on which the annotation depends.
"""
