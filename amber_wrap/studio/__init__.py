"""A folder of saved pages and its wrappers, to look at and to correct in a browser.

In: a folder; out: a local server (`app`) behind checks of who asks (`guard`).  `folder`
names pages and wrappers, `opened` holds those that are looked at, `view` and `frame`
say what is shown, `choices` what a click could mean, `edits` which line of a spec says
so, `jobs` and `work` do in a process of its own what takes long.
"""
