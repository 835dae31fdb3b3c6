"""Change the file of a person's decisions, and undo and redo changes.

Undoing also restores the files that are made from the decisions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from os.path import relpath
from pathlib import Path
from typing import Any, Final

import tomlkit

from amber_wrap.atomic_write import write_atomically, writing
from amber_wrap.columns.assembly import ALL
from amber_wrap.domain.schema import COLUMN_NAME, ValueKind
from amber_wrap.errors import FileError, SelectionError
from amber_wrap.files import STORED_SUFFIX, write_wrapper
from amber_wrap.spec.reader import SPEC_SUFFIX
from amber_wrap.spec.writer import (
    Changes,
    inline_table,
    with_changes,
    with_column,
    with_key,
    with_order,
    with_spec_columns,
    write_spec,
)
from amber_wrap.studio.background_jobs import Outcome

_READABLE_KINDS: Final = ("money", "number", "count", "quantity", "year", "date")
"""The kinds of values that can be read from the text of any element."""
_Step = Mapping[str, Any]
"""A change that a user made: `do` names the action, other keys are its parameters."""


def edited_spec(text: str, step: _Step, page: Path, spec: Path) -> str:
    """Return the text of the decisions file `spec` after the change `step`.

    The user makes the change while viewing `page`. Raise SelectionError for an invalid
    change.
    """
    action = STEPS.get(str(step.get("do")))
    if action is None:
        raise SelectionError(f"unknown step {step.get('do')!r}")
    if action is _samples:
        return _samples(text, step, page, spec)
    return action(text, step)


def _example(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a new column, defined by an example."""
    return with_column(text, column_name(step), example=text_value(step, "value"))


