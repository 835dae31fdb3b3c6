"""Show and correct a folder of saved pages and its wrappers in a browser.

The input is a folder; the output is a local server (`app`) behind access checks
(`guard`). `folder` names pages and wrappers, and `opened` keeps the open ones.  `view`
and `frame` say what the browser shows, `choices` what a click can mean, `edits` how a
step changes the spec.  `jobs` and `work` run slow tasks in a process of their own.
"""
