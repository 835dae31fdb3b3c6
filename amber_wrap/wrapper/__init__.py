"""The wrapper: its representation (`ir`), its XPath expressions (`xpath`, `grammar`),
and its file (`data`, `stored`).
"""
