"""How facts are marked up: lines, lists, icons, labels beside values."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from synthetic.chance import drawn, stream
from synthetic.markup import environment
from synthetic.naming import Naming
from synthetic.offer import Fact
from synthetic.vocabulary import styles

environment().globals["ICONS"] = styles()["icons"]


@dataclass(frozen=True, slots=True)
class FactStyle:
    """The markup of the facts of one template: `form` is a macro of facts.html."""

    key: str
    form: str
    tags: str
    separator: str
    icon: str
    colon: str
    named: bool
    """Whether each fact has a class of its own."""

    @property
    def outer(self) -> str:
        """The tag of the list of facts."""
        return self.tags.split()[0]

    @property
    def inner(self) -> str:
        """The tag of a fact."""
        return self.tags.split()[1]

    def names_of(self, fact: Fact, names: Naming) -> Markup:
        """Return the attributes that name a fact."""
        word = styles()["icons"].get(fact.type)
        if not (self.named and word) or names.style in ("none", "utility", "short"):
            return names.of("fact")
        return names.of("fact", f"{names.block[:4]}-{word}")


def draw_fact_style(key: str) -> FactStyle:
    """Draw the style of one template."""
    return FactStyle(key, **drawn(stream(key, "facts"), "facts"))
