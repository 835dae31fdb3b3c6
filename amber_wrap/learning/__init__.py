"""Learn terms that the gazetteers lack from pages (AMBER, section 4).

Input: saved pages and a domain. Output: the learned lists of the domain
(`domain.learned`). `saved_pages` reads pages, `evidence` compares annotations with
attributes, `judgement` decides on terms, `rounds` repeats that, and `session` runs all
of it. `store` and `database` keep the evidence, `lists` writes the lists as text files;
`provenance` and `display` report on terms.
"""
