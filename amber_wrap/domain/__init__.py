"""Read and validate a domain: the types of values in records, such as the price of a
car, and how to recognise the values.

- `loader` reads a domain folder, and makes a `Domain`, a class of `schema`,
- `domain_folders` finds the folder of a domain by its name,
- `domain_toml` reads the domain.toml of a domain, and of all domains that it extends,
- `pattern_file` reads regular expressions, and `gazetteers` reads word lists,
- `recognisers` merges the expressions and lists of several folders, and loads plugins,
- `toml_and_text_files` reads text and TOML files,
- `normal_form` converts displayed values,
- `review` warns of likely mistakes in a domain folder,
- `project` reads the configuration of a project, and writes a new domain folder.
"""
