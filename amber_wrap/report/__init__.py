"""Report to people how a wrapper, the rules for reading a site's pages, was made.

- `text_report` makes lines for the terminal, and `html_report` an HTML file,
- `pass_steps` describes the result of each step of the compiler,
- `value_origins` describes how each value was found,
- `page_copy` copies a page into the HTML file without scripts and links,
- `domain_text` describes a domain.
"""
