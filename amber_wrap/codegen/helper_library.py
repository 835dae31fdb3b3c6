"""Select the functions that are copied into a generated file, and all definitions that
they use.
"""

from __future__ import annotations

import ast
import symtable
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise

from amber_wrap.codegen.python_source import LINE, Code
from amber_wrap.lowering.helpers import LAYERS, SHORT_TEXT, template


@dataclass(frozen=True, slots=True, order=True)
class Import:
    """An import of one name: `from module import name`.

    An empty `name` stands for `import module`.
    """

    module: str
    name: str = ""

    @property
    def bound(self) -> str:
        """The name that the import defines in its module, for example `os` for `import
        os.path`.
        """
        return self.name or self.module.partition(".")[0]


@dataclass(frozen=True, slots=True)
class _Definition:
    """A top-level statement of a Python module, with the comments above the
    statement.
    """

    names: frozenset[str]
    """The names that the statement defines."""
    source: str
    """The text of the comments and the statement."""
    uses: frozenset[str]
    """The global names that the statement uses."""
    is_block: bool
    """Whether the statement is a function or a class."""
    joins: bool
    """Whether the statement follows the previous statement without a blank line."""


@dataclass(frozen=True, slots=True)
class Library:
    """Definitions that are copied into a generated file."""

    definitions: tuple[_Definition, ...] = ()
    """The definitions, in the order of the generated file."""
    imported: frozenset[Import] = frozenset()
    """The imports that the definitions use."""

    def needed_by(self, source: str) -> Library:
        """Return only the definitions and imports that source code needs, directly or
        by other definitions.
        """
        own_names = {
            name for node in ast.parse(source).body for name in bound_names(node)
        }
        definition_of = {
            name: definition
            for definition in self.definitions
            for name in definition.names
        }
        needed = set[str]()
        new_names = global_names(source)
        while new_names:
            needed |= new_names
            used_by_new = {
                used
                for name in new_names
                if name in definition_of
                for used in definition_of[name].uses
            }
            new_names = used_by_new - needed
        needed -= own_names
        return Library(
            tuple(item for item in self.definitions if item.names & needed),
            frozenset(item for item in self.imported if item.bound in needed),
        )

    @property
    def code(self) -> Code:
        """The source of all definitions, separated by blank lines as in black's
        style.
        """
        parts = [definition.source for definition in self.definitions[:1]]
        for before, definition in pairwise(self.definitions):
            if before.is_block or definition.is_block:
                parts.append("\n\n\n")
            else:
                parts.append("\n" if definition.joins else "\n\n")
            parts.append(definition.source)
        return Code("".join(parts))


@cache
def helper_library(text: str = SHORT_TEXT) -> Library:
    """Return the functions that may be copied into a generated file, and all
    definitions that they use.

    `text` selects a variant of the function that reads an element's text.
    """
    sources = [template(f"python/{name}.py") for name in LAYERS[text]]
    definitions: list[_Definition] = []
    defined_names = set[str]()
    for definition in chain.from_iterable(map(definitions_of, sources)):
        if not definition.names & defined_names:
            definitions.append(definition)
            defined_names |= definition.names
    imports = (item for source in sources for item in imports_of(source))
    return Library(tuple(definitions), frozenset(imports))


def definitions_of(source: str) -> Iterator[_Definition]:
    """Yield a definition for each top-level statement of a module's source.

    The docstring and imports of the module are left out.
    """
    lines = source.split("\n")
    previous_end = 0
    for node in ast.parse(source).body:
        start, end = node.lineno, node.end_lineno or node.lineno
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.decorator_list:
            start = node.decorator_list[0].lineno
        while start - 2 >= previous_end and lines[start - 2].startswith("#"):
            start -= 1
        joins = start == previous_end + 1
        previous_end = end
        if isinstance(node, ast.Expr | ast.Import | ast.ImportFrom):
            continue
        text = "\n".join(lines[start - 1 : end])
        yield _Definition(
            names=frozenset(bound_names(node)),
            source=text,
            uses=frozenset(global_names(text)),
            is_block=isinstance(node, ast.FunctionDef | ast.ClassDef),
            joins=joins,
        )


def bound_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement defines or imports.

    `node` is the syntax tree of the statement.
    """
    match node:
        case ast.FunctionDef() | ast.ClassDef():
            yield node.name
        case ast.Assign() | ast.AnnAssign():
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                for part in ast.walk(target):
                    if isinstance(part, ast.Name):
                        yield part.id
        case ast.Import():
            yield from (Import(alias.name).bound for alias in node.names)
        case ast.ImportFrom():
            yield from (alias.name for alias in node.names)


def global_names(source: str) -> set[str]:
    """Return the names that source code looks up as globals or built-ins."""

    def scopes(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
        yield table
        for child in table.get_children():
            yield from scopes(child)

    top = symtable.symtable(source, "<code>", "exec")
    return {
        symbol.get_name()
        for table in scopes(top)
        for symbol in table.get_symbols()
        if symbol.is_referenced() and (table is top or symbol.is_global())
    }


def imports_of(source: str) -> Iterator[Import]:
    """Yield the imports among the top-level statements of a source."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Import):
            yield from (Import(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (Import(node.module or "", alias.name) for alias in node.names)


def import_block(imports: Iterable[Import]) -> str:
    """Return import statements, grouped and sorted as isort and ruff do."""
    standard: set[Import] = set()
    third_party: set[Import] = set()
    for item in imports:
        is_standard = item.module.partition(".")[0] in sys.stdlib_module_names
        (standard if is_standard else third_party).add(item)
    groups = [group for group in (standard, third_party) if group]
    return "\n\n".join("\n".join(_import_statements(group)) for group in groups)


def _import_statements(imports: Iterable[Import]) -> Iterator[str]:
    """Yield import statements, sorted, with one statement for all names of a module."""
    names_by_module: dict[str, list[str]] = defaultdict(list)
    for item in sorted(imports):
        if item.name:
            names_by_module[item.module].append(item.name)
        else:
            yield f"import {item.module}"
    for module, names in names_by_module.items():
        names.sort(key=lambda name: (not name.isupper(), name[0].islower(), name))
        line = f"from {module} import {', '.join(names)}"
        if len(line) > LINE:
            name_lines = "".join(f"    {name},\n" for name in names)
            line = f"from {module} import (\n{name_lines})"
        yield line
