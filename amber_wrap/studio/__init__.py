"""Show and correct a folder of saved pages and its wrappers in a browser.

A wrapper has the rules for reading one site's pages. The studio is a local server
(`http_server`), which refuses requests from other pages. `api_calls` answers the calls
of the browser. `page_folder` lists, opens and caches pages and wrappers. `page_view`
builds the data and the page that the browser shows. `chosen_element` describes a
clicked element. `predictions` predicts the values of a new column, and compares the
records before and after a change. `spec_changes` changes a spec, which is the TOML file
of a person's decisions on a wrapper, and undoes and redoes changes. `learned_terms`
finds new terms for the term lists of a domain. `background_jobs` runs slow tasks in
separate processes.
"""
