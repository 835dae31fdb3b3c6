"""Compile a wrapper from a page of talks, and read its rows."""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source

TALKS = (
    ("Fast parsers", "Ann Poe", "12 May 2024", "Parsing at the speed of reading.", 3),
    ("Small compilers", "Ben Roe", "13 May 2024", "From pages to programs.", 12),
    ("Old gazetteers", "Cat Sole", "14 May 2024", "What towns were called.", 7),
    ("New tables", "Dan Cole", "15 May 2024", "Cells, rows and what they mean.", 41),
)
ITEM = """<li class="talk">
  <h3><a href="/talks/{number}">{0}</a></h3>
  <p class="talk__speaker">{1}</p> <p>{2}</p>
  <p class="css-1a2b3c">{3}</p>
  <span aria-label="Comments">{4}</span> <a class="more" href="#">Read on</a>
</li>"""
PAGE = "<main><h1>Talks</h1><ul>{}</ul></main>".format(
    "".join(ITEM.format(*talk, number=i) for i, talk in enumerate(TALKS))
)


def compiled(fields="all", html=PAGE, **options):
    options = Options(fields=fields, **options)
    source = Source("talks.html", html.encode())
    return compile_wrapper([source], [load_domain("listing")], options).wrapper


def page_of(html):
    return parse(html.encode())


def rows(wrapper, html=PAGE):
    return to_rows(wrapper, page_of(html), raw=True)


def read_list(items: Sequence[str], domain: str = "listing") -> list[dict[str, object]]:
    """Return the records of a page with a list of these items, as displayed."""
    rows_html = "".join(
        f"<li><h3><a href='/talks/{i}'>Talk number {i} of them</a></h3>{item}</li>"
        for i, item in enumerate(items)
    )
    html = f"<html lang=en><main><ul>{rows_html}</ul></main>"
    source, options = Source("a", html.encode()), Options(fields="all")
    wrapper = compile_wrapper([source], [load_domain(domain)], options).wrapper
    return to_rows(wrapper, page_of(html), raw=True)
