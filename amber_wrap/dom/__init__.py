"""Parse the bytes of a file into a `Page`, and compare the nodes of a page.

Input: bytes. Output: a `Page`, which has the columns of a DOM tree. `saved` extracts
HTML from archives and browser formats. `markup` decodes and parses HTML. `parse` fills
the columns.

`measure` and `tree_edit` compare nodes. `blocks` and `texts` collect displayed texts.
`expressions` and `selector` select elements. `islands` reads JSON in scripts.
"""
