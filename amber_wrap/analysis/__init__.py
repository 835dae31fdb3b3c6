"""Find the areas, records and attributes of a page (AMBER, section 3).

The input is a `Page` with its annotations. The output is an `ExtractionTyping`.

`candidates` lists all possible lists of records. `features` describe the lists.
`list_selection` chooses a list with fitted models (`additive_model`).
`identify_by_pivots` and `segment` find areas and records as AMBER does. `align` turns
annotations into attributes. `relative_paths` compares positions in records, and
`path_scores` rates the positions. `further_lists` adds lists with the same kind of
records as the chosen list. `pagination` finds the next page.
"""
