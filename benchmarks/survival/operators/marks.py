"""Change what marks elements: class tokens, ids and the other HTML attributes.

An operator changes a draft; nothing changes where the page offers no unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from operators.draft import Draft
from operators.located import Element

DISPLAY = ("d-", "display-")
"""The beginnings of class tokens that decide whether an element is displayed."""
REFERENCES = ("for", "headers", "aria-labelledby", "aria-describedby", "aria-controls")
"""HTML attributes that name ids."""
DATA = ("data-v-", "data-track-", "data-s-", "data-ref-", "data-astro-", "data-qx-")
"""The beginnings of attributes that frameworks and analytics add."""


def rename_class(draft: Draft) -> None:
    """Give class tokens other names."""
    for group in draft.choose(_tokens(draft)):
        name = draft.new_name()
        for rank, token in group:
            _replace(draft.elements[rank], token, name)


def hash_suffix_class(draft: Draft) -> None:
    """Put a hash behind class tokens, in one of the formats of build tools."""
    of_format = _formats(draft)
    for group in draft.choose(_tokens(draft)):
        suffix = of_format()
        for rank, token in group:
            _replace(draft.elements[rank], token, token + suffix)


def change_class_tokens(draft: Draft) -> None:
    """Take class tokens away, or put others beside them."""
    for group in draft.choose(_tokens(draft)):
        name = draft.new_name() if draft.rng.random() < 0.5 else ""
        is_first = draft.rng.random() < 0.5
        for rank, token in group:
            pair = f"{name} {token}" if is_first else f"{token} {name}"
            _replace(draft.elements[rank], token, pair if name else "")


def change_id(draft: Draft) -> None:
    """Give elements other ids, and tell the attributes that name them."""
    names = ((one.get("id"), i) for i, one in enumerate(draft.elements))
    references = [
        (one, name, one.get(name, "").split())
        for one in draft.elements
        for name in REFERENCES
        if name in one.attrib
    ]
    for group in draft.choose(draft.grouped((name, i) for name, i in names if name)):
        old, new = draft.elements[group[0]].get("id", ""), draft.new_name()
        for rank in group:
            draft.elements[rank].set("id", new)
        for one, name, known in references:
            if old in known:
                _replace(one, old, new, name)


def shuffle_attributes(draft: Draft) -> None:
    """Write the attributes of elements in another order, a meaningless one added."""
    ranks = [rank for rank, one in enumerate(draft.elements) if len(one.attrib)]
    for group in draft.choose(draft.units(ranks)):
        added = draft.rng.choice(DATA) + draft.hash(6)
        names = sorted({n for i in group for n in draft.elements[i].attrib})
        order = draft.rng.sample([*names, added], len(names) + 1)
        for rank in group:
            one = draft.elements[rank]
            values = {**one.attrib, added: ""}
            one.attrib.clear()
            for name in order:
                if name in values:
                    one.set(name, values[name])


def _tokens(draft: Draft) -> list[list[tuple[int, str]]]:
    """Return the units of class operators: a token of the page, or of an element."""

    def found() -> Iterator[tuple[str, tuple[int, str]]]:
        for rank, one in enumerate(draft.elements):
            for token in dict.fromkeys(one.get("class", "").split()):
                if not token.startswith(DISPLAY):
                    yield token, (rank, token)

    return draft.grouped(found())


def _replace(element: Element, old: str, new: str, name: str = "class") -> None:
    """Replace a token of an HTML attribute; no token, no attribute."""
    tokens = element.get(name, "").split()
    changed = " ".join(filter(None, (new if one == old else one for one in tokens)))
    if changed:
        element.set(name, changed)
    else:
        del element.attrib[name]


def _formats(draft: Draft) -> Callable[[], str]:
    """Draw the suffix format of a build: CSS modules, styled classes, JSS."""
    rng = draft.rng
    return rng.choice(
        (
            lambda: f"-{draft.hash(5)}",
            lambda: f"__{draft.hash(5)}",
            lambda: f"_{draft.hash(6)}",
            lambda: f"--{draft.hash(6)}",
            lambda: f"-module__{draft.hash(5)}",
            lambda: f"-{rng.randrange(10)}-{rng.randrange(10)}-{rng.randrange(100)}",
        )
    )
