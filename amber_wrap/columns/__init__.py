"""Find columns: texts that vary over the records of a list on a page, and that aren't
values of a known type, such as price.

The input is data areas (lists on pages), whose records have attributes (values of known
types). The output is the areas with the columns as further attributes (`assembly`).

`text_columns` collects texts by tag path, as `cells`, and `item_lists` joins the items
of lists. `outer_elements` joins columns with different markup in the same place.
`labels_beside_values` finds the labels of the texts, and `group_headings` the headings
above groups of records. `attribute_values` collects values of HTML attributes, with
`link_targets`. `dropped_columns` and `duplicates` drop boilerplate, such as
`page_numbers`, and repetitions, which `column_notes` reports; `date_parts` drops days
and months beside dates. They compare texts by `spaced_texts`. `refined_attributes`
replaces attributes by more exact texts of columns. `prices_and_dates` adds currencies
of prices and texts of dates. `value_kinds` recognises numbers, dates and prices,
`words_around_values` what stands around them, and `decimal_points` decimals. `naming`
chooses the names of columns, from `name_sources` and `names_from_texts`. `valid_names`
spells the names.
"""
