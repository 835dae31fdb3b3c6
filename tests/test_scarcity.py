"""Test places of values of which gazetteers know only a few.

A case of cases/scarcity has, for each place, the texts of the records there, "" for
none.  A term in brackets is known to a gazetteer.  `presumed` has the supports of the
places whose texts are all taken for values.
"""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from case_pages import Case, cases

from amber_wrap.analysis.attribute_choice import PathScore
from amber_wrap.analysis.record_annotations import PlacedAnnotation, ValuePlace
from amber_wrap.analysis.sparse_annotations import presumed_value_paths
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.schema import AttributeType, Thresholds, ValueKind

KNOWN = re.compile(r"\[(.+?)\]")
TOWN = AttributeType("town", ValueKind.TEXT, gazetteers=("towns",), whole=True)
PATTERN = AttributeType("town", ValueKind.TEXT, patterns=("town",), whole=True)
PART = AttributeType("town", ValueKind.TEXT, gazetteers=("towns",))


@pytest.mark.parametrize("case", cases("scarcity"))
def test_places_have_the_expected_presumed_supports(case: Case) -> None:
    wanted = {name: float(Fraction(share)) for name, share in case["presumed"].items()}
    assert supports(case, TOWN) == pytest.approx(wanted)


@pytest.mark.parametrize("kind", [PATTERN, PART], ids=["pattern", "part"])
@pytest.mark.parametrize("case", cases("scarcity"))
def test_no_value_is_presumed_for_types_without_lists_or_of_parts(
    case: Case, kind: AttributeType
) -> None:
    assert supports(case, kind) == {}


def supports(case: Case, kind: AttributeType) -> dict[str, float]:
    places = {name: texts(shown) for name, shown in case["places"].items()}
    paths = {name: ValuePlace(i, "text") for i, name in enumerate(places)}
    records = range(max(map(len, places.values())))
    claimed = [
        {
            paths[name]: PlacedAnnotation(0, paths[name], claim(term[1]))
            for name, shown in places.items()
            if (term := KNOWN.search(shown[i]))
        }
        for i in records
    ]
    found = presumed_value_paths(
        kind,
        claimed,
        {
            paths[name]: standing(shown, case.get("mentioned", False))
            for name, shown in places.items()
        },
        lambda place: [bare(one) for one in list(places.values())[place.path] if one],
        keep=Thresholds().keep_optional,
    )
    names = {place: name for name, place in paths.items()}
    return {names[place]: one.support for place, one in found}


def texts(shown: list[str] | dict[str, int]) -> list[str]:
    """Return the texts of a place: as written, or made up by number."""
    if isinstance(shown, list):
        return shown
    agents = [f"Agent {number}" for number in range(shown["of"])]
    return [f"[{agent}]" for agent in agents[: shown["known"]]] + agents[
        shown["known"] :
    ]


def bare(shown: str) -> str:
    return KNOWN.sub(r"\1", shown)


def claim(term: str) -> Annotation:
    return Annotation(
        0, "text", 0, len(term), "town", term, term, gazetteer_pattern("towns")
    )


def standing(shown: list[str], mentioned: bool) -> PathScore:
    fills = [
        len(term[1]) / len(bare(text)) for text in shown if (term := KNOWN.search(text))
    ]
    support = len(fills) / len(shown)
    fill = sum(fills) / max(1, len(fills))
    return PathScore(support, fill, is_whole_text=True, is_mention=mentioned)
