"""Learn new terms, such as names of towns, from pages (AMBER paper, section 4).

The input is saved pages, and a domain: a kind of records, such as cars, with the types
of their values. A gazetteer is a list of terms that are values of a type. The output is
two lists for each type that has a gazetteer: the learned terms, and the rejected terms,
which must not be learned (`LearnedLists` in `domain.gazetteers`).

`rounds` reads pages, and learns from all of them repeatedly. `term_evidence` compares
the terms found on a page with the values of the records. `term_judgement` decides on
terms. `session` runs a whole session. `store` and `database` keep the evidence, and
`list_files` writes the lists as text files. `learning_report` reports on terms, and
forgets a site.
"""
