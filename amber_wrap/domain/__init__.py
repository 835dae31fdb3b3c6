"""Read and validate a domain: the types of values that records have, such as the prices
of cars, and how to recognise values.

- `loader` reads a domain folder, and makes a `Domain`, a class of `schema`,
- `domain_toml` reads domain.toml, and that of each domain that it extends,
- `pattern_file` reads regular expressions, and `gazetteers` reads word lists,
- `recognisers` collects these, and adds code from installed packages,
- `source_file` reads text and TOML files,
- `normal_form` converts displayed values,
- `review` warns of likely mistakes in a domain folder,
- `project` reads the configuration of a project, and writes a new domain folder.
"""
