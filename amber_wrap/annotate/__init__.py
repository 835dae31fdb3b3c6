"""Annotate a page: find the texts that may be values of a domain's types (AMBER,
section 3.2).

Input: a `Page` and a `Domain`. Output: `Annotation`s in document order. Annotators
recognise values by patterns (`patterns`), lists of terms (`gazetteers`), names in
markup (`names`), HTML elements (`builtin`) or plugins (`entry_points`); `run` calls
them and resolves contradictions. `headers`, `list_headers` and `words` find labels;
`locale` and `dollars` determine language, country and currency.
"""
