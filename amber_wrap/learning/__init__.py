"""Learn new terms for the gazetteers (lists of terms) of a domain from pages.

This is section 4 of the AMBER paper. The input is saved pages and a domain. The output
is the learned lists of the domain (`domain.gazetteers`). `saved_pages` reads pages.
`term_evidence` compares the terms found on a page with the values of the records.
`term_judgement` decides on terms. `rounds` learns from all pages repeatedly, and
`session` runs a whole session. `store` and `database` keep the evidence, and
`list_files` writes the lists as text files. `provenance` and `learning_report` report
on terms.
"""
