"""Find an XPath expression for the link to the next page that is right on all sample
pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from amber_wrap.analysis.pagination import link_directions
from amber_wrap.analysis.pagination.link_directions import Direction, ancestors_or_self
from amber_wrap.analysis.pagination.link_evidence import (
    BACK_DIRECTIONS,
    PAGINATOR_NAMES,
    page_facts,
    rel_tokens,
)
from amber_wrap.analysis.pagination.next_page_link import (
    NO_PAGINATOR,
    SCRIPT_ADDRESSES,
    Link,
    Pagination,
)
from amber_wrap.analysis.pagination.pagers import Pager, PagerItem, is_current
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import normalized_text
from amber_wrap.selectors.volatile_names import HASHED, NUMERIC, veto
from amber_wrap.wrapper import xpath
from amber_wrap.wrapper.xpath import Path, Step, Test, is_quotable

ICON_TAGS: Final = frozenset({"i", "span", "img", "svg", "b", "em"})
"""HTML tags of elements that may be icons in a link, such as an arrow to the next page.
"""

_Steps = tuple[Step, ...]
"""The steps of an XPath expression. Each step has a tag and tests, as
`li[@class="next"]`."""


@dataclass(frozen=True, slots=True)
class NextPageRule:
    """An XPath expression for the link to the next page, or the reason why there is
    none."""

    path: Path | None
    """The expression, or None if none was found."""
    remark: str
    """The reason, as a message for the user, or ""."""


def find_next_page_rule(
    pages: Sequence[Page], paginations: Sequence[Pagination]
) -> NextPageRule:
    """Return an XPath expression for the link to the next page, or the reason why there
    is none.

    The expression selects the right address on all sample pages, and no address on a
    last page. `paginations` has, for each page, the links to further pages that the
    analysis found.
    """
    is_newest_first = any(pagination.older for pagination in paginations)
    links = [
        pagination.older if is_newest_first else pagination.next
        for pagination in paginations
    ]
    hrefs = [_followed_href(link) for link in links]
    page_with_link = next(
        (
            (page, link)
            for page, link in zip(pages, links, strict=True)
            if link and _followed_href(link)
        ),
        None,
    )
    if page_with_link is None:
        return NextPageRule(None, _reason_without_link(links, paginations))

    def is_right(path: Path) -> bool:
        """Return whether an expression selects the right address on each sample page.

        On a page without a next page, it must select no address.
        """
        return all(
            _first_href(page, path) == href
            for page, href in zip(pages, hrefs, strict=True)
        )

    if path := next(filter(is_right, _paths(*page_with_link)), None):
        return NextPageRule(path, "")
    remark = "there is a next page, but no expression selects its link on all samples"
    return NextPageRule(None, remark)


def _followed_href(link: Link | None) -> str | None:
    """Return the href of a link, or None if there is no address to follow.

    There is no address if the link is None, or if the href begins with "#" or
    "javascript:".
    """
    return None if link is None or link.href.startswith(SCRIPT_ADDRESSES) else link.href


def _first_href(page: Page, path: Path) -> str | None:
    """Return the first address that an expression selects on a page, or None.

    Empty addresses, and addresses such as "javascript:next()", are skipped.
    """
    for node in page.select(str(path)):
        href = page.attributes[node].get("href", "").strip()
        if href and not href.startswith(SCRIPT_ADDRESSES):
            return href
    return None


def _reason_without_link(
    links: Sequence[Link | None], paginations: Sequence[Pagination]
) -> str:
    """Return a message for the user on why no link leads to a next page, or "" if
    unknown.

    For example, a button may load more records by a script.
    """
    if any(links):
        return "there is a next page, but only a script knows the address of its link"
    for pagination in paginations:
        if not pagination.explanation.startswith(NO_PAGINATOR):
            return pagination.explanation
    return ""


def _paths(page: Page, link: Link) -> Iterator[Path]:
    """Yield XPath expressions for a link to the next page, the best first.

    Expressions that test names and texts come first. Expressions for an arrow anywhere
    on the page come last.
    """
    node = link.node
    pagers: list[_Steps] = [(pager,) for pager in _pager_steps(page, node)]
    names, arrows = list(_name_steps(page, node)), list(_arrow_steps(page, node))
    after_current = list(_steps_after_current(page, node))
    whole_page: list[_Steps] = [()]
    for contexts, link_steps in (
        (whole_page, names),
        (pagers, [*names, *arrows]),
        (whole_page, after_current),
        (pagers, after_current),
        (whole_page, arrows),
    ):
        for steps in link_steps:
            for context in contexts:
                yield Path((*context, *steps), absolute=True)


def _name_steps(page: Page, node: NodeId) -> Iterator[_Steps]:
    """Yield XPath steps that find a link by names and texts such as "next" or "older".

    The names and texts belong to the link, or to elements around or within the link.
    """
    tag = page.tag[node]
    is_older = link_directions.direction_of_words(page, node) is Direction.OLDER

    def is_onward(name: str) -> bool:
        """Return whether a class or id names the direction of the next-page link.

        If the link leads to older entries, the name must mean "older" or "previous",
        and otherwise "next".
        """
        name_direction = link_directions.class_direction([name])
        if is_older:
            return name_direction in BACK_DIRECTIONS
        return name_direction is Direction.NEXT

    def link_step(*tests: Test) -> Step:
        """Return the XPath step for elements with the link's tag that pass `tests`."""
        return Step(tag, tests, deep=True)

    if "next" in rel_tokens(page, node):
        yield (link_step(xpath.HasToken("rel", "next")),)
    for test in _name_tests(page, node, is_onward):
        yield (link_step(test),)
    attributes = page.attributes[node]
    for name in link_directions.LINK_LABELS:
        if name in attributes and _is_direction_label(attributes[name]):
            yield (link_step(xpath.Equals(name, attributes[name])),)
    for ancestor in islice(ancestors_or_self(page, node), 1, 3):
        is_child = page.parent[node] == ancestor
        for test in _name_tests(page, ancestor, is_onward):
            holder = Step(page.tag[ancestor], (test,), deep=True)
            yield holder, Step(tag, (), deep=not is_child)
    text = normalized_text(page, node)
    if _is_direction_label(text):
        yield (link_step(xpath.HasText(text)),)
    for inner in _icon_elements(page, node):
        for name in ("alt", *link_directions.LINK_LABELS):
            label = page.attributes[inner].get(name, "")
            if _is_direction_label(label):
                yield (link_step(_contains(page, inner, xpath.Equals(name, label))),)
        for test in _name_tests(page, inner, is_onward):
            yield (link_step(_contains(page, inner, test)),)


