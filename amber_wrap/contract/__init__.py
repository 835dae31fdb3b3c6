"""Make the contract of a wrapper: conditions that a page must meet to be read.

The conditions are properties of the sample pages:

- `induction` finds numbers of records, shares of values, patterns of values, and the
  order of fields,
- `fill_prediction` predicts the least share of records with a value on another page,
- `page_signs` finds elements outside of lists, and features of whole pages,
- `comparison_with_analysis` compares a wrapper's records with the records that the
  analysis found.
"""
