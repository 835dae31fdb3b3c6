"""Convert displayed text to typed values.

`texts_and_urls` gives texts, lists of texts and addresses, and rough descriptions of
texts. `numbers_and_prices` gives numbers, amounts of money and quantities. `dates`
gives dates and years. `regular_expressions` composes regular expressions from named
patterns, and finds expressions that take exponential time.
"""
