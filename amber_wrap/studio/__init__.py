"""Show and correct a folder of saved pages and its wrappers in a browser.

The studio is a local server (`app`) behind access checks (`guard`).  `calls` answers
the calls of the browser.  `folder` lists pages and wrappers, and `opened` caches opened
pages and wrappers.  `view` and `frame` build the data and the page that the browser
shows.  `choices` describes a clicked element.  `predictions` lists the values that a
column would have, and `comparison` what a change does to the records.  `edits` changes
the spec, which is the TOML file of a person's decisions on a wrapper.  `jobs` and
`work` run slow tasks in separate processes.
"""
