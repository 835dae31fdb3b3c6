"""Show and correct a folder of saved pages and its wrappers in a browser.

The input is a folder; the output is a local server (`app`) behind access checks
(`guard`). `calls` answers the browser's calls.  `folder` lists pages and wrappers, and
`opened` caches the open ones.  `view` and `frame` build the data and the page that the
browser shows.  `choices` lists the meanings of a click, `predictions` the values that
a column would have, and `edits` changes the spec.  `jobs` and `work` run slow tasks in
separate processes.
"""
