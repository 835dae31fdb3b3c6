"""Find the link to the next page of results, with the reasons for the choice.

`labels` interprets words, arrows and class tokens. `counters` compares the numbers in
addresses. `pagers` finds rows of page numbers. `scene` collects facts about the page.
`evidence` rates a link. `links` chooses the link.
"""
