"""Find the areas, records and attributes of a page (AMBER, section 3: identify,
segment, align).

Input: a `Page` and its annotations. Output: an `ExtractionTyping`. `candidates` lists
all possible lists of records, `features` describe them, and `list_selection` chooses
among them with fitted models (`additive_model`). `identify_paper` and `segment` find
areas and divide them into records as AMBER does. `align` turns annotations into
attributes: `relative_paths` compares positions in records by the `marks` of elements,
and `path_scores` rates the positions. `further_lists` adds lists of the same kind of
records, and `pagination` finds the next page.
"""
