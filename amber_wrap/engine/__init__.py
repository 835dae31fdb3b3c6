"""Read pages with a wrapper, and check whether the site has changed.

`drift_check` compares the records of a page with those of the sample pages.
"""
