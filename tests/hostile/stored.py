"""Wrappers that somebody else wrote, or changed: the JSON beside a generated file."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from hostile.case import Case, Family

VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1, 1.5, 10**30, 1e308, "", "x", "\0", "\ud800", [], {}, [[]],
    [None], {"": ""}, {"x": [1]}, "//*", "//*[", "(", "(a+)+$", "(?P<value>x)", "1",
    "a" * 9999, "(?:" * 200 + ")" * 200, "." * 9999, "x{99999}", "((a*)*)*b", "@href",
    "//a" * 2000, "//*//*//*", "./" * 3000 + "a", "[" * 500, "string(/)", "(" * 300,
    "document('file:///etc/passwd')", "//p[" + "not(" * 300 + "1" + ")" * 300 + "]",
    "{price}", "https://x",
)  # fmt: skip
"""What may stand in the place of another value."""
Place = tuple[Any, Any]
"""An object or a list, and one of its keys."""


def _mutated(random: Random, body: bytes, times: int) -> bytes:
    data = json.loads(body)
    for _ in range(times):
        places = list(_places(data))
        holder, key = random.choice(places)
        way = random.randrange(5)
        if way == 0:
            del holder[key]
        elif way == 1 and isinstance(holder, dict):
            holder[random.choice(["x", "", "price", "\n", "__class__"])] = holder[key]
        elif way == 2:
            other, at = random.choice(places)
            holder[key] = copy.deepcopy(other[at])
        else:
            holder[key] = random.choice(VALUES)
        if not data:
            break
    return json.dumps(data).encode()


def values(random: Random) -> Case:
    """One value, or a few, are others."""
    seed, times = random.random(), random.choice([1, 1, 1, 3, 10])
    return Case(stored=lambda body: _mutated(Random(seed), body, times))


def doubling(random: Random) -> Case:
    """Patterns that are made of each other, each of two of the one before."""
    depth = random.choice([3, 24, 60, 300])

    def tampered(body: bytes) -> bytes:
        data = json.loads(body)
        named = {f"p{at}": f"{{p{at - 1}}}{{p{at - 1}}}" for at in range(1, depth)}
        data["patterns"] |= {"p0": "a", **named}
        for name in data["patterns"]:
            if not name.startswith("p"):
                data["patterns"][name] = f"{{p{depth - 1}}}"
        locators = [one for one, key in _places(data) if key == "pattern"]
        for one in locators:
            one["pattern"] = f"p{depth - 1}"
        return json.dumps(data).encode()

    return Case(stored=tampered)


def broken_text(random: Random) -> Case:
    """A file that is cut, or has other bytes."""
    seed = random.random()

    def tampered(body: bytes) -> bytes:
        chance = Random(seed)
        if chance.random() < 0.5:
            return body[: chance.randrange(len(body))]
        some = bytearray(body)
        for _ in range(chance.choice([1, 5, 50])):
            some[chance.randrange(len(some))] = chance.randrange(256)
        return bytes(some)

    return Case(stored=tampered)


def other_json(random: Random) -> Case:
    """JSON that never was a wrapper."""
    texts = ("", "{}", "[]", "null", "1", "[" * 9999, '{"a":' * 9999, "NaN", "[1e999]")
    text = random.choice((*texts, '{"format": 1}', "\ufeff{}", '"\\ud800"', "-"))
    return Case(stored=lambda _: text.encode())


def _places(data: Any) -> Iterator[Place]:
    """Where values are, at all depths."""
    pairs: list[Place] = (
        list(data.items())
        if isinstance(data, dict)
        else list(enumerate(data))
        if isinstance(data, list)
        else []
    )
    for key, value in pairs:
        yield data, key
        yield from _places(value)


KINDS: Family = {
    "values": values,
    "doubling": doubling,
    "broken text": broken_text,
    "other json": other_json,
}
