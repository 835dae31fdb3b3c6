"""Show and correct saved pages and wrappers, the rules for reading pages, in a browser.

- `http_server` is the local server, which refuses requests from other pages,
- `api_calls` answers the calls of the browser,
- `page_folder` lists and opens pages and wrappers, and `file_cache` caches them,
- `page_view` builds the data and the page that the browser shows,
- `chosen_element` describes a clicked element,
- `predicted_values` predicts the values of a new column,
- `spec_changes` changes the file of a person's decisions, `undo_history` undoes and
  redoes changes, and `record_changes` compares records before and after a change,
- `learned_terms` finds new words for the word lists of a domain,
- `background_jobs` runs slow tasks in separate processes.
"""
