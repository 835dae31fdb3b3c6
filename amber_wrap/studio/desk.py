"""Implement the calls of the studio, one method per call.

A call receives untrusted data from the browser, and returns JSON data.  An invalid
request raises an AmberError.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.annotate.examples import Example
from amber_wrap.dom.page import NodeId
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import found_on
from amber_wrap.errors import AmberError, FileError, SelectionError
from amber_wrap.files import stored_path
from amber_wrap.spec.reader import Spec, parse_spec, read_spec, spec_path, spec_text
from amber_wrap.studio import work
from amber_wrap.studio.choices import choice
from amber_wrap.studio.edits import column, edited, spec_words
from amber_wrap.studio.expressions import expression_for
from amber_wrap.studio.folder import Folder
from amber_wrap.studio.jobs import Jobs
from amber_wrap.studio.keeping import UndoHistory, digest
from amber_wrap.studio.opened import Desk, Look
from amber_wrap.studio.predictions import (
    WHOLE_TEXT,
    by_another_name,
    by_example,
    by_expression,
    pattern_for,
    reads_all,
)
from amber_wrap.studio.terms import begin_domain, decide_term, learned_terms
from amber_wrap.studio.view import view
from amber_wrap.studio.work import Outcome

Asked = Mapping[str, Any]
DOMAIN = re.compile(r"[\w-]*")
"""The name of a domain, as opposed to a path."""
_SHOWN = 3
"""Values of each page that an expression's matches are shown by."""


@dataclass(slots=True)
class Pending:
    """The result of a step, built but not written."""

    spec: Path
    base: str
    outcome: Outcome
    label: str


