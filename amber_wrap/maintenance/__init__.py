"""Maintain wrappers: detect changes of a site, and repair wrappers.

The input is a wrapper, its samples, and new pages of the site. The output is a
`Healing`. `annotator_check` checks pages. `attempts` induces wrappers for the new
pages. `matching` finds the old areas and columns in the new wrappers. `healing` decides
whether the new wrapper replaces the old one. `diff` prints the changes.
`stored_samples` finds the samples of a wrapper. `generations` finds later wrappers of
the same site.
"""
