"""Find the areas, records and attributes of a page (AMBER, section 3: identify,
segment, align).

Input: a `Page` and its annotations. Output: an `ExtractionTyping`. `candidates` lists
all possible lists of records, `features` describe them, and `list_selection` chooses
with fitted models (`additive_model`); `identify_paper` and `segment` do it as AMBER
does. `align` turns annotations into attributes: `relative_paths` compares positions in
records by the `marks` of elements, `path_scores` rates them. `further_lists` adds
lists, and `pagination` finds the next page.
"""
