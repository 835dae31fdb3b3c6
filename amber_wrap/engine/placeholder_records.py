"""Recognise placeholder records: all show the same text, or all digits are equal."""

from collections.abc import Iterable, Mapping
from typing import Final

from amber_wrap.dom.expressions import Node
from amber_wrap.dom.markup import text_of
from amber_wrap.engine.ensemble import Found
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.wrapper.ir import AreaRule, Contract

# Texts that pages show while content is loading, without punctuation at the end.
WAITING: Final = frozenset(
    "loading|please wait|wait|laden|lädt|wird geladen|bitte warten|chargement"
    "|chargement en cours|cargando|carregando|caricamento|caricamento in corso"
    "|bezig met laden"
    "|ładowanie|načítání|laddar|laster|indlæser|ladataan|загрузка|завантаження"
    "|зареждане|yükleniyor|betöltés|se încarcă|učitavanje|nalaganje|kraunama|ielādē"
    "|laadimine|φόρτωση|読み込み中|加载中|載入中|로딩 중|n/a|null|undefined|nan|none"
    "|lorem ipsum|[object object]".split("|")
)


def placeholder_message(
    area: AreaRule, contract: Contract, records: list[Found]
) -> str:
    """Return a message if most fields have only one value in all records, else "".

    Only fields whose values differ on the samples count.
    """
    if len(records) < CHECK.placeholders:
        return ""
    shown = _displayed(area, records)
    varied = {name: shown[name] for name in contract.varied if shown.get(name)}
    same = {
        name: values[0]
        for name, values in varied.items()
        if len(values) >= CHECK.placeholders and len(set(values)) == 1
    }
    is_waiting = any(map(waits, same.values()))
    are_few = len(same) < CHECK.equal_fields * len(varied)
    if are_few or (len(same) < 2 and not is_waiting):
        return ""
    names = ", ".join(same)
    first = next(iter(same.values()))
    count = len(records)
    return f"all {count} records have the same text, such as {names}: {first[:40]!r}"


def waits(text: str) -> bool:
    """Return whether a text only announces content that is still loading."""
    return text.casefold().strip(" .…!") in WAITING


def equal_digits_message(root: Node, records: list[Found]) -> str:
    """Return a message if all digits of the records are equal, else "".

    If the records have too few digits, the digits of the whole page are compared.
    """
    rows = (text_of(row) for record in records for row in record.rows)
    digits = digits_of(rows)
    enough = max(CHECK.digits, 2 * len(records))
    if len(records) >= CHECK.placeholders and len(digits) >= enough:
        if len(set(digits)) == 1:
            return f"all {len(digits)} digits of the records are {digits[0]}"
        return ""
    digits = digits_of([text_of(root)])
    if len(digits) >= 2 * CHECK.digits and len(set(digits)) == 1:
        return f"all {len(digits)} digits of the page are {digits[0]}"
    return ""


def digits_of(texts: Iterable[str]) -> str:
    """Return all digits of the texts as one string, in order."""
    return "".join(filter(str.isdecimal, "".join(texts)))


def _displayed(area: AreaRule, records: Iterable[Found]) -> Mapping[str, list[str]]:
    """Return the displayed texts of the records by field.

    Values of HTML attributes are left out.
    """
    found: dict[str, list[str]] = {rule.name: [] for rule in area.fields}
    for record in records:
        for name, value in record.values.items():
            if not value.source.startswith("@"):
                found[name].append(value.shown)
    return found
