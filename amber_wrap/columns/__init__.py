"""Columns: what varies over records beside the types of a domain.

Comes in: typed areas.  Goes out: the same with more attributes (`assembly`).
`text_columns` collects texts by place, `attribute_values` what no text shows; `filters`
and `duplicates` drop what says nothing or says it again; `kinds` tells numbers, dates
and prices from text; `naming` finds what the page calls a column.
"""
