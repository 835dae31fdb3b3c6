"""Read pages with a wrapper, the rules for reading a site's pages, and check whether
the site has changed.

- `evaluator` evaluates XPath expressions on a page,
- `locators` selects records and reads values by the expressions,
- `record_reading` reads the records by several expressions for each field,
- `votes_of_expressions` estimates errors by comparing these expressions,
- `output_rows` turns the records into rows,
- `drift_check` compares the records of a page with those of the sample pages,
- `missed_records`, `unread_texts`, `empty_page` and `page_faults` find missed data,
  pages without results, and truncated or garbled pages,
- `contract_report` is the result of the checks, and `confidence` the statistics in it.
"""
