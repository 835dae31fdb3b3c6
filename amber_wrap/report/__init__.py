"""Report to people on the making of a wrapper, the rules for reading a site's pages.

- `text_report` makes lines for the terminal, and `html_report` an HTML file,
- `pass_steps` describes the result of each step, and `value_origins` the origin of each
  value,
- `page_copy` copies a page into the HTML file without scripts and links,
- `domain_text` describes a domain.
"""
