"""The interpreter of wrappers: it reads pages by one, and judges what it read.

On lxml's trees records and values are found by `reading` and `ensemble`, typed by
`interpret`, and held against the contract by `verdict`.  Induction tries thousands of
expressions on one page: `evaluator` and `readout` do so on the columns of a `Page`.
"""
