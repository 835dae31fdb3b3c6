"""Change the HTML attributes of elements: classes, ids and others.

Each function changes a copy of a page. If the page has nothing that it can change,
nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from operators.draft import Draft
from operators.located import Element

DISPLAY = ("d-", "display-")
"""The beginnings of class tokens that decide whether an element is displayed."""
REFERENCES = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls")
"""The HTML attributes that refer to ids."""
DATA = ("data-v-", "data-track-", "data-s-", "data-ref-", "data-astro-", "data-qx-")
"""The beginnings of HTML attributes that frameworks and analytics add."""


def rename_class(draft: Draft) -> None:
    """Replace class names by new ones."""
    for group in draft.choose(_tokens(draft)):
        name = draft.new_name()
        for rank, token in group:
            _replace(draft.elements[rank], token, name)


def hash_suffix_class(draft: Draft) -> None:
    """Append a hash to class names, as build tools do."""
    draw_suffix = _draw_suffix_format(draft)
    for group in draft.choose(_tokens(draft)):
        suffix = draw_suffix()
        for rank, token in group:
            _replace(draft.elements[rank], token, token + suffix)


def change_class_tokens(draft: Draft) -> None:
    """Remove class names, or add a new class name beside each of them."""
    for group in draft.choose(_tokens(draft)):
        name = draft.new_name() if draft.rng.random() < 0.5 else ""
        is_first = draft.rng.random() < 0.5
        for rank, token in group:
            pair = f"{name} {token}" if is_first else f"{token} {name}"
            _replace(draft.elements[rank], token, pair if name else "")


def change_id(draft: Draft) -> None:
    """Change ids, and the HTML attributes that refer to them."""
    ids = ((element.get("id"), rank) for rank, element in enumerate(draft.elements))
    references = [
        (element, name, element.get(name, "").split())
        for element in draft.elements
        for name in REFERENCES
        if name in element.attrib
    ]
    for group in draft.choose(draft.grouped(pair for pair in ids if pair[0])):
        old, new = draft.elements[group[0]].get("id", ""), draft.new_name()
        for rank in group:
            draft.elements[rank].set("id", new)
        for element, name, names in references:
            if old in names:
                _replace(element, old, new, name)


def shuffle_attributes(draft: Draft) -> None:
    """Change the order of elements' attributes, and add a meaningless attribute."""
    ranks = [rank for rank, element in enumerate(draft.elements) if len(element.attrib)]
    for group in draft.choose(draft.units(ranks)):
        added = draft.rng.choice(DATA) + draft.hash(6)
        names = sorted({name for rank in group for name in draft.elements[rank].attrib})
        order = draft.rng.sample([*names, added], len(names) + 1)
        for rank in group:
            element = draft.elements[rank]
            values = {**element.attrib, added: ""}
            element.attrib.clear()
            for name in order:
                if name in values:
                    element.set(name, values[name])


def _tokens(draft: Draft) -> list[list[tuple[int, str]]]:
    """Return groups of class names that change together.

    A pair has the number of an element in document order, and one of its class names.
    Pairs with the same class name change together. In the scope `ELEMENT`, each pair is
    a group of its own.
    """
    return draft.grouped(
        (token, (rank, token))
        for rank, element in enumerate(draft.elements)
        for token in dict.fromkeys(element.get("class", "").split())
        if not token.startswith(DISPLAY)
    )


def _replace(element: Element, old: str, new: str, name: str = "class") -> None:
    """Replace the word `old` in an HTML attribute, such as one of several class names.

    The word is removed if `new` is empty. Then an attribute that has no words left is
    removed.
    """
    tokens = element.get(name, "").split()
    changed = (new if token == old else token for token in tokens)
    element.set(name, " ".join(filter(None, changed)))
    if not element.get(name):
        del element.attrib[name]


def _draw_suffix_format(draft: Draft) -> Callable[[], str]:
    """Draw a format of class name suffixes, such as that of CSS modules.

    Return a function that draws a suffix in this format.
    """
    rng = draft.rng
    forms = (("-", 5), ("__", 5), ("_", 6), ("--", 6), ("-module__", 5), ("-", 0))
    mark, length = rng.choice(forms)
    if length:
        return lambda: mark + draft.hash(length)
    return lambda: f"-{rng.randrange(10)}-{rng.randrange(10)}-{rng.randrange(100)}"
