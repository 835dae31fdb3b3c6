"""Find XPath expressions for records and values that work on all pages of a site.

The expressions are learned from the lists of records on the sample pages.
"""
