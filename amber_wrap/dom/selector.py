"""Selectors as people write them: CSS or XPath."""

from __future__ import annotations

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.errors import SelectionError


def select(page: Page, selector: str) -> list[NodeId]:
    """The elements that a CSS selector or an XPath expression selects on a page.

    What begins with "/", "./" or "(" is XPath.  Raises SelectionError for one that is
    neither.
    """
    try:
        if selector.lstrip().startswith(("/", "./", "(")):
            return page.select(selector)
        return page.select(HTMLTranslator().css_to_xpath(selector))
    except (SelectorError, etree.XPathError, ValueError) as error:
        raise SelectionError(
            f"{selector!r} is neither CSS nor XPath ({error}); "
            "XPath begins with /, ./ or ("
        ) from error
