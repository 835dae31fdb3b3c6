"""Induce the contract of a wrapper: properties of its samples that other pages must
share.

`induction` finds ranges of counts, shares of filled fields, and patterns of values.
`template_landmarks` finds elements around the lists that all pages have. `page_signs`
records how pages end, and which notices they have. `disagreement` compares several
expressions for a field. `recognition` counts the values that annotators recognise.
`verification` compares the wrapper's records with those of its samples.
"""
