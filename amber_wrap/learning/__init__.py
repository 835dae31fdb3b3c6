"""Learn new gazetteer terms from pages (AMBER, section 4).

The input is saved pages and a domain. The output is the learned lists of the domain
(`domain.learned`). `saved_pages` reads pages. `evidence` compares annotations with
attributes. `judgement` decides on terms. `rounds` learns from all pages repeatedly, and
`session` runs a whole session. `store` and `database` keep the evidence, and `lists`
writes the lists as text files. `provenance` and `display` report on terms.
"""
