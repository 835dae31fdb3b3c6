"""Fetch pages from the web, and save them as people's browsers would save them.

The input is an address. The output is a `Fetched` page: the bytes to save, and the
facts about the page. `http` decides which hosts may be contacted, and fetches without a
browser. `browser` fetches with a browser, whose requests a proxy guards. `session`
heeds robots.txt, calls these modules, and writes the facts into a file beside the page.
"""
