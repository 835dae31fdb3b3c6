"""Maintain wrappers: detect changes of a site, and repair wrappers.

A wrapper has the XPath expressions by which pages of a site are read, and a contract:
the conditions that the records of each page must meet.

The input is a wrapper, its samples, and new pages of the site. The output is a
`Healing`, the result of a repair. `annotator_check` checks pages. `attempts` makes
wrappers for the new pages. `matching` finds the old areas (lists) and columns in the
new wrappers, and prints the changes. `healing` decides whether the new wrapper replaces
the old one. `thresholds` has all thresholds of this folder.
"""
