"""Convert displayed text to typed values.

The input is a text, the output a value or None, and the modules are:

* `texts_and_urls`: texts, lists of texts and addresses
* `numbers_and_prices`: numbers, amounts of money and quantities
* `currencies`: signs, codes and words for currencies
* `dates`: dates and years
* `regular_expressions`: expressions from named patterns, and a check of their time
"""
