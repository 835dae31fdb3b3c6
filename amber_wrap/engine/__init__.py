"""Read pages by a wrapper, and check the records that were read.

A wrapper has the rules for reading one site's pages: XPath expressions, kinds of
values, and conditions that the pages must meet (the contract). `locators` selects
records and values by XPath expressions. `ensemble` chooses between several expressions
for a field. `interpret` turns the records into output rows.

`drift_check` checks the records against the contract, and returns a report
(`contract_report`). It finds missed records and values (`missed_data`), faults of whole
pages (`page_faults`), and pages without results (`empty_page`).

When a wrapper is made from sample pages, `evaluator` evaluates thousands of expressions
on a `Page`, which has a list for each property of nodes.
"""
