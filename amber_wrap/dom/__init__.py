"""Parse the bytes of a file into a `Page`, and compare the nodes of a page.

Input: bytes. Output: a `Page`, which has the columns of a DOM tree. `saved_formats`
extracts HTML from archives and browser formats. `markup` decodes and parses HTML.
`parse` fills the columns.

`ancestors` and `tree_edit` compare nodes. `texts` collects displayed texts.
`expressions` selects elements. `json_in_scripts` reads JSON in scripts.
"""
