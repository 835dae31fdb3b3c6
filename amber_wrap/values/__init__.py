"""Displayed text: what it is made of, and the typed value that it shows."""
