"""Generate sites with pages of results, and their true records, from a seed.

The numbers of sites, pages and distracting texts are those of the AMBER paper (section
6.1). Each site has a template of its own. `corpus` writes the pages, and README.md
describes them.
"""
