"""Distinguish pages without results from pages whose records aren't recognised.

`data/notices.toml` has phrases of notices, such as "no results", by language.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from amber_wrap.dom.displayed_texts import CHOICES, blocks, read_node, texts_within
from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.dom.page import TEXT
from amber_wrap.dom.truncation import Ending, truncation_message
from amber_wrap.engine.contract_report import Clause, ContractReport
from amber_wrap.engine.locators import PatternLookup, record_rows
from amber_wrap.engine.page_faults import is_truncated
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.values.regular_expressions import SEARCHED
from amber_wrap.values.texts import shape_of
from amber_wrap.wrapper.ir import AreaRule, Contract, FieldRule, Signs, Wrapper

_SEARCHED_CHARACTERS: Final = 2000
"""The number of characters, from the start of a text, in which a notice such as "no
results" is sought."""
# Expressions for forms in place of a list.
_FORMS: Final = {
    "captcha": '//*[contains(@class, "captcha") or contains(@id, "captcha")]'
    '|//iframe[contains(@src, "captcha")]',
    "login": '//input[@type="password"]',
}
# Messages about the content in place of a list.
_MESSAGES: Final = {
    "captcha": "the page shows a captcha",
    "login": "the page asks to log in",
    "error": "the page shows an error message",
}


def count_denials(texts: Iterable[str]) -> int:
    """Return the number of texts that state that there are no results."""
    pattern = no_results_pattern()
    return sum(bool(pattern.search(text, 0, _SEARCHED_CHARACTERS)) for text in texts)


def list_replacement(root: Node, texts: Sequence[str]) -> str:
    """Return a message that something else, such as a login form, is in place of the
    page's list.

    Return "" if nothing known replaces the list. `texts` are the texts of the page.
    """
    for kind, words in notices()["gates"].items():
        pattern = re.compile(words, re.I)
        is_stated = any(pattern.search(text, 0, _SEARCHED_CHARACTERS) for text in texts)
        if is_stated or (kind in _FORMS and xpath(_FORMS[kind])(root)):
            return _MESSAGES[kind]
    return ""


@cache
def no_results_pattern() -> re.Pattern[str]:
    """Return a regular expression for "no results" in all known languages."""
    patterns = []
    for words in notices()["nothing"].values():
        if "none" in words:
            none, things = words["none"], words["things"]
            between = rf"(?:[^\s.!?]+\s){{0,{CHECK.words_between}}}?"
            patterns.append(rf"\b(?:{none})\s{between}(?:{things})\b")
        if sayings := "|".join(words.get("sayings", ())):
            # `\b` finds no words in scripts without blanks.
            word_start = r"\b" if "none" in words else ""
            patterns.append(f"{word_start}(?:{sayings})")
    return re.compile("|".join(patterns), re.I)


@cache
def notices() -> dict[str, Any]:
    """Return the phrases of notices such as "no results", the content of
    `data/notices.toml`."""
    file = resources.files("amber_wrap.engine") / "data" / "notices.toml"
    return tomllib.loads(file.read_text("utf-8"))


def judge_empty(
    wrapper: Wrapper, root: Node, patterns: PatternLookup, ending: Ending | None = None
) -> ContractReport:
    """Return a report on whether a page without records really has no results.

    `ending` says how the HTML of the page ends. Without `ending`, the page isn't
    checked for truncation.
    """
    failed: list[Clause] = []

    def fail(clause: str, message: str, area: str = "") -> None:
        """Add a condition that the page breaks to the list `failed`."""
        failed.append(Clause(clause=clause, area=area, field="", message=message))

    signs = wrapper.signs or Signs()
    if wrapper.signs and ending and is_truncated(signs, ending):
        fail("ending", truncation_message(0, 0))
    total = len(wrapper.frame)
    present = sum(bool(xpath(str(path))(root)) for path in wrapper.frame)
    if present < CHECK.frame_share * total:
        message = (
            f"only {present} of {total} parts of the page around the lists are left"
        )
        fail("frame", message)
    for area in wrapper.areas:
        if area.contract and (
            count := count_excess_record_like(area, area.contract, root, patterns)
        ):
            message = f"no records, but {count} elements look like records"
            fail("complete", message, area.name)
    texts = list(blocks(root))
    # Only pages without results have the texts in `signs.empty`.
    has_empty_text = not set(signs.empty).isdisjoint(texts)
    if not total and not has_empty_text:
        message = "the samples have no elements around the lists in common"
        fail("frame", f"{message}: give induce a page without results (--empty)")
    if not has_empty_text and count_denials(texts) <= signs.denials:
        replacement = list_replacement(root, texts)
        if replacement or not failed:
            reason = replacement or "the page doesn't state that there are no results"
            fail("nothing", f"no records, and {reason}")
    note = "no records, and nothing on the page looks like one"
    return ContractReport(
        status="BROKEN" if failed else "OK",
        records=0,
        failed=failed,
        notes=[] if failed else [note],
    )


