"""Export the rules for reading a site's pages (a wrapper) to the formats of other
tools.

- `target` has the input and output of an export, and `target_list` lists all tools,
- `xpath_and_css` makes the selectors for the tools that need some,
- `selector_schemas` and `feed_tools` write these selectors for their tools,
- `generated_module` has the names and types for the exports to Python packages,
- `scrapy_and_web_poet` and `pandas_and_pytest` make these exports,
- `foreign_schemas` reads the schemas of other tools, and `foreign_wrapper` turns them
  into wrappers,
- `feed` writes records as a feed.
"""
