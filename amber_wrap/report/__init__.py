"""Report the results of a compilation to people: as text, and as an HTML page.

The input is a `pipeline.Compilation`, or a wrapper and a page. `text` makes lines for
the terminal, and `view` an HTML file. `snapshot` copies a page into the HTML file
without scripts and links.
"""
