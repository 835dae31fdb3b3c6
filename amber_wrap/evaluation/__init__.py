"""Evaluate wrappers, the rules for reading a site's pages, on pages whose records are
known (AMBER paper, section 6.1).

- `gold` reads the pages with their known records,
- `tasks` makes wrappers from pages, and runs them,
- `score` compares known and extracted records,
- `agreement` compares values,
- `report` writes the results.
"""
