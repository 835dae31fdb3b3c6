"""The wrapper: rules that extract the records from the pages of a website.

The modules represent, print, parse and store it:

- `ir` represents the rules as Python objects,
- `xpath` represents and prints their XPath expressions,
- `xpath_parser` parses the expressions,
- `pattern_check` checks the regular expressions,
- `json_values` converts a wrapper to JSON values and back,
- `stored_wrapper` writes the JSON values to a file and loads them.
"""
