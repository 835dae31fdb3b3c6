"""Find columns: the texts that vary over the records of an area, beside a domain's
types.

Comes in: typed areas. Goes out: the areas with more attributes (`assembly`).
`text_columns` collects texts by tag path, `attribute_values` the values that no text
shows. `filters` and `duplicates` drop boilerplate and repetitions. `kinds` recognises
numbers, dates and prices. `naming` chooses the names from the page's own words.
"""
