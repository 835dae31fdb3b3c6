"""Parse the bytes of a file into a `Page`, and measure distances on it.

Input: bytes. Output: a `Page`, the columns of a DOM tree. `saved` extracts the HTML
from archives and browser formats, `markup` decodes and parses it, and `parse` fills the
columns.

`measure` and `tree_edit` compare nodes. `blocks` and `texts` collect displayed texts.
`expressions` and `selector` select elements. `islands` reads JSON in scripts.
"""
