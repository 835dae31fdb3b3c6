"""Find the headlines of a page, which are texts that may name a record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise

from amber_wrap.annotate.labels_and_titles import (
    HEADINGS,
    holds_heading,
    in_heading,
    is_bare_title,
    is_titled,
)
from amber_wrap.annotate.links import Links, is_linked, link_of
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.annotate.spoken_texts import displayed_child, is_spoken
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.displayed_texts import LINES
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page


def headlines(page: Page, links: Links) -> Iterator[tuple[NodeId, str]]:
    """Yield (element, "text") for each text that may be the title of a record.

    Such texts are in headings, in links that may be headlines, and in short elements
    with a class such as `title`.
    """
    links_with_titles = links.headlines - links.second_addresses
    for title in chain(_bare_titles(page), _bare_names(page, links)):
        yield title, TEXT
    holders = []
    for node in page.elements():
        if page.tag[node] in HEADINGS:
            if page.string(node) and links.headlines.isdisjoint(page.elements(node)):
                holders.append(node)
        elif node in links_with_titles and not holds_heading(page, node):
            holders.append(_title(page, links, node))
    for title in _titles_within(page, holders):
        yield title, TEXT


def _titles_within(page: Page, holders: Sequence[NodeId]) -> Iterator[NodeId]:
    """Yield for each heading or headline link in `holders` the element that displays
    the title.

    This is the heading or link itself, unless its children are displayed apart. Of the
    children, one with a class such as `headline` is chosen, or else the first child.
    The second child is chosen if the texts of second children vary between `holders`,
    but those of first children don't.
    """
    parts_by_tag: dict[str, list[Sequence[NodeId]]] = defaultdict(list)
    parts_of = {holder: _parts_apart(page, holder) for holder in holders}
    for holder, parts in parts_of.items():
        if parts:
            parts_by_tag[page.tag[holder]].append(parts)
    without_badges = _titles_without_badges(page, holders)
    for holder, parts in parts_of.items():
        if title := without_badges.get(holder):
            yield title
            continue
        alike = parts_by_tag[page.tag[holder]]
        firsts_differ, seconds_differ = (
            2 * len({page.string(it[index]) for it in alike}) > len(alike)
            for index in (0, 1)
        )
        usual = parts[seconds_differ and not firsts_differ] if parts else holder
        yield next((part for part in parts if is_titled(page, part)), usual)


def _titles_without_badges(
    page: Page, holders: Sequence[NodeId]
) -> dict[NodeId, NodeId]:
    """Return the title elements of headings and links that have a badge, or look like
    one with a badge.

    In `<h3><b class="name">Audi</b><i>New</i></h3>`, "New" is a badge behind the title
    `b`. A title must have a class and be longer than its badge. At most half of the
    headings or links of one look may have a badge.
    """
    children_of = {
        holder: [child for child in page.children(holder) if page.text_length(child)]
        for holder in holders
    }
    alone: dict[object, list[NodeId]] = defaultdict(list)
    badged: dict[object, list[NodeId]] = defaultdict(list)
    for holder, children in children_of.items():
        if children and not any(map(page.is_text, children)):
            title = children[0]
            look = page.tag[holder], page.tag[title], page.classes(title)
            is_main = 2 * page.text_length(title) > page.text_length(holder)
            if page.classes(title) and is_main:
                (alone if len(children) == 1 else badged)[look].append(holder)
    return {
        holder: children_of[holder][0]
        for look, with_badge in badged.items()
        if len(with_badge) <= len(alone[look])
        for holder in (*with_badge, *alone[look])
    }


def _parts_apart(page: Page, holder: NodeId) -> Sequence[NodeId]:
    """Return the child elements of a heading or link if styles display them apart, else
    nothing.

    Styles are assumed to do so if no blank separates the words of the children, as in
    `<h3><b>Audi A4</b><i>Avant</i></h3>`.
    """
    parts = [child for child in page.children(holder) if page.text_length(child)]
    if len(parts) < 2 or any(map(page.is_text, parts)):
        return ()
    first, second = map(page.string, parts[:2])
    run_on = first[-1].isalnum() and second[0].isalnum()
    have_words = all(any(map(str.isalpha, text)) for text in (first, second))
    is_joined = f"{first}{second}" in page.string(holder)
    return parts if run_on and have_words and is_joined else ()


def _title(page: Page, links: Links, link: NodeId) -> NodeId:
    """Return the element in a link that displays the title of the link.

    Return the link itself if there is no such element, or if the link has a class such
    as `card-title` and text of its own.
    """
    has_own_text = any(map(str.isalpha, page.source_text(link, OWN_TEXT)))
    if has_own_text and is_bare_title(page.attributes[link].get("class", "")):
        return link
    descendants = [node for node in page.elements(link)[1:] if page.text_length(node)]
    for is_title in (is_titled, links.is_name, _repeats_tooltip):
        for node in descendants:
            if is_title(page, node):
                return _bare_title_within(page, node)
    if named_part := _named_part(page, link, descendants):
        return named_part
    for node in descendants:
        if page.string(node) == page.string(link) and has_lines_behind(page, node):
            return node
    return displayed_child(page, link)


def _named_part(page: Page, link: NodeId, parts: Sequence[NodeId]) -> NodeId:
    """Return the element of `parts` that best displays the label, tooltip or `alt` of a
    link.

    This is an element with the beginning of the label, or a longer element with the
    continuation. Return 0 if no element displays the beginning, or if the whole link
    displays it.
    """
    names = [
        " ".join(page.attributes[node].get(name, "").casefold().split())
        for node in page.elements(link)
        for name in LABELLING
    ]

    def begins_name(node: NodeId, before: str = "") -> bool:
        """Return whether a name of the link begins with `before` and the text of an
        element."""
        text = before + page.string(node).casefold()
        return any(
            name.startswith(text) and not name[len(text) :][:1].isalnum()
            for name in names
        )

    first = 0 if begins_name(link) else next(filter(begins_name, parts), 0)
    text = page.string(first).casefold() if first else ""
    longer = (
        part
        for part in parts
        if part >= first + page.size[first]
        and page.text_length(part) > len(text)
        and begins_name(part, f"{text} ")
    )
    return next(longer, first) if first else 0


def _bare_title_within(page: Page, title: NodeId) -> NodeId:
    """Return the first element in `title` with a class such as `title`, or else
    `title`.

    For example, `<b class="search-name">` may contain `<i class="title">`.
    """
    for node in page.elements(title):
        is_shown = page.text_length(node) > 0
        if is_shown and is_bare_title(page.attributes[node].get("class", "")):
            return node
    return title


def _bare_titles(page: Page) -> Iterator[NodeId]:
    """Yield the elements with a class such as `title` outside of links and headings.

    Elements that contain a link or heading are left out. Of nested elements, only the
    inner one is yielded.
    """

    def is_bare(node: NodeId) -> bool:
        """Return whether an element is a short title with a class such as `title`.

        Return False for an element that contains a link or heading, or is within one.
        """
        return (
            is_bare_title(page.attributes[node].get("class", ""))
            and 0 < page.text_length(node) <= ANNOTATION.longest_value
            and any(map(str.isalpha, page.string(node)))
            and not is_linked(page, node)
            and not in_heading(page, node)
            and not holds_heading(page, node)
        )

    titles = filter(is_bare, page.elements())
    for title, next_title in pairwise([*titles, len(page)]):
        if not page.contains(title, next_title):
            yield title


def _bare_names(page: Page, links: Links) -> Iterator[NodeId]:
    """Yield the innermost elements whose text is a label of a link or image on the
    page.

    Elements in headings or headline links, or with a class such as `title`, are left
    out.
    """
    for node in page.elements():
        if (
            links.is_name(page, node)
            and not is_titled(page, node)
            and not any(
                links.is_name(page, child) for child in page.child_elements(node)
            )
            and not in_heading(page, node)
            and link_of(page, node) not in links.headlines
        ):
            yield node


def _repeats_tooltip(page: Page, node: NodeId) -> bool:
    """Return whether the text of an element equals its tooltip, the attribute `title`.

    Return False for an element without text.
    """
    text = page.string(node)
    return text != "" and text == page.attributes[node].get("title", "").strip()


def has_spoken_copy(page: Page, node: NodeId) -> bool:
    """Return whether an element repeats its own text for screen readers.

    All texts of its children must be for screen readers only, as in `<b>£5<i
    class="sr-only">5 pounds</i></b>`.
    """
    spoken = [part for part in page.elements(node) if is_spoken(page, part)]
    if not spoken or not page.source_text(node, OWN_TEXT):
        return False
    text_nodes = filter(page.is_text, range(node + 1, node + page.size[node]))
    return all(
        page.parent[text_node] == node
        or any(page.contains(part, text_node) for part in spoken)
        for text_node in text_nodes
    )


def repeats_own_text(page: Page, node: NodeId) -> bool:
    """Return whether the children of an element repeat the element's own text nodes.

    An example is `<b>New <i>New</i></b>`.
    """
    own = page.source_text(node, OWN_TEXT)
    return bool(own) and page.string(node) == f"{own} {own}"


def has_lines_behind(page: Page, node: NodeId) -> bool:
    """Return whether an element has a text, and then only child elements that begin a
    line.

    An example is `<a>Bitcoin <div>BTC</div></a>`.
    """
    children = [child for child in page.children(node) if page.text_length(child)]
    return (
        len(children) > 1
        and page.is_text(children[0])
        and all(
            not page.is_text(child) and page.tag[child] in LINES
            for child in children[1:]
        )
    )
