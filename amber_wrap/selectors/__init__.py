"""Select records and values by XPath expressions that hold on other pages of the
template.

Comes in: similar areas on all samples, as groups (`area_groups`). Goes out: the XPath
expressions for fields (`field_rules`) and for records (`record_locators`). `node_tests`
lists the tests that an element passes. `volatile_names` and `gibberish` exclude
unstable names. `xpath_candidates` and `xpath_shapes` generate expressions.
`robustness_costs` rates the expressions, and `locator_search` tries them on all
records.
"""
