"""Find XPath expressions for records and values that work on all pages of a site.

Input: the areas (lists of records) on all sample pages. Output: XPath expressions for
records and their fields.

`area_groups` groups similar areas, with their records. `field_rules` builds the
expressions for fields. `record_locators` builds the expressions for records.

`node_tests` lists the tests that an element passes. `volatile_names` and `gibberish`
exclude unstable names. `xpath_candidates` and `path_generation` generate expressions.
`costs_and_limits` rates the expressions and limits the search. `locator_search` tries
the expressions on all records.
"""
