"""Fetch pages from the web, and save them as a browser would save them.

`session` fetches the pages, with the help of `browser` or without a browser.
"""
