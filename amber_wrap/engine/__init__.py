"""Read pages by a wrapper, and check whether the site has changed.

`drift_check` compares the records of a page with the wrapper's conditions for pages.
"""