@dataclass(slots=True)
class Studio:
    """The state of the studio: folder, open pages, running jobs, steps to undo."""

    folder: Folder
    desk: Desk = field(default_factory=Desk)
    jobs: Jobs = field(default_factory=Jobs)
    history: UndoHistory = field(default_factory=UndoHistory)
    pending: Pending | None = None

    # --- looking ------------------------------------------------------------------

    def folder_data(self, asked: Asked) -> Any:
        """Return the pages and the wrappers, with the sample pages of each wrapper."""
        wrappers = {}
        for name in self.folder.wrappers():
            try:
                wrappers[name] = self._sample_names(name)
            except (
                AmberError
            ):  # What is wrong with a spec is told when it is looked at.
                wrappers[name] = []
        return {
            "folder": self.folder.root.name,
            "pages": self.folder.pages(),
            "wrappers": wrappers,
            "kinds": [str(one) for one in ValueKind],
        }

    def _sample_names(self, name: str) -> list[str]:
        path = self.folder.spec(name)
        samples = ((path.parent / one).resolve() for one in read_spec(path).samples)
        return [
            one.relative_to(self.folder.root).as_posix()
            for one in samples
            if one.is_relative_to(self.folder.root)
        ]

    def view(self, asked: Asked) -> tuple[Look, dict[str, Any]]:
        """Return a page under a wrapper, or the plain page without a wrapper."""
        look, spec = self._look(asked)
        name = spec_words(asked, "page")
        known = self._sample_names(spec.stem) if spec else []
        return look, {
            **view(look, spec),
            "page": name,
            "wrapper": spec.stem if spec else "",
            "is_sample": name in known,
            "samples": known,
            "base": digest(spec) if spec else "",
            "undo": self.history.undo_label(spec) if spec else "",
            "redo": self.history.redo_label(spec) if spec else self._gone(),
        }

    def _gone(self) -> str:
        """Return the wrapper that `redo` would restore if none is chosen."""
        spec = self.history.gone()
        return self.history.redo_label(spec) if spec else ""

    def _look(self, asked: Asked) -> tuple[Look, Path | None]:
        path = self.folder.page(asked.get("page"))
        if not asked.get("wrapper"):
            return self.desk.look(path, None), None
        spec = self.folder.spec(asked["wrapper"])
        return self.desk.look(path, stored_path(spec)), spec

    # --- predicting ---------------------------------------------------------------

    def choose(self, asked: Asked) -> Any:
        """Return what an element is, what it can mean, and what that would read."""
        look, spec = self._look(asked)
        found = choice(look, element(look, asked.get("node")))
        if spec and found["takes"]:
            take = found["takes"][0][0]
            name = (*found["columns"][take], "")[0]
            found["ways"] = self.predict({**asked, "take": take, "name": name})
        return found

    def predict(self, asked: Asked) -> Any:
        """Return what a column would read by each way, the likely one first."""
        look, spec = self._look(asked)
        name = spec_words(asked, "name", "") or "value"
        if xpath := spec_words(asked, "xpath", ""):
            pattern = spec_words(asked, "pattern", "")
            return {"expression": self._told(look, name, xpath, pattern)}
        node = element(look, asked.get("node"))
        take, part = (
            spec_words(asked, "take", WHOLE_TEXT),
            spec_words(asked, "part", ""),
        )
        ways: dict[str, Any] = {}
        known = by_another_name(look, name, node, take) if spec and not part else None
        renaming = known and {**known.data(look, known.line["name"]), "changed": 0}
        if known and reads_all(look, node, known.line["name"]):
            ways["rename"] = renaming
        is_sample = spec and asked["page"] in self._sample_names(spec.stem)
        is_in = look.record_of(node) is not None
        try:
            if take == WHOLE_TEXT and is_in and (is_sample or not spec):
                ways["example"] = by_example(look, name, node, part).data(look, name)
        except SelectionError as error:
            ways["no_example"] = str(error)
        try:
            xpath = expression_for(look, node, take)
            pattern = part and pattern_for(look, node, take, part, xpath)
            ways["expression"] = self._told(look, name, xpath, pattern)
        except SelectionError as error:
            ways["no_expression"] = str(error)
        if renaming:
            ways.setdefault("rename", renaming)
        return ways

    @staticmethod
    def _told(look: Look, name: str, xpath: str, pattern: str = "") -> Any:
        return by_expression(look, name, xpath, pattern).data(look, name)

    def matches(self, asked: Asked) -> Any:
        """Return what an expression reads on each sample and on the page."""
        spec = self.folder.spec(asked.get("wrapper"))
        xpath, pattern = spec_words(asked, "xpath"), spec_words(asked, "pattern", "")
        pages = [*self._sample_names(spec.stem), spec_words(asked, "page")]
        found = []
        for name in dict.fromkeys(pages):
            look = self.desk.look(self.folder.page(name), stored_path(spec))
            read = by_expression(look, "value", xpath, pattern)
            texts = [text[:80] for _, text in read.values.values()]
            found.append(
                {
                    **{"page": name, "records": len(look.found)},
                    **{"found": len(texts), "values": texts[:_SHOWN]},
                }
            )
        return found

    # --- doing --------------------------------------------------------------------

    def induce(self, asked: Asked) -> Any:
        """Start to induce a wrapper for a page; return the job's name."""
        name = spec_words(asked, "page")
        page = self.folder.page(name)
        target = self.folder.new_wrapper(name)
        given = asked.get("example")
        if given and not isinstance(given, dict):
            raise SelectionError("an example is an object")
        examples = [Example(column(given), spec_words(given, "value"))] if given else []
        domain = spec_words(asked, "domain", "")
        if not DOMAIN.fullmatch(domain):
            raise SelectionError("name a domain, not a path")
        values = (
            *(self.folder.root, page, target, domain),
            *(spec_words(asked, "within", ""), examples),
        )
        spec = spec_path(target)

        def then(outcome: Outcome) -> Any:
            self.history.keep(spec, "", outcome, f"new wrapper {spec.stem}")
            return {"wrapper": spec.stem, "told": outcome.told, "kept": True}

        return {"job": self.jobs.start(work.induce_for_studio, *values, then=then)}

    def step(self, asked: Asked) -> Any:
        """Start a step.

        With `try`, or if it takes columns away, the result is shown but not kept yet.
        """
        spec = self.folder.spec(asked.get("wrapper"))
        page = self.folder.page(asked.get("page"))
        step = asked.get("step")
        base = digest(spec)
        if asked.get("base") != base:
            raise FileError(f"{spec.name} was changed elsewhere: look at it again")
        if not isinstance(step, dict):
            raise SelectionError("a step is an object")
        text = edited(spec_text(spec), step, page, spec)
        new = parse_spec(text, spec)
        self._check_inside(new, spec)
        before = self.desk.look(page, stored_path(spec))
        label = " ".join(
            str(step[one]) for one in ("do", "name", "to", "kind") if step.get(one)
        )

        def then(outcome: Outcome) -> Any:
            pending = Pending(spec, base, outcome, label)
            if asked.get("try") or outcome.lost:
                self.pending = pending
                return {"kept": False, **self._compared(before, pending)}
            return self._keep(pending)

        kept = {step.get("name"), step.get("to")}
        if step.get("do") == "text":
            kept = {one.name for one in new.options.decisions.columns}
        values = (self.folder.root, text, spec, kept)
        return {"job": self.jobs.start(work.compiled, *values, then=then)}

    def _check_inside(self, new: Spec, spec: Path) -> None:
        """Raise FileError if a spec names a file outside of the folder."""
        for name in new.samples:
            if not self.folder.holds(spec.parent / name):
                raise FileError(f"the sample {name} is not in the folder")
        if not DOMAIN.fullmatch(new.domain) and new.domain != read_spec(spec).domain:
            raise FileError(f"the domain {new.domain} is not in the folder")

    @staticmethod
    def _compared(before: Look, pending: Pending) -> dict[str, Any]:
        """Return the records that a page would show, and which values would change."""
        wrapper = pending.outcome.built.stored.wrapper
        after = Look(before.page, wrapper, found_on(wrapper, before.page.root), None)
        starts = {rows[0]: number for number, rows in enumerate(before.rows())}
        changed, values = dict[str, int](), []
        for one, rows in zip(after.found, after.rows(), strict=True):
            number = starts.get(rows[0])
            old = before.found[number].values if number is not None else {}
            for name in (old.keys() | one.values.keys()) - {*pending.outcome.lost}:
                was, now = old.get(name), one.values.get(name)
                if (was and was.shown) != (now and now.shown):
                    changed[name] = changed.get(name, 0) + 1
                    if now:
                        values.append(
                            [number, before.page.node_of(now.node), now.shown]
                        )
        there = {rows[0] for rows in after.rows()}
        return {
            "told": pending.outcome.told,
            "lost": pending.outcome.lost,
            "unheld": pending.outcome.unheld,
            "records": [len(before.found), len(after.found)],
            "gone": [n for start, n in starts.items() if start not in there],
            "changed": dict(sorted(changed.items())),
            "values": values,
        }

    def _keep(self, pending: Pending) -> Any:
        pending.outcome.check()
        self.history.keep(*(pending.spec, pending.base, pending.outcome, pending.label))
        self.pending = None
        return {"kept": True, "told": pending.outcome.told, "label": pending.label}

    def keep(self, asked: Asked) -> Any:
        """Keep the step that was tried last."""
        pending = self.pending
        if pending is None or pending.spec.stem != asked.get("wrapper"):
            raise SelectionError("nothing was tried: try a step first")
        return self._keep(pending)

    def undo(self, asked: Asked) -> Any:
        """Undo the last step on a wrapper."""
        spec = self.folder.spec(asked.get("wrapper"))
        return {"label": self.history.undo(spec)}

    def redo(self, asked: Asked) -> Any:
        """Redo the step that was undone last.

        Without a wrapper, restore the last one.
        """
        name = asked.get("wrapper")
        spec = self.folder.spec(name) if name else self.history.gone()
        if spec is None:
            raise FileError("there is nothing to redo")
        return {"label": self.history.redo(spec), "wrapper": spec.stem}

    def check(self, asked: Asked) -> Any:
        """Start to check all pages of the folder under a wrapper."""
        stored = stored_path(self.folder.spec(asked.get("wrapper")))
        pages = [(name, self.folder.page(name)) for name in self.folder.pages()]
        return {"job": self.jobs.start(work.checked, stored, pages)}

    def explain(self, asked: Asked) -> Any:
        """Start to explain what each pass finds on a page."""
        page = self.folder.page(asked.get("page"))
        name = asked.get("wrapper")
        spec = self.folder.spec(name) if name else self.folder.root
        text = spec_text(spec) if name else ""
        values = (self.folder.root, page, text, spec)
        return {"job": self.jobs.start(work.explained, *values)}

    # --- terms --------------------------------------------------------------------

    def learn(self, asked: Asked) -> Any:
        """Start to collect terms for the wrapper's domain from the folder's pages."""
        pages = [(name, self.folder.page(name)) for name in self.folder.pages()]
        values = (self.folder.root, self._domain(asked), pages)
        return {"job": self.jobs.start(learned_terms, *values)}

    def term(self, asked: Asked) -> Any:
        """Accept or reject a term, or undo that."""
        return decide_term(self.folder.root, self._domain(asked), asked)

    def begin_domain(self, asked: Asked) -> Any:
        """Create a domain in the folder that extends the wrapper's domain."""
        name = spec_words(asked, "name")
        return begin_domain(self.folder.root, name, self._domain(asked))

    def _domain(self, asked: Asked) -> str:
        """Return a wrapper's domain: its spec's, or else the one of induction."""
        spec = self.folder.spec(asked.get("wrapper"))
        wrapper = self.desk.wrapper(stored_path(spec))
        return read_spec(spec).domain or wrapper.domain

    # --- jobs ---------------------------------------------------------------------

    def job(self, asked: Asked) -> Any:
        """Return the progress and the result of a job."""
        return self.jobs.get(spec_words(asked, "job")).data()

    def cancel(self, asked: Asked) -> Any:
        """End a job."""
        self.jobs.cancel(spec_words(asked, "job"))
        return {}


def element(look: Look, node: object) -> NodeId:
    """Return the element with that number; raise SelectionError if there is none."""
    if isinstance(node, int) and not isinstance(node, bool):
        page = look.page
        if 0 <= node < len(page) and not page.is_text(node):
            return node
    raise SelectionError("there is no such element on the page")
