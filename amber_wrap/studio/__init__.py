"""Show and correct a folder of saved pages and its wrappers in a browser.

The studio is a local server (`app`) behind access checks (`request_guard`).
`api_calls` answers the calls of the browser.  `page_folder` lists pages and wrappers,
and `page_cache` caches opened pages and wrappers.  `page_view` builds the data and the
page that the browser shows.  `chosen_element` describes a clicked element.
`predictions` lists the values that a column would have, and what a change does to the
records.  `spec_edits` changes the spec, which is the TOML file of a person's decisions
on a wrapper.  `task_processes` and `slow_tasks` run slow tasks in separate processes.
"""
