"""Turn a wrapper, rules for reading a site's pages, into the content of a Python file
that reads the same pages.

The input is a wrapper with its samples. The output is a `program.Program`, from which
`codegen` writes the file. `lower` calls the other modules:

- `sample_cases` collects what the file must read from the records of the samples,
- `record_lowering` and `field_lowering` choose expressions for records and fields,
- `xpath_simplification` proposes simpler XPath expressions,
- `number_patterns`, `currency_signs` and `date_patterns` make regular expressions,
- `terms_in_scripts` shortens the regular expressions of word lists,
- `conversions` chooses the functions that convert texts to values,
- `expectations` computes what the function `check` of the file expects,
- `helpers` runs the functions of the templates.
"""
