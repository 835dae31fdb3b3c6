"""Induce a wrapper from a page of talks with examples, and read its values."""

from __future__ import annotations

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

TALKS = (
    (
        "Fast parsers",
        "Ann Poe",
        "Oxford, Hall 2",
        "Paperback",
        "£12.00",
        "1 seat",
        "basic",
    ),
    (
        "Small compilers",
        "Ben Roe",
        "Bath, Hall 1",
        "Hardcover",
        "£9.50",
        "12 seats",
        "advanced",
    ),
    (
        "Old gazetteers",
        "Cat Sole",
        "Ely, Yard",
        "Paperback",
        "£12.00",
        "7 seats",
        "for all",
    ),
    (
        "New tables",
        "Dan Cole",
        "York, Hall 2",
        "Softcover",
        "£3.00",
        "41 seats",
        "basic",
    ),
    (
        "Long proofs",
        "Eve Hill",
        "Bath, Hall 2",
        "Hardcover",
        "£8.00",
        "3 seats",
        "basic",
    ),
    (
        "Short lists",
        "Flo Dale",
        "Ely, Hall 3",
        "Softcover",
        "£9.50",
        "8 seats",
        "advanced",
    ),
)
ITEM = """<li class="talk">
  <div><a href="/talks/{number}"><b>{0}</b></a> {badge}<br>{1}</div>
  <dl>{isbn}<dt>Binding:</dt><dd>{3}</dd><dt>Place</dt><dd>{2}</dd></dl>
  <p class="fee"><em>Fee {4}</em></p> <p class="was">£{number}0.00</p>
  {folio}<div><b>Series:</b> Set {letter}</div>
  <p class="left">{state}Level {6} • {5}</p>
</li>"""


def page(items=TALKS):
    records = (
        ITEM.format(
            *talk,
            number=i + 1,
            letter="ABCDEF"[TALKS.index(talk)],
            folio=f"<div><b>Folio:</b> {i}r</div>" * (i % 2),
            state="New • " * (i % 2),
            badge="<i>First Edition</i>" * (i % 3 == 0),
            isbn=f"<dt>ISBN</dt><dd>97800000000{i}</dd>" * (i % 2),
        )
        for i, talk in enumerate(items)
    )
    menu = "<ul><li>Hardcover</li><li>Paperback</li></ul>"
    return f"<main>{menu}<h1>Talks</h1><ol>{''.join(records)}</ol></main>"


def induced(*examples, html=None, domains=("listing",), fields="typed"):
    source = Source("talks.html", (html or page()).encode())
    options = Options(
        fields=fields, examples=tuple(Example(*name.split("=")) for name in examples)
    )
    return compile_wrapper([source], [load_domain(name) for name in domains], options)


def values(wrapper, name, html=None, raw=True):
    rows = to_rows(wrapper, parse((html or page()).encode()), raw=raw)
    return [row[name] for row in rows]
