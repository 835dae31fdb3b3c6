"""Learn new words, such as names of towns, for the word lists of a domain from saved
pages (AMBER paper, section 4).

- `session` learns from given pages, and stores the results,
- `rounds` reads the pages repeatedly, until no word list changes,
- `term_evidence` counts the records with a word in a value, or only elsewhere,
- `term_judgement` decides by these counts which words to add and which to reject,
- `store` and `database` keep the counts in an SQLite file,
- `list_files` writes the learned words into text files,
- `forgotten_sites` forgets a site, and `term_history` looks up the history of a word,
- `learning_report` writes the results as text.
"""
