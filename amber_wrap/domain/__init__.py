"""Read the knowledge of a domain: attribute types, pivots, patterns and gazetteers.

The input is a domain folder. The output is a validated `Domain`. `domain_toml` reads
domain.toml and the domains that it extends. `pattern_file` and `gazetteer_file` read
patterns and gazetteers, and `recognisers` adds recognisers of packages. `loader` makes
the `Domain`, a class of `schema`. `review` warns of likely mistakes, `starter` writes a
new folder, and `project` finds the domains of a project. `normal_form` converts values.
"""
