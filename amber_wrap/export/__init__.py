"""Export a wrapper to the format of another tool: `export WRAPPER --to TARGET`.

A wrapper has the rules for reading one site's pages. The input of an export is a
`target.Subject`, which holds the expressions of the wrapper's generated file. The
output is files for the other tool (the target), and warnings on the parts of the
wrapper that the tool can't express. The templates of the files are in
`templates/<target>/`. `target_list` lists all targets.

`selector_schemas` and `feed_tools` export to tools that read pages by selectors, which
`xpath_and_css` makes. `scrapy_and_web_poet` and `pandas_and_pytest` export to Python
packages, with the names and types of `generated_module`. `foreign_schemas` reads the
schemas of other tools, and `foreign_wrapper` makes wrappers of the schemas. `feed`
writes records as a feed.
"""
