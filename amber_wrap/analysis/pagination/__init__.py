"""Find the link to the next page of results, with the reasons for the choice.

`link_directions` interprets words, arrows and class tokens. `pagers` finds rows of page
numbers. `address_counters` compares the page numbers in addresses. `link_evidence`
collects the evidence for and against a link. `next_page_link` chooses the link.
"""
