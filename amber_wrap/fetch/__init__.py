"""Fetch pages from the web, and save them as people's browsers would save them.

The input is an address. The output is a `Fetched` page: the bytes to save, and the
facts about the page. `host_guard` decides which hosts may be contacted, and guards a
browser's requests by a proxy. `http` fetches without a browser, and `browser` with a
browser. `session` heeds robots.txt, calls these modules, and writes the facts into a
file beside the page.
"""
