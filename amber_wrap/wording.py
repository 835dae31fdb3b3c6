"""Word the messages for users."""

from __future__ import annotations


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun: "1 page", "2 pages"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
