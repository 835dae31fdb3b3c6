"""Convert displayed text to typed values.

The input is a text, the output a value or None, and the modules are:

* `texts`: texts and lists of texts
* `urls`: addresses of links
* `numbers_and_prices`: numbers, amounts of money and quantities
* `units`: units of quantities
* `currencies`: signs, codes and words for currencies
* `dates`, `times_of_day`: dates and years, and the times behind dates
* `regular_expressions`: expressions from named patterns
* `exponential_patterns`: regular expressions that take too much time
"""