def _arrow_steps(page: Page, node: NodeId) -> Iterator[_Steps]:
    """Yield XPath steps that find a link by an arrow in its text, or by an icon such as
    `<i class="arrow-right">`.
    """
    text = normalized_text(page, node)
    if link_directions.arrow_direction(text) and is_quotable(text):
        yield (Step(page.tag[node], (xpath.HasText(text),), deep=True),)
    for inner in _icon_elements(page, node):
        for test in _name_tests(page, inner, _is_next_icon):
            contains_icon = _contains(page, inner, test)
            yield (Step(page.tag[node], (contains_icon,), deep=True),)


def _icon_elements(page: Page, link: NodeId) -> Iterator[NodeId]:
    """Yield the elements within a link that may be icons, such as `<i>` and `<svg>`."""
    return (node for node in page.elements(link)[1:] if page.tag[node] in ICON_TAGS)


def _contains(page: Page, node: NodeId, test: Test) -> xpath.PathExists:
    """Return the XPath test that an element contains an element with the tag of `node`.

    The contained element must also pass `test`.
    """
    return xpath.PathExists(Path((Step(page.tag[node], (test,), deep=True),)))


def _steps_after_current(page: Page, node: NodeId) -> Iterator[_Steps]:
    """Yield XPath steps that find a link as the element after the current page number.

    The link and the number must be in a row of page numbers.
    """
    for pager, current, following in page_facts(page).rows:
        if current is None or following is None or following.link != node:
            continue
        current_line = list(ancestors_or_self(page, current.node))
        link_line = list(ancestors_or_self(page, node))
        # Up to the children of the nearest common ancestor.
        current_branch = [one for one in current_line if one not in link_line]
        link_branch = [one for one in link_line if one not in current_line]
        if not current_branch or not link_branch:
            continue
        link_top = link_branch[-1]
        if page.previous(link_top) != current_branch[-1]:
            continue
        for step in _current_number_steps(page, current_branch, pager, current):
            first = Step(page.tag[link_top], (xpath.PreviousMatches(step),), deep=True)
            if link_top == node:
                yield (first,)
            else:
                is_child = page.parent[node] == link_top
                yield first, Step(page.tag[node], (), deep=not is_child)


