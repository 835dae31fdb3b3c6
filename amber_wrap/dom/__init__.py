"""Parse the bytes of a file into a `Page`, and read and compare the nodes of a page.

The input is bytes, the output a `Page` with one list for each property of the nodes,
and the modules are:

* `saved_formats`: HTML from archives and browser formats
* `decoding`: bytes to text, and text to a tree of lxml
* `displayed_texts`: the texts that a browser displays
* `hidden_elements`: elements that a browser hides
* `awaited_elements`: hidden elements that a script would display
* `truncation`: pages that were cut off
* `page`, `parse`: the DOM tree and its construction
* `split_amounts`: prices with the cents in another element
* `expressions`: XPath expressions and CSS selectors
* `tree_edit`: the edit distance of subtrees
* `json_in_scripts`: lists in the JSON of scripts
* `link_addresses`: the parts of URLs
* `utility_classes`: classes that describe the looks of an element
"""
