"""Find the lists of a page, their records, and the values in records (AMBER paper,
section 3).

The input is a `Page` with its annotations. An annotation is a text that was recognised
as a possible value of a type, such as a price. The output is an `ExtractionTyping`. It
has the data areas of the page, which are the parts with one list each. It also has the
records of each area, and the attributes of each record. An attribute is a value with a
type.

`candidates` finds all possible lists of records, without the rows that `table_rows`
finds, such as header rows. `features` describe the lists.
`list_selection` chooses a list with fitted models (`additive_model`), and
`lists_with_examples` chooses a list by values that the user gave.
`identify_by_pivots` and `segment` find areas and records as AMBER does.

`align` turns annotations into attributes. `record_annotations` collects the annotations
of each record. `class_marks` and `relative_paths` number the positions of elements in
records, so that records can be compared. `path_scores` rates the positions, and
`attribute_choice` chooses by the ratings. `sparse_annotations` adds positions with few
annotations. `secondary_amounts` recognises amounts of money that aren't prices, and
`vague_dates` recognises dates such as "2 days ago". `value_extents`, `partial_values`
and `value_trimming` find values that are parts of texts, with the words that texts have
in common (`common_words`).

`extraction_typing` defines the result. `further_lists` adds lists with the same kind of
records as the chosen list. `pagination` finds the next page. `thresholds` has the
thresholds of all modules.
"""
