"""What a compilation found, for people: as text, and as a page to look at.

In come a `pipeline.Compilation`, or a wrapper and a page; `text` makes lines for the
terminal, `view` a self-contained HTML file, `snapshot` the harmless copy of a page in
it.
"""
