"""Find XPath expressions for records and values that work on all pages of a site.

Input are the lists of records on all sample pages.
"""
