"""Report to people how a wrapper was made: as text, and as an HTML page.

A wrapper has the rules for reading one site's pages. The input is a
`pipeline.Compilation`, which has the results of all steps, or a wrapper and a page.
`text_report` makes lines for the terminal, and `html_report` an HTML file. `pass_steps`
describes the result of each pass (step), and `value_origins` the origin of each value.
`page_copy` copies a page into the HTML file without scripts and links. `domain_text`
describes a domain.
"""
