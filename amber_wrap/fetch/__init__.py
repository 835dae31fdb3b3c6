"""Fetch pages from the web, and save them as people's browsers show them.

The input is an address. The output is a `Fetched` page: the bytes to save, and the
facts about the page. `host_guard` decides which hosts may be contacted, and `robots`
which addresses may be fetched. `http` fetches without a browser. `browser` fetches with
a browser, and `proxy` guards the browser's requests. `session` combines these modules,
and writes the facts beside a page.
"""
