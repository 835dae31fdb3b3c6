"""Evaluate wrappers on pages whose records are known (AMBER paper, section 6.1).

A wrapper is the set of rules for reading a site's pages.

- `gold` reads the pages with their known records,
- `tasks` makes wrappers from pages, and runs them,
- `score` compares known and extracted records,
- `agreement` compares two values,
- `report` writes the results.
"""
