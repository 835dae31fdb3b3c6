"""Induce the contract of a wrapper: properties of its samples that other pages must
share.

Comes in: a wrapper and its samples. Goes out: ranges, shares of filled fields, and
shapes (`induction`), the frame around the lists (`template_landmarks`), the ends and
notices of pages (`page_signs`), disagreement between readings (`disagreement`), and the
share of values that annotators recognise (`recognition`). `verification` compares the
wrapper with its samples.
"""
