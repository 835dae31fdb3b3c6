"""Name columns after words on the page, the markup, or the form of their texts.

Input: the texts of a column. Output: possible names of the column, the best first, with
their sources. `chosen_names` calls the other modules:

- `names_in_headers`, `labels_and_nouns`, `names_in_attributes_and_classes`,
  `folders_of_links`, `icons` and `json_ld` find names on the page,
- `forms_of_texts` recognises texts such as times and ratings,
- `usual_fields` recognises the words for fields such as "price" in many languages,
- `spelling` makes valid names, and `distinct_names` makes the names unique.
"""
