"""Characteristic tag paths (AMBER, section 3.5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from amber_wrap.dom.page import NodeId, Page

TagPath = int
"""A characteristic tag path: equal numbers of one `TagPaths` are equal paths."""


class TagPaths:
    """Tag paths as numbers: a step on the number of the path it continues.

    A path steps to first children and next siblings only and skips text nodes; the
    rows of a record are siblings of its start.
    """

    def __init__(self) -> None:
        self._number: dict[tuple[TagPath, str, str], TagPath] = {}
        self._steps: list[tuple[TagPath, str, str]] = []

    def of_record(self, page: Page, rows: Sequence[NodeId]) -> Mapping[TagPath, NodeId]:
        """The elements of a record by their tag path; no two have the same."""
        found: dict[TagPath, NodeId] = {}
        top = -1
        for i, row in enumerate(rows):
            top = self._step(top, "next-sibl" if i else "", page.tag[row])
            found[top] = row
            pending = [(row, top)]
            while pending:
                parent, path = pending.pop()
                step = "first-child"
                for child in page.child_elements(parent):
                    path = self._step(path, step, page.tag[child])
                    found[path] = child
                    pending.append((child, path))
                    step = "next-sibl"
        return found

    def text(self, path: TagPath) -> str:
        """The path as the paper writes it: a/first-child::p/next-sibl::i."""
        steps: list[str] = []
        while path >= 0:
            path, axis, tag = self._steps[path]
            steps.append(f"{axis}::{tag}" if axis else tag)
        return "/".join(reversed(steps))

    def _step(self, path: TagPath, axis: str, tag: str) -> TagPath:
        step = (path, axis, tag)
        number = self._number.setdefault(step, len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
        return number
