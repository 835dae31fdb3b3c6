"""The wrapper: its representation (`ir`), its XPath expressions (`xpath`,
`xpath_parser`), and its file (`json_values`, `stored_wrapper`).
"""
