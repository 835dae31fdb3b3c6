"""Find columns: texts that vary over the records of a list on a page, and that aren't
values of a known type, such as price.

The input is data areas (lists on pages), whose records have attributes (values of known
types). The output is the areas with the columns as further attributes (`assembly`).

These modules collect texts:

- `text_columns` collects texts by tag path (the tags and classes around them), as
  `cells`,
- `divided_texts` finds lines of elements, and texts beside and behind elements,
- `item_lists` joins the items of lists, such as tags,
- `outer_elements` joins columns with different markup in the same place,
- `labels_beside_values` finds the labels of the texts,
- `group_headings` finds headings above groups of records,
- `attribute_values` and `link_targets` collect values of HTML attributes.

These modules drop or change columns:

- `dropped_columns` and `page_numbers` drop boilerplate, which `column_notes` reports,
- `duplicates` and `date_parts` drop repetitions, by comparing `spaced_texts`,
- `refined_attributes` replaces attributes by more exact texts,
- `prices_and_dates` adds currencies of prices and texts of dates.

These modules determine kinds and names of columns:

- `value_kinds` recognises numbers, dates and prices,
- `words_around_values` finds labels and separators around values,
- `decimal_points` distinguishes decimals from separated thousands,
- `naming` chooses names, from `name_sources`, `names_from_texts` and `icon_names`,
- `valid_names` spells the names.
"""
