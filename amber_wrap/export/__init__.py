"""Export the rules for reading a site's pages, called a wrapper, to other tools.

- `target` defines the input and output of an export, and `target_list` lists all tools,
- `xpath_and_css` makes plain XPath expressions and CSS selectors,
- `selector_schemas` and `feed_tools` write these into files of the tools,
- `scrapy_and_web_poet` and `pandas_and_pytest` make files that use the generated file,
- `generated_module` has the names and types that these files need,
- `foreign_schemas` reads the schemas of other tools, and `foreign_wrapper` turns them
  into wrappers,
- `feed` writes records as a feed.
"""