def count_excess_record_like(
    area: AreaRule, contract: Contract, root: Node, patterns: PatternLookup
) -> int:
    """Return the number of elements that look like records of a list, on a page without
    records.

    Return 0 if the sample pages have nearly as many such elements outside of records.
    """
    landmarks, others = count_record_like(area, contract, root, patterns)
    if landmarks > contract.beside:
        return landmarks
    most_by_chance = max(1, contract.records[0] // 2)
    return others if others - contract.beside > most_by_chance else 0


def count_record_like(
    area: AreaRule,
    contract: Contract,
    root: Node,
    patterns: PatternLookup,
    records: Collection[Node] = (),
) -> tuple[int, int]:
    """Count the elements outside of `records` that look like records, in two ways.

    The first result is the number of elements that `area.witness` selects. The second
    is an estimate from the selected records and from the texts that look like values.
    """

    def is_outside(node: Node) -> bool:
        """Return whether a node is neither one of the `records` nor below one."""
        return not records or (
            node not in records
            and not any(ancestor in records for ancestor in node.iterancestors())
        )

    landmarks = xpath(str(area.witness))(root) if area.witness else []
    located = max(
        sum(is_outside(rows[0]) for rows in record_rows(locator, area.span, root))
        for locator in area.places
    )
    texts_by_source: dict[str, Counter[str]] = {}
    value_like_counts: list[int] = []
    for rule in area.fields:
        if contract.fill.get(rule.name, 0.0) <= CHECK.usual_fill:
            continue
        source = rule.readings[0].locators[0].source
        source = source if source.startswith("@") else "text"
        if source not in texts_by_source:
            texts_by_source[source] = Counter(_texts(root, source, records))
        value_like = count_value_like(rule, contract, texts_by_source[source], patterns)
        value_like_counts.append(value_like)
    outside_landmarks = sum(map(is_outside, landmarks))
    return outside_landmarks, max(located, min(value_like_counts, default=0))


def count_value_like(
    rule: FieldRule, contract: Contract, texts: Counter[str], patterns: PatternLookup
) -> int:
    """Return the number of texts on a page that look like values of a field.

    `texts` counts the occurrences of each text. `contract` has the shapes of the
    field's values on the sample pages.
    """
    pattern = rule.readings[0].locators[0].pattern
    known_shapes = contract.shapes.get(rule.name, ())
    count = 0
    for text, occurrences in texts.items():
        value = text
        if pattern is not None:
            match = patterns(pattern).search(text, 0, SEARCHED)
            if match is None:
                continue
            value = match[match.re.groupindex.get("value", 0)]
        if shape_of(value) in known_shapes:
            count += occurrences
    return count


def _texts(root: Node, source: str, records: Collection[Node]) -> Iterator[str]:
    """Yield the displayed texts of a page outside of the records.

    If `source` is an HTML attribute such as `@href`, yield its values instead. Elements
    with many children are left out.
    """
    for node, text in texts_within(root, records):
        if len(node) > CHECK.most_children or node.tag in CHOICES or is_hidden(node):
            continue
        content = text if source == TEXT else read_node(node, source)
        if content:
            yield content
