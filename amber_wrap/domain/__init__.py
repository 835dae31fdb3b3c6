"""Read and validate a domain: the types of values in records, such as the price of a
car, and how to recognise the values.

- `loader` reads a domain folder, and makes a `Domain`, a class of `schema`,
- `domain_folders` finds the folder of a domain by its name,
- `domain_toml` reads the domain.toml of a domain, and of all domains that it extends,
- `pattern_file` reads regular expressions, and `gazetteers` reads word lists,
- `learned_lists` adds learned words to the lists, and `gazetteer_patterns` turns lists
  into expressions,
- `recognisers` merges the expressions and lists of several folders,
- `plugins` loads the annotators of other packages,
- `toml_and_text_files` reads text and TOML files,
- `normal_form` converts displayed values,
- `review` warns of likely mistakes in a domain folder,
- `project` reads the configuration of a project, and `new_domain` writes a folder.
"""
