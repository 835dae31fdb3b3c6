"""Annotate a page: find the texts that may be values of a domain's attribute types
(AMBER, section 3.2).

Input: a `Page` and a `Domain`. Output: `Annotation`s in document order.

Annotators recognise values by patterns (`pattern_annotator`), lists of terms
(`gazetteer_annotator`), names in markup (`name_annotator`), HTML elements
(`html_annotators`) or plugins (`plugin_annotators`). `annotate_page` calls the
annotators and removes contradictory annotations.

`names`, `headers` and `markup_words` find names and labels. `links_and_images` and
`titles` find links, headlines and pictures. `locale` determines language, country and
currency.
"""
