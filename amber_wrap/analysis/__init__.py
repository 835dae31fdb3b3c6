"""Find the lists of a page, their records and the values in the records (AMBER paper,
section 3).

The input is a `Page` with the texts recognised as possible values, and the output is an
`ExtractionTyping`. The modules are:

* `candidate_lists`, `closed_tabs`: all lists of similar elements
* `menus_and_adverts`: parts of a page without results
* `table_rows`: rows that are no records, such as headers
* `features`: numbers that describe the lists
* `additive_model`, `list_selection`: the choice of a list by fitted models
* `lists_with_examples`: the choice of a list by values from the user
* `identify_by_pivots`, `segment`: lists and records as the paper finds them
* `align`: the choice of the values in each record
* `record_annotations`: the texts in each record that may be values
* `class_marks`, `relative_paths`: the comparison of elements of different records
* `path_scores`, `attribute_choice`: the rating and the choice of elements with values
* `sparse_annotations`: values of which only a few are recognised
* `secondary_amounts`: amounts of money that aren't prices
* `vague_dates`: dates such as "2 days ago"
* `common_words`, `values_in_lines_and_elements`, `values_within_values`,
  `words_to_trim`: values that are parts of texts
* `extraction_typing`, `coverage`: the result, and how many values it explains
* `further_lists`: more lists of the same kind of records
* `pagination`: the link to the next page
* `thresholds`: the thresholds of all these modules
"""
