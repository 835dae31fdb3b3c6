"""Find the link to the next page of results, with the reasons for the choice.

`labels` interprets words, arrows and class tokens. `address_counters` compares the
numbers in addresses. `pagers` finds rows of page numbers. `page_facts` collects facts
about the page. `link_evidence` rates a link. `next_page_link` chooses the link.
"""
