"""The contract of a wrapper: what is so on its samples, and must be so on other pages.

Comes in: a wrapper and its samples.  Goes out: ranges, fills and shapes (`induction`),
what frames the list (`template_landmarks`), how pages end and what they say
(`page_signs`), where readings disagree (`disagreement`), what annotators recognise
(`recognition`).  `verification` holds the wrapper against its samples.
"""