def _current_number_steps(
    page: Page, branch: Sequence[NodeId], pager: Pager, current: PagerItem
) -> Iterator[Step]:
    """Yield XPath steps for the element with the current page's number, which is just
    before the next-page link.

    `branch` has the elements from the number up to the sibling of the link, for which
    the steps are. `pager` is the row of page numbers.
    """
    outermost = branch[-1]
    tag = page.tag[outermost]
    for node in reversed(branch):
        for test in _name_tests(page, node, is_current):
            if node == outermost:
                yield Step(tag, (test,))
            else:
                yield Step(tag, (_contains(page, node, test),))
        attributes = page.attributes[node]
        if "aria-current" in attributes and node == outermost:
            yield Step(tag, (xpath.Equals("aria-current", attributes["aria-current"]),))
    link_tags = {
        page.tag[item.link] for item in pager.items if item.link and item != current
    }
    if current.link is None and tag not in link_tags and len(branch) == 1:
        yield Step(tag)


def _pager_steps(page: Page, link: NodeId) -> Iterator[Step]:
    """Yield XPath steps for the row of page links around a link.

    The row has a class or id such as `pagination`. Rows nearer to the link come first.
    """

    def is_pager_name(name: str) -> bool:
        """Return whether a class or an id is usual for a row of page links."""
        return bool(PAGINATOR_NAMES.search(link_directions.flat_token(name)))

    for ancestor in islice(ancestors_or_self(page, link), 1, None):
        for test in _name_tests(page, ancestor, is_pager_name):
            yield Step(page.tag[ancestor], (test,), deep=True)


def _name_tests(
    page: Page, node: NodeId, accepts: Callable[[str], bool]
) -> Iterator[xpath.HasToken | xpath.Equals]:
    """Yield XPath tests for the classes and the id of an element, if `accepts` returns
    True for the class or id.

    Generated names and numbers are left out.
    """
    for token in page.classes(node):
        if accepts(token) and is_quotable(token) and _is_lasting(token, "class"):
            yield xpath.HasToken("class", token)
    identifier = page.attributes[node].get("id", "")
    if not identifier or not accepts(identifier):
        return
    if is_quotable(identifier) and _is_lasting(identifier, "id"):
        yield xpath.Equals("id", identifier)


def _is_lasting(name: str, attribute: str) -> bool:
    """Return whether a class or id is likely the same on all pages of a site.

    Return False for a generated name and for a number.
    """
    doubt = veto(name, attribute)
    return doubt is None or doubt.code not in (HASHED, NUMERIC)


def _is_next_icon(name: str) -> bool:
    """Return whether a class is the name of an icon that points to the next page."""
    return link_directions.icon_direction([name]) is Direction.NEXT


def _is_direction_label(text: str) -> bool:
    """Return whether a text such as "Next page" names a direction, and has no number.

    Such a text is probably the same on all pages.
    """
    has_direction = link_directions.label_direction(text) is not None
    has_number = any(sign.isdigit() for sign in text)
    return has_direction and is_quotable(text) and not has_number
