"""Fetch pages from the web, and save them as people's browsers would save them.

`session` fetches the pages, with `browser` or without one.
"""
