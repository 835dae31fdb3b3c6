"""Implement the API calls of the studio, a local web application, as methods.

A method receives untrusted JSON data, and raises AmberError for an invalid request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.annotate.examples import Example
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import AmberError, FileError, SelectionError
from amber_wrap.files import stored_path
from amber_wrap.spec.reader import Spec, parse_spec, read_spec, spec_path, spec_text
from amber_wrap.studio.background_jobs import (
    Jobs,
    Outcome,
    check_pages,
    compile_spec,
    explain_page,
    induce_for_studio,
)
from amber_wrap.studio.chosen_element import element_choices, expression_for
from amber_wrap.studio.file_cache import FileCache, OpenedPage
from amber_wrap.studio.learned_terms import begin_domain, decide_term, learned_terms
from amber_wrap.studio.page_folder import Folder, requested_element
from amber_wrap.studio.page_view import view_data
from amber_wrap.studio.predicted_values import (
    WHOLE_TEXT,
    by_example,
    by_expression,
    by_renaming,
    pattern_for,
    reads_whole_text,
)
from amber_wrap.studio.record_changes import record_changes
from amber_wrap.studio.spec_changes import column_name, edited_spec, text_value
from amber_wrap.studio.undo_history import PendingStep, UndoHistory, spec_digest

RequestData = Mapping[str, Any]
"""The JSON object that the browser sends with a call."""
DOMAIN = re.compile(r"[\w-]*")
"""A pattern of the name of a domain (a kind of records); a path doesn't match."""
_SHOWN = 3
"""The most values of each page that the call `matches` returns."""


