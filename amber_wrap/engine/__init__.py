"""Read pages with a wrapper, the rules for reading a site's pages, and check whether
the site has changed.

`drift_check` compares the records of a page with those of the sample pages.
"""
