"""Find columns: texts that vary over the records of a data area and belong to no type
of a domain.

Input: data areas with attributes of known types. Output: the areas with the columns
as further attributes (`assembly`). `text_columns` collects texts by tag path.
`attribute_values` collects values of HTML attributes. `filters` and `duplicates` drop
boilerplate and repetitions. `value_kinds` recognises numbers, dates and prices.
`naming` names the columns by words on the page.
"""
