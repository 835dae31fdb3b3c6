"""Parse the bytes of a file into a `Page`, and read and compare the nodes of a page.

The input is bytes. The output is a `Page`: a DOM tree as columns, which are lists of
one property of all nodes. `saved_formats` extracts HTML from archives and browser
formats. `markup` decodes and parses HTML, and reads displayed texts. `truncation`
detects pages that were cut off. `parse` fills the columns of `page`.

`expressions` evaluates XPath and CSS selectors on a page. `tree_edit` computes the edit
distance of subtrees. `json_in_scripts` finds lists in the JSON of scripts.
`link_addresses` splits and resolves URLs. `utility_classes` detects classes that say
how an element looks.
"""
