"""Expressions for records and values that hold on other pages of the template.

Comes in: areas of one kind on all samples (`area_groups`).  Goes out: the locators of
fields (`field_rules`) and of records (`record_locators`).  `node_tests` says what an
expression may say of an element, `volatile_names` and `gibberish` what it mustn't;
`xpath_candidates` and `xpath_shapes` draw expressions, `robustness_costs` rates them,
`locator_search` tries them on all records.
"""
