"""Pages from the web, saved as people's browsers show them.

Comes in: an address.  Goes out: a `Fetched` page, the bytes that are saved and what is
known of them.  `guard` decides which hosts may be asked, `robots` which addresses;
`http` asks without a browser; `browser` asks with one, through `proxy`, so that each of
its requests passes the guard; `session` puts them together, `sidecar` says what is kept
beside a page.
"""
