"""Make a wrapper, the rules for reading one site's pages, from sample pages.

The steps are pure functions that `pipeline` calls in order. The modules are:

* `analysis`: the lists and typed values on the sample pages
* `generalisation`: a wrapper from these lists, and its checks
"""
