"""Find the link to the next page of results, with the reasons for the choice.

The input is a `Page`, the output a `Pagination`, and the modules are:

* `link_directions`: words, arrows and classes that name a direction
* `pagers`: rows of page numbers
* `address_counters`: page numbers in addresses
* `link_evidence`: reasons to believe that a link leads to the next page
* `next_page_link`: the choice of the link
"""