@dataclass(slots=True)
class Studio:
    """The state of the studio (web application) that all calls share.

    `pending` is the last change that was tried but not written, or None.
    """

    folder: Folder
    cache: FileCache = field(default_factory=FileCache)
    jobs: Jobs = field(default_factory=Jobs)
    history: UndoHistory = field(default_factory=UndoHistory)
    pending: PendingStep | None = None

    # --- looking ------------------------------------------------------------------

    def folder_data(self, request: RequestData) -> Any:
        """Return the folder's pages, its wrappers with their sample pages, and the
        names of all kinds of values.
        """
        samples_by_wrapper = {}
        for wrapper_name in self.folder.wrappers():
            try:
                samples_by_wrapper[wrapper_name] = self._sample_names(wrapper_name)
            except AmberError:
                # The error in the spec is shown when the wrapper is opened.
                samples_by_wrapper[wrapper_name] = []
        return {
            "folder": self.folder.root.name,
            "pages": self.folder.pages(),
            "wrappers": samples_by_wrapper,
            "kinds": [str(kind) for kind in ValueKind],
        }

    def _sample_names(self, wrapper: str) -> list[str]:
        """Return the names of the sample pages of the wrapper called `wrapper`."""
        spec, root = self.folder.spec(wrapper), self.folder.root
        samples = [(spec.parent / name).resolve() for name in read_spec(spec).samples]
        return [
            sample.relative_to(root).as_posix()
            for sample in samples
            if sample.is_relative_to(root)
        ]

    def view(self, request: RequestData) -> tuple[OpenedPage, dict[str, Any]]:
        """Return the requested page, and the data that the browser shows of the page.

        If the request names a set of extraction rules, the data include the records.
        """
        opened, spec = self._opened(request)
        page_name = text_value(request, "page")
        sample_names = self._sample_names(spec.stem) if spec else []
        redo = self.history.redo_label(spec) if spec else self._undone_creation_label()
        return opened, {
            **view_data(opened, spec),
            "page": page_name,
            "wrapper": spec.stem if spec else "",
            "is_sample": page_name in sample_names,
            "samples": sample_names,
            "base": spec_digest(spec) if spec else "",
            "undo": self.history.undo_label(spec) if spec else "",
            "redo": redo,
        }

    def _undone_creation_label(self) -> str:
        """Return the label of the last undone creation of extraction rules, or ""."""
        spec = self.history.undone_creation()
        return self.history.redo_label(spec) if spec else ""

    def _opened(self, request: RequestData) -> tuple[OpenedPage, Path | None]:
        """Return the requested page, and the file with a person's decisions.

        If the request names no extraction rules, the file is None, and the page has no
        records.
        """
        page_path = self.folder.page(request.get("page"))
        if not request.get("wrapper"):
            return self.cache.opened_page(page_path, None), None
        spec = self.folder.spec(request["wrapper"])
        return self.cache.opened_page(page_path, stored_path(spec)), spec

    # --- predicting ---------------------------------------------------------------

    def choose(self, request: RequestData) -> Any:
        """Return a description of the element that the user clicked.

        If the request names extraction rules, the description also predicts, for each
        record, the value of a column that reads the clicked element.
        """
        opened, spec = self._opened(request)
        node = requested_element(opened, request.get("node"))
        choices = element_choices(opened, node)
        if spec and choices["takes"]:
            take, _ = choices["takes"][0]
            columns = choices["columns"][take]
            name = columns[0] if columns else ""
            prediction_request = {**request, "take": take, "name": name}
            choices["predictions"] = self.predict(prediction_request)
        return choices

    def predict(self, request: RequestData) -> Any:
        """Return predictions of a column's values after a change, the likeliest first.

        A prediction has the key `rename` for a new name of the column. For a definition
        by an example or an XPath expression, the key is `example` or `expression`. The
        reason for a missing prediction is under `no_example` or `no_expression`.
        """
        opened, spec = self._opened(request)
        name = text_value(request, "name", "") or "value"
        if xpath := text_value(request, "xpath", ""):
            pattern = text_value(request, "pattern", "")
            prediction = by_expression(opened, name, xpath, pattern)
            return {"expression": prediction.data(opened, name)}
        node = requested_element(opened, request.get("node"))
        take = text_value(request, "take", WHOLE_TEXT)
        part = text_value(request, "part", "")
        predictions: dict[str, Any] = {}
        renaming = by_renaming(opened, name, node, take) if spec and not part else None
        if renaming:
            renamed = renaming.change["name"]
            renaming_data = {**renaming.data(opened, renamed), "changed": 0}
            if reads_whole_text(opened, node, renamed):
                predictions["rename"] = renaming_data
        is_sample = spec and request["page"] in self._sample_names(spec.stem)
        is_in_record = opened.record_of(node) is not None
        try:
            if take == WHOLE_TEXT and is_in_record and (is_sample or not spec):
                example = by_example(opened, name, node, part)
                predictions["example"] = example.data(opened, name)
        except SelectionError as error:
            predictions["no_example"] = str(error)
        try:
            xpath = expression_for(opened, node, take)
            pattern = part and pattern_for(opened, node, take, part, xpath)
            prediction = by_expression(opened, name, xpath, pattern)
            predictions["expression"] = prediction.data(opened, name)
        except SelectionError as error:
            predictions["no_expression"] = str(error)
        if renaming:
            predictions.setdefault("rename", renaming_data)
        return predictions

    def matches(self, request: RequestData) -> Any:
        """Return the values that an XPath expression reads in the records of each page.

        The pages are the open page, and the sample pages of the extraction rules.
        """
        spec = self.folder.spec(request.get("wrapper"))
        xpath = text_value(request, "xpath")
        pattern = text_value(request, "pattern", "")
        page_names = [*self._sample_names(spec.stem), text_value(request, "page")]
        matches = []
        for page_name in dict.fromkeys(page_names):
            opened = self.cache.opened_page(
                self.folder.page(page_name), stored_path(spec)
            )
            prediction = by_expression(opened, "value", xpath, pattern)
            texts = [text[:80] for _, text in prediction.values.values()]
            counts = {"records": len(opened.records), "found": len(texts)}
            matches.append({"page": page_name, **counts, "values": texts[:_SHOWN]})
        return matches

    # --- doing --------------------------------------------------------------------

    def induce(self, request: RequestData) -> Any:
        """Start a job that makes extraction rules, and return the job's name."""
        page_name = text_value(request, "page")
        page = self.folder.page(page_name)
        target = self.folder.new_wrapper(page_name)
        example_data = request.get("example")
        if example_data and not isinstance(example_data, dict):
            raise SelectionError("`example` must be an object")
        examples = []
        if example_data:
            example_value = text_value(example_data, "value")
            examples = [Example(column_name(example_data), example_value)]
        domain = text_value(request, "domain", "")
        if not DOMAIN.fullmatch(domain):
            raise SelectionError("name a domain, not a path")
        within = text_value(request, "within", "")
        spec = spec_path(target)

        def keep(outcome: Outcome) -> Any:
            self.history.keep(spec, "", outcome, f"new wrapper {spec.stem}")
            return {"wrapper": spec.stem, "notes": outcome.notes, "kept": True}

        arguments = (self.folder.root, page, target, domain, within, examples)
        job_name = self.jobs.start(induce_for_studio, *arguments, then=keep)
        return {"job": job_name}

    def step(self, request: RequestData) -> Any:
        """Start a job that changes a person's decisions, and return the job's name.

        If the request has `try`, or if columns would be lost, the job doesn't write the
        change. The call `keep` can write the change later.
        """
        spec = self.folder.spec(request.get("wrapper"))
        page_path = self.folder.page(request.get("page"))
        step = request.get("step")
        old_digest = spec_digest(spec)
        if request.get("base") != old_digest:
            raise FileError(
                f"{spec.name} has changed since the page was opened: open it again"
            )
        if not isinstance(step, dict):
            raise SelectionError("`step` must be an object")
        spec_source = edited_spec(spec_text(spec), step, page_path, spec)
        new_spec = parse_spec(spec_source, spec)
        self._check_inside(new_spec, spec)
        page_before = self.cache.opened_page(page_path, stored_path(spec))
        label_keys = ("do", "name", "to", "kind")
        step_label = " ".join(str(step[key]) for key in label_keys if step.get(key))

        def keep_or_compare(outcome: Outcome) -> Any:
            pending = PendingStep(spec, old_digest, outcome, step_label)
            if request.get("try") or outcome.lost:
                self.pending = pending
                return {"kept": False, **record_changes(page_before, outcome)}
            return self._keep(pending)

        needed = {step.get("name"), step.get("to")}
        if step.get("do") == "text":
            needed = {column.name for column in new_spec.options.decisions.columns}
        arguments = (self.folder.root, spec_source, spec, needed)
        job_name = self.jobs.start(compile_spec, *arguments, then=keep_or_compare)
        return {"job": job_name}

    def _check_inside(self, new_spec: Spec, spec: Path) -> None:
        """Raise FileError if changed decisions name a file that isn't allowed.

        Samples must be in the folder. A domain must be a name, such as "cars", or the
        domain that the present file `spec` names.
        """
        for name in new_spec.samples:
            if not self.folder.holds(spec.parent / name):
                raise FileError(f"the sample {name} is not in the folder")
        domain = new_spec.domain
        if not DOMAIN.fullmatch(domain) and domain != read_spec(spec).domain:
            raise FileError(f"the domain {domain} is not in the folder")

    def _keep(self, pending: PendingStep) -> Any:
        """Write a tried change into its files, and return the label and the warnings.

        Raise SelectionError if a person's decision can't be fulfilled any more.
        """
        pending.outcome.check()
        label, outcome = pending.label, pending.outcome
        self.history.keep(pending.spec, pending.base, outcome, label)
        self.pending = None
        return {"kept": True, "notes": outcome.notes, "label": label}

    def keep(self, request: RequestData) -> Any:
        """Write the change tried last, and return the change's label and warnings.

        Raise SelectionError if no change of the requested rules waits to be written.
        """
        pending = self.pending
        if pending is None or pending.spec.stem != request.get("wrapper"):
            raise SelectionError("there is no tried change to keep: try a change first")
        return self._keep(pending)

    def undo(self, request: RequestData) -> Any:
        """Undo the last change of extraction rules, and return the change's label."""
        spec = self.folder.spec(request.get("wrapper"))
        return {"label": self.history.undo(spec)}

    def redo(self, request: RequestData) -> Any:
        """Redo the last undone change of extraction rules.

        Return the label of the change and the name of the rules. If the request names
        no rules, redo the last undone creation of rules.
        """
        wrapper = request.get("wrapper")
        spec = self.folder.spec(wrapper) if wrapper else self.history.undone_creation()
        if spec is None:
            raise FileError("there is nothing to redo")
        return {"label": self.history.redo(spec), "wrapper": spec.stem}

    def _named_pages(self) -> list[tuple[str, Path]]:
        """Return the names and paths of the folder's pages."""
        return [(name, self.folder.page(name)) for name in self.folder.pages()]

    def check(self, request: RequestData) -> Any:
        """Start a job that tests extraction rules on all pages, and return its name."""
        stored_wrapper = stored_path(self.folder.spec(request.get("wrapper")))
        job_name = self.jobs.start(check_pages, stored_wrapper, self._named_pages())
        return {"job": job_name}

    def explain(self, request: RequestData) -> Any:
        """Start a job that shows how a page is analysed, and return the job's name."""
        page_path = self.folder.page(request.get("page"))
        wrapper_name = request.get("wrapper")
        spec = self.folder.spec(wrapper_name) if wrapper_name else self.folder.root
        spec_source = spec_text(spec) if wrapper_name else ""
        explain_arguments = (self.folder.root, page_path, spec_source, spec)
        return {"job": self.jobs.start(explain_page, *explain_arguments)}

    # --- terms --------------------------------------------------------------------

    def learn(self, request: RequestData) -> Any:
        """Start a job that finds new words on all pages, and return the job's name.

        The words, such as towns, are for the word lists of the domain of the requested
        extraction rules.
        """
        arguments = (self.folder.root, self._domain(request), self._named_pages())
        return {"job": self.jobs.start(learned_terms, *arguments)}

    def term(self, request: RequestData) -> Any:
        """Accept or reject a word for a word list, or undo such a decision.

        Return the path of the changed list under `list`.
        """
        return decide_term(self.folder.root, self._domain(request), request)

    def begin_domain(self, request: RequestData) -> Any:
        """Create a domain that extends the domain of requested extraction rules."""
        domain_name = text_value(request, "name")
        return begin_domain(self.folder.root, domain_name, self._domain(request))

    def _domain(self, request: RequestData) -> str:
        """Return the domain, such as "cars", of the requested extraction rules.

        A domain in a person's decisions takes precedence over an automatically chosen
        domain.
        """
        spec = self.folder.spec(request.get("wrapper"))
        wrapper = self.cache.wrapper(stored_path(spec))
        return read_spec(spec).domain or wrapper.domain

    # --- jobs ---------------------------------------------------------------------

    def job(self, request: RequestData) -> Any:
        """Return the progress of a job, and the result of a finished job."""
        return self.jobs.get(text_value(request, "job")).data()

    def cancel(self, request: RequestData) -> Any:
        """End the requested job."""
        self.jobs.cancel(text_value(request, "job"))
        return {}
