"""Fetch pages from the web, and save them as a browser would save them.

`session` fetches the pages by `http` or in a `browser`. The browser contacts hosts by
`proxy`. `public_hosts` and `robots` refuse hosts and pages.
"""
