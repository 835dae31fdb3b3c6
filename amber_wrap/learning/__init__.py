"""Learn new words, such as names of towns, for the word lists of a domain from saved
pages (AMBER paper, section 4).

- `session` runs a whole session,
- `rounds` reads pages, and learns from all of them repeatedly,
- `term_evidence` compares the words on a page with the values of the records,
- `term_judgement` decides which words are learned, and which must not be,
- `store` and `database` keep the evidence,
- `list_files` writes the learned lists as text files,
- `learning_report` reports on words, and forgets a site.
"""
