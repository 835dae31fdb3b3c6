"""Read the knowledge of a domain from a folder: attribute types, pivots, patterns and
gazetteers.

Input: a domain folder. Output: a validated `Domain`. `definition` reads domain.toml and
the domains that it extends, `pattern_file` and `gazetteer_file` read the recognisers,
and `plugins` loads recognisers of packages; `loader` makes the `Domain` (`schema`).
`review` warns of likely mistakes, `starter` writes a new folder, and `project` finds
the domains of a project. `normal_form` converts values.
"""
