"""Find columns: texts of records that vary, but are values of no known type.

Input: the lists on the sample pages, with the known values of their records. The
modules add the columns as further values:

- `assembly` calls the other modules, and adds the columns to the records,
- `elements_with_texts` finds the elements whose texts become `cells`,
- `text_columns` collects cells with the same tags and classes around them,
- `divided_texts` finds lines of elements, and texts beside and behind elements,
- `separated_texts` divides texts at separators into values,
- `item_lists` joins the items of lists, such as tags,
- `outer_elements` joins columns with different markup in the same place,
- `labels_beside_values` finds the labels of the texts,
- `group_headings` finds headings above groups of records,
- `attribute_values` and `link_targets` collect values of HTML attributes,
- `dropped_columns`, `label_columns` and `page_numbers` drop boilerplate, which
  `column_notes` reports,
- `buttons_and_action_links` recognises texts that people click, such as "details",
- `duplicates` and `date_parts` drop repetitions, by comparing `spaced_texts`,
- `refined_attributes` replaces known values by more exact texts,
- `former_prices`, `currencies_of_prices` and `texts_of_values` complete prices and
  dates,
- `value_kinds` recognises numbers, dates and prices,
- `words_around_values` finds labels and separators around values,
- `decimal_points` distinguishes decimals from separated thousands,
- `naming` finds names for the columns.
"""
