"""Report the results of a compilation to people: as text, and as an HTML page.

The input is a `pipeline.Compilation`, or a wrapper and a page.  `text` makes lines for
the terminal, `view` a self-contained HTML file, `snapshot` the inert copy of a page in
that file.
"""
