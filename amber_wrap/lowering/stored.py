"""Convert a program to and from JSON values, for the `.json` file beside the generated
one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.dates import Calendar
from amber_wrap.lowering.program import Column, Derived, List, Program, Read


def program_to_data(program: Program) -> dict[str, Any]:
    """Return the program as plain JSON values; `program_from_data` is its inverse."""
    return asdict(program)


def program_from_data(data: Mapping[str, Any]) -> Program:
    """Return the program that `program_to_data` was given; raises WrapperError for any
    other data.
    """
    try:
        return Program(
            **dict(data)
            | {
                "lists": tuple(map(_list, data["lists"])),
                "keys": tuple(data["keys"]),
                "expected": {
                    name: (share, form)
                    for name, (share, form) in data["expected"].items()
                },
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WrapperError(f"this is no program of a wrapper: {error}") from error


def _list(data: Mapping[str, Any]) -> List:
    columns = tuple(map(_column, data["columns"]))
    return List(**dict(data) | {"records": tuple(data["records"]), "columns": columns})


def _column(data: Mapping[str, Any]) -> Column:
    calendar = data["calendar"]
    return Column(
        **dict(data)
        | {
            "kind": ValueKind(data["kind"]),
            "reads": tuple(Read(**one) for one in data["reads"]),
            "derived": tuple(map(_derived, data["derived"])),
            "calendar": Calendar(tuple(calendar["forms"]), tuple(calendar["months"])),
        }
    )


def _derived(data: Mapping[str, Any]) -> Derived:
    meanings = tuple((sign, meaning) for sign, meaning in data["meanings"])
    return Derived(**dict(data) | {"meanings": meanings})
