"""Export the rules for reading a site's pages, called a wrapper, to other tools.

- `target` defines the input and output of an export, and `target_list` lists all tools,
- `plain_xpath` and `css_selectors` make plain XPath expressions and CSS selectors,
- `crawl4ai`, `selectorlib`, `html2rss`, `freshrss` and `rss_bridge` write these into
  files of the tools, with `selectors_and_patterns` and `feed_expressions`,
- `scrapy_spider`, `spidermon`, `web_poet_page`, `pandas_script` and `pytest_guard` make
  files that use the generated file,
- `generated_module` has the names and types that these files need,
- `foreign_schemas` reads the schemas of other tools, and `foreign_wrapper` turns them
  into wrappers,
- `feed` writes records as a feed, with the fields that `feed_roles` chooses.
"""
