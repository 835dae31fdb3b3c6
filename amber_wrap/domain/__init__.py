"""Read a domain: the types of values that records have, and how to recognise values.

The input is a domain folder. The output is a validated `Domain`. `source_file` reads
text and TOML files. `domain_toml` reads domain.toml and the domains that it extends.
`pattern_file` reads regular expressions, and `gazetteers` reads lists of terms.
`recognisers` collects these, and adds code from installed packages. `loader` makes the
`Domain`, a class of `schema`. `normal_form` converts displayed values.

`review` warns of likely mistakes in a domain folder. `project` reads the configuration
of a project, which has its own domains, and writes a new domain folder.
"""
