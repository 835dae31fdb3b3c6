"""Fetch pages from the web, and save them as people's browsers show them.

The input is an address; the output is a `Fetched` page: the bytes to save and the facts
about them.  `guard` decides which hosts may be contacted, `robots` which addresses may
be fetched.  `http` fetches without a browser.  `browser` fetches with one, through
`proxy`, so that each request passes the guard.  `session` combines them; `sidecar`
writes the facts beside a page.
"""
