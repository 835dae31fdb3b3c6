"""Generate sites of result pages with their truth, from a seed.

It makes corpora of the extent and noise that AMBER's evaluation reports (section 6.1),
each site a template of its own; `corpus` writes them, README.md says what is in them.
"""
