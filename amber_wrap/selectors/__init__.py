"""Find XPath expressions for records and values that work on all pages of a site.

Input: the lists of records on the sample pages. Output: rules with alternative
expressions.

- `area_groups` groups the lists with the same structure on all samples,
- `record_locators` finds expressions for records, and `locator_search` for values,
- `record_landmarks` finds elements of records by which others are found,
- `locator_outcome` has what an expression selects from the samples,
- `field_rules` makes the rule for each field,
- `xpath_candidates` and `path_generation` generate expressions, from `node_tests`,
- `step_numbers` compares expressions, and `costs_and_limits` rates them,
- `volatile_names` and `gibberish` refuse generated classes and ids,
- `words_in_class_names` rates the words of classes, by `word_lists`.
"""
