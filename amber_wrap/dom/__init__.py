"""From the bytes of a file to a `Page`, and measures on a page.

Input: bytes. Output: a `Page`, the columns of a DOM tree. `saved` extracts the HTML
from archives and browser formats, `markup` decodes and parses it, `parse` fills the
columns. `measure` and `tree_edit` compare nodes; `blocks` and `texts` collect displayed
texts; `expressions` and `selector` select elements; `islands` reads JSON in scripts.
"""
