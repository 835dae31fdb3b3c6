"""Maintain wrappers: detect changes of a site, and repair wrappers.

Input: a wrapper, its samples, and new pages of the site. Output: a `Healing`.
`recognition` checks pages, `attempts` induces wrappers for the new pages, `matching`
and `succession` find the old areas and columns in them, `healing` decides, and `diff`
prints the changes. `samples` and `generations` find the files.
"""