def _expression(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a new column, read by an expression.

    `step` has the column's name and XPath, and may have a pattern and a kind.
    """
    details: dict[str, object] = {
        "xpath": text_value(step, "xpath"),
        "pattern": text_value(step, "pattern", "") or None,
    }
    if (kind := text_value(step, "kind", "")) in _READABLE_KINDS:
        details["kind"] = kind
    return with_column(text, column_name(step), **details)


def _rename(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with the column `step["name"]` renamed to
    `step["to"]`.
    """
    new_name = text_value(step, "to")
    if not COLUMN_NAME.fullmatch(new_name):
        raise SelectionError(_invalid_name(new_name))
    if new_name in tomlkit.parse(text).get("fields", {}):
        raise SelectionError(f"the column {new_name} already exists")
    return with_changes(text, Changes(renamed={text_value(step, "name"): new_name}))


def _drop(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with the column `step["name"]` left out."""
    return with_changes(text, Changes(dropped=(text_value(step, "name"),)))


def _restore(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a column that had been dropped.

    Raise SelectionError if another column has the column's name.
    """
    restored_column = text_value(step, "name")
    if restored_column in tomlkit.parse(text).get("fields", {}):
        raise SelectionError(
            f"a column {restored_column} already exists: rename that column first"
        )
    dropped_columns = [
        column
        for column in tomlkit.parse(text).get("drop", ())
        if column != restored_column
    ]
    return with_spec_columns(
        with_key(text, "drop", dropped_columns or None),
        {restored_column: restored_column},
    )


def _kind(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with another kind of value for a column.

    Raise SelectionError for an unknown kind.
    """
    value_kind = text_value(step, "kind")
    if value_kind not in tuple(ValueKind):
        raise SelectionError(
            f"unknown kind {value_kind!r}: use one of {', '.join(ValueKind)}"
        )
    return with_changes(text, Changes(kinds={text_value(step, "name"): value_kind}))


def _require(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a column made required or optional."""
    required = step.get("required")
    if required not in (True, False, None):
        raise SelectionError("`required` must be true, false or null")
    return with_column(text, text_value(step, "name"), required=required)


def _order(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with columns sorted as in `step["names"]`."""
    column_names = step.get("names")
    if not isinstance(column_names, list) or not all(
        isinstance(name, str) for name in column_names
    ):
        raise SelectionError("`names` must be a list of column names")
    return with_order(text, column_names)


def _within(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with a selector of the elements to search for
    records.
    """
    return with_key(text, "within", text_value(step, "selector"))


def _records(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with an XPath expression for the records."""
    return with_key(text, "records", text_value(step, "xpath"))


def _next_page(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with another XPath for the next page."""
    return with_key(text, "next_page", step.get("xpath") or False)


def _thresholds(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with changed thresholds for finding records.

    A threshold of None is reset to its default. Raise SelectionError if a value is no
    number.
    """
    values = step.get("values")
    if not isinstance(values, dict) or not all(
        value is None or (isinstance(value, int | float) and value == value)
        for value in values.values()
    ):
        raise SelectionError("`values` must map names of thresholds to numbers")
    changed = dict(tomlkit.parse(text).get("thresholds", {})) | values
    thresholds = {
        str(name): value for name, value in changed.items() if value is not None
    }
    return with_key(
        text, "thresholds", inline_table(thresholds) if thresholds else None
    )


def _domain(text: str, step: _Step) -> str:
    """Return the user's decisions (TOML) with the domain called `step["name"]`.

    If no domain was set before, `read = "all"` is added, so that columns without a type
    of the domain are kept.
    """
    document = tomlkit.parse(text)
    if "domain" not in document and "read" not in document:
        text = with_key(text, "read", ALL)
    return with_key(text, "domain", text_value(step, "name"))


def _text(text: str, step: _Step) -> str:
    """Return the text that the user wrote to replace all decisions (TOML)."""
    return text_value(step, "text")


def _samples(text: str, step: _Step, page: Path, spec: Path) -> str:
    """Return the user's decisions (TOML) with `page` as a further sample page.

    If the page is a sample already, remove it from the samples.
    """
    sample_name = Path(relpath(page, spec.parent)).as_posix()
    old_samples = list(tomlkit.parse(text).get("samples", []))
    new_samples = [sample for sample in old_samples if sample != sample_name]
    if new_samples == old_samples:
        new_samples.append(sample_name)
    toml_array = tomlkit.array()
    toml_array.extend(new_samples)
    return with_key(text, "samples", toml_array)


STEPS: Final[Mapping[str, Callable[..., str]]] = {
    "example": _example,
    "expression": _expression,
    "rename": _rename,
    "drop": _drop,
    "restore": _restore,
    "kind": _kind,
    "require": _require,
    "order": _order,
    "within": _within,
    "records": _records,
    "next_page": _next_page,
    "sample": _samples,
    "thresholds": _thresholds,
    "domain": _domain,
    "text": _text,
}
"""The functions that change the user's decisions, by the value of `do` in a change."""


def text_value(step: _Step, key: str, default: str | None = None) -> str:
    """Return the text under a key of `step`, or `default` if the key is missing.

    Raise SelectionError if the value isn't text, or is blank without being the default.
    """
    value = step.get(key, default)
    if not isinstance(value, str) or not (value.strip() or value == default):
        raise SelectionError(f"`{key}` must be a text that isn't blank")
    return value


def column_name(step: _Step) -> str:
    """Return the name of the column that a change is about.

    Raise SelectionError if the name is missing or invalid.
    """
    name = text_value(step, "name")
    if not COLUMN_NAME.fullmatch(name):
        raise SelectionError(_invalid_name(name))
    return name


def _invalid_name(name: str) -> str:
    """Return the error message for a name that a column can't have."""
    return f"invalid name {name!r}: use a letter, then letters, digits and underscores"


_MOST_CHANGES: Final = 100
"""The most changes of a wrapper (set of extraction rules) that can be undone."""
FILE_SUFFIXES: Final = (SPEC_SUFFIX, STORED_SUFFIX, ".py")
"""The suffixes of a wrapper's files: the decisions, the rules, the Python file."""
_Contents = dict[str, bytes | None]
"""The contents of files by suffix, or None for a missing file."""


def spec_digest(spec: Path) -> str:
    """Return a digest of the file of a person's decisions, "" if it is missing."""
    return sha256(spec.read_bytes()).hexdigest() if spec.is_file() else ""


@dataclass(frozen=True, slots=True)
class PendingStep:
    """A change of a person's decisions, tried but not saved yet."""

    spec: Path
    """The path of the file with the person's decisions."""
    base: str
    """A digest of the file of decisions before the change."""
    outcome: Outcome
    """The changed text of the file, and the extraction rules made by it."""
    label: str
    """The name of the change for the user."""


@dataclass(frozen=True, slots=True)
class KeptStep:
    """A change of a person's decisions that was written."""

    label: str
    """The name of the change for the user."""
    before: _Contents
    """The contents of the files before the change, by suffix."""
    after: _Contents
    """The contents of the files after the change, by suffix."""


@dataclass(slots=True)
class UndoHistory:
    """The changes that can be undone or redone, for each set of extraction rules."""

    _done: dict[Path, list[KeptStep]] = field(default_factory=lambda: defaultdict(list))
    _undone: dict[Path, list[KeptStep]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def keep(self, spec: Path, base: str, outcome: Outcome, label: str) -> None:
        """Write the files of a change, and forget the undone changes of these files.

        Raise FileError if the file `spec` no longer has the digest `base`, or if a
        person changed the generated file.
        """
        if spec_digest(spec) != base:
            raise FileError(
                f"{spec.name} was changed in the meantime: open the page again"
            )
        old_contents = _contents(spec)
        write_wrapper(spec.with_suffix(".py"), outcome.built)
        write_spec(spec, outcome.spec)
        kept_steps = self._done[spec]
        kept_steps.append(KeptStep(label, old_contents, _contents(spec)))
        del kept_steps[:-_MOST_CHANGES]
        self._undone.pop(spec, None)

    def undo_label(self, spec: Path) -> str:
        """Return the label of the change to undo, or "" if there is no change."""
        return self._done[spec][-1].label if self._done[spec] else ""

    def redo_label(self, spec: Path) -> str:
        """Return the label of the change to redo, or "" if there is no change."""
        return self._undone[spec][-1].label if self._undone[spec] else ""

    def undone_creation(self) -> Path | None:
        """Return the file of decisions whose creation was undone last.

        Return None if no creation was undone.
        """
        specs = (spec for spec, steps in self._undone.items() if steps)
        return next((spec for spec in reversed([*specs]) if not spec.exists()), None)

    def undo(self, spec: Path) -> str:
        """Undo the last change of a person's decisions, and return the change's label.

        Raise FileError if there is no change, or if the file `spec` has changed since.
        """
        if not self._done[spec]:
            raise FileError("there is nothing to undo")
        kept_step = self._done[spec][-1]
        _write(spec, kept_step.after, kept_step.before)
        self._undone[spec].append(self._done[spec].pop())
        return kept_step.label

    def redo(self, spec: Path) -> str:
        """Redo the last undone change of a person's decisions, and return the change's
        label.

        Raise FileError if there is no change, or if the file `spec` has changed since.
        """
        if not self._undone[spec]:
            raise FileError("there is nothing to redo")
        kept_step = self._undone[spec][-1]
        _write(spec, kept_step.before, kept_step.after)
        self._done[spec].append(self._undone[spec].pop())
        return kept_step.label


def _write(spec: Path, expected: _Contents, new: _Contents) -> None:
    """Replace the contents of the decisions file `spec` and of the files made from it.

    Raise FileError if the present content of `spec` isn't the `expected` one, or if a
    file can't be written.
    """
    if _content(spec) != expected[SPEC_SUFFIX]:
        raise FileError(
            f"{spec.name} was changed outside the studio: undo and redo are impossible"
        )
    with writing(spec):
        for suffix, content in new.items():
            path = spec.with_suffix(suffix)
            if content is None:
                path.unlink(missing_ok=True)
            else:
                write_atomically(path, content)


def _contents(spec: Path) -> _Contents:
    """Return the contents of `spec` and of the files made from it, by suffix."""
    return {suffix: _content(spec.with_suffix(suffix)) for suffix in FILE_SUFFIXES}


def _content(path: Path) -> bytes | None:
    """Return the bytes of a file, or None for a missing file."""
    return path.read_bytes() if path.is_file() else None
