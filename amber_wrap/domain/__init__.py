"""Domain knowledge: attribute types, pivots, patterns and gazetteers, read from a
folder.

Input: a domain folder. Output: a validated `Domain`. `definition` reads domain.toml and
the domains that it extends, `pattern_file` and `gazetteer_file` the recognisers,
`plugins` those of packages; `loader` makes the `Domain` (`schema`). `review` warns of
likely mistakes, `starter` writes a new folder, and `project` finds the domains of a
project. `normal_form` converts values.
"""
