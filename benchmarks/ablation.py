"""Count the errors that each single function of the analysis prevents.

    python benchmarks/ablation.py [--only TEXT] [--stop N] [-j N]

First, wrappers (extraction rules) are made from pages with known records, to find the
pages on which a function has an effect (`watch`). From these pages, wrappers are made
again, while the function returns a constant or one of its arguments. The table has the
number of additional errors in each corpus of pages.

Errors in the corpus `gold` are values that are missing or wrong. In `rows` and `courts`
they are records that are missing or wrong, and cells that no value equals. In `use`
they are columns that are missing, superfluous, or have a wrong name or type. The models
aren't fitted again, so the functions for their features are left out.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import rows
import use
from commands import command_line
from corpus import corpus_folder, gold_folder, jobs_of, needed
from processes import progress
from rows import score
from tables import table
from truths import GOLD, round_of

from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.score import score_page
from amber_wrap.evaluation.tasks import Setting, run_task

PACKAGES = ("analysis", "annotate", "columns", "generalise", "selectors")
"""The package's folders whose functions are switched off one by one."""
LEFT_OUT = ("analysis.features", "analysis.pagination", "generalise.next_page_rule")
"""The modules whose functions aren't switched off.

They compute the features of models, and search for the next page.
"""
NOTHING = {
    "bool": ("False", "True"),
    "float": ("0.0", "1.0"),
    "int": ("0",),
    "str": ('""',),
    "Iterator": ("iter(())",),
    "list": ("[]",),
    "set": ("set()",),
    "frozenset": ("frozenset()",),
    "Mapping": ("{}",),
    "dict": ("{}",),
    **dict.fromkeys(("Iterable", "Sequence", "Collection", "tuple"), ("()",)),
}
"""The constants that a switched-off function may return, by the type of its result."""


class Step(NamedTuple):
    """A function of the package that can be switched off.

    `instead` is a Python expression for the result that the function then returns.
    """

    function: FunctionType
    instead: str

    def __str__(self) -> str:
        module = self.function.__module__.removeprefix("amber_wrap.")
        return f"{module}.{self.function.__name__} = {self.instead}"

    def without(self) -> FunctionType:
        """Return a function that has the same parameters, but returns the value of
        `instead`.
        """
        empty = {
            "annotation": inspect.Parameter.empty,
            "default": inspect.Parameter.empty,
        }
        parameters = inspect.signature(self.function).parameters.values()
        signature = inspect.Signature([one.replace(**empty) for one in parameters])
        code = code_of(f"def step{signature}: return {self.instead}")
        return like(self.function, code)

    def switch_off(self) -> None:
        """Switch the function off in this process, in every module that imports it."""
        self.function.__code__ = self.without().__code__


def steps() -> Iterator[Step]:
    """Yield each function of the package with each expression that may replace its
    result.

    Functions that use variables of an enclosing function are left out.
    """
    for package in PACKAGES:
        folder = importlib.import_module(f"amber_wrap.{package}")
        for module in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
            if any(part in module.name for part in LEFT_OUT):
                continue
            for member in vars(importlib.import_module(module.name)).values():
                function = inspect.unwrap(member) if callable(member) else None
                if (
                    isinstance(function, FunctionType)
                    and function.__module__ == module.name
                    and not function.__closure__
                    and function.__name__.isidentifier()
                ):
                    yield from map(partial(Step, function), results(function))


def results(function: FunctionType) -> Sequence[str]:
    """Return the expressions that may replace the result of a function.

    An expression is the name of a parameter with the type of the result, or a constant
    such as "None". There may be no such expression.
    """
    annotations = dict(function.__annotations__)
    result = annotations.pop("return", "")
    same_type = [name for name, kind in annotations.items() if kind == result]
    if same_type and result not in ("bool", "int", "float"):
        return same_type[:1]
    if result.endswith("| None"):
        return ["None"]
    return NOTHING.get(result.partition("[")[0], ())


def watch(watched_steps: Sequence[Step], effective: set[Step]) -> None:
    """Make functions record the steps that would change their results.

    A step is a function with an expression that may replace its result. The steps with
    an effect are added to `effective`.
    """
    by_function: dict[FunctionType, dict[Step, FunctionType]] = defaultdict(dict)
    for step in watched_steps:
        by_function[step.function][step] = step.without()
    for function, own_steps in by_function.items():
        _watch_function(function, own_steps, effective)


def _watch_function(
    function: FunctionType, own_steps: dict[Step, FunctionType], effective: set[Step]
) -> None:
    """Make a function add those of its steps to `effective` that would change its
    results.

    `own_steps` has the steps, each with a function that returns the replaced result.
    """
    original = like(function, function.__code__)

    def watched(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        is_lazy = hasattr(result, "__next__")
        result = list(result) if is_lazy else result
        for step, without in own_steps.items():
            if step not in effective and differ(result, without(*args, **kwargs)):
                effective.add(step)
        return iter(result) if is_lazy else result

    name = f"_watched_{function.__name__}"
    function.__globals__[name] = watched
    function.__code__ = code_of(
        f"def step(*args, **kwargs): return {name}(*args, **kwargs)"
    )
    function.__defaults__ = function.__kwdefaults__ = None


def like(function: FunctionType, code: CodeType) -> FunctionType:
    """Return a function that runs `code`, with the name, globals and defaults of
    `function`.
    """
    name, defaults = function.__name__, function.__defaults__
    copied = FunctionType(code, function.__globals__, name, defaults)
    copied.__kwdefaults__ = function.__kwdefaults__
    return copied


def differ(result: Any, other_result: Any) -> bool:
    """Return whether two results differ.

    Two empty collections count as equal, whatever their types.
    """
    if hasattr(other_result, "__next__"):
        other_result = list(other_result)
    if hasattr(result, "__len__") and hasattr(other_result, "__len__"):
        return bool((len(result) or len(other_result)) and result != other_result)
    return bool(result != other_result)


def code_of(source: str) -> CodeType:
    """Return the code of the function `step` that a Python source defines."""
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    return namespace["step"].__code__


COLUMNS = ("gold first", "gold second", "rows first", "rows second", "courts", "use")
"""The columns of the table with numbers of additional errors, by corpus of pages.

Two corpora have two columns each: for sites that were added first, and for later ones.
"""
RIGHT = [*"exact usable clean right named kept".split(), "number typed", "date typed"]
"""The names of counts that grow with the quality of the table made from a page."""


class Sample(NamedTuple):
    """A page to make a wrapper (extraction rules) from.

    It has the table's column for errors on the page, and a function that counts these
    errors.
    """

    column: str
    errors: Callable[[], int]


PAGES: list[Sample] = []
"""All pages to make wrappers (extraction rules) from.

They are a global variable, so that forked worker processes have them.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure how many errors each function of the analysis prevents, and print the
    table.

    Return the exit code 0.
    """
    parser = command_line(__doc__, "-j", stop=100)
    parser.add_argument("--only", default="", help="only steps with this in the name")
    options = parser.parse_args(arguments)
    needed(gold_folder())
    PAGES.extend(pages())
    names = [str(step) for step in steps() if options.only in str(step)]
    # Each job has its own process, because switched-off functions stay so.
    with get_context("fork").Pool(options.j, maxtasksperchild=1) as pool:
        answers = pool.imap(partial(traced, only=options.only), range(len(PAGES)))
        errors, effects = zip(*progress(answers, "pages", len(PAGES)), strict=True)
        pages_of_step = {
            name: [page for page, effective in enumerate(effects) if name in effective]
            for name in names
        }
        count_errors = partial(ablated, errors, options.stop)
        answers = pool.imap(count_errors, pages_of_step.items())
        counts = list(progress(answers, "steps", len(names)))
    counted = zip(pages_of_step.items(), counts, strict=True)
    rows = [
        (f"`{name}`", str(len(pages)), *(f"{count[column]:+}" for column in COLUMNS))
        for (name, pages), count in sorted(counted, key=lambda row: -row[1].total())
    ]
    print(table(("step", "pages", *COLUMNS), rows), end="")
    return 0


def traced(page_number: int, only: str) -> tuple[int, set[str]]:
    """Return the number of errors on a page, and the functions that have an effect on
    it.

    `page_number` is an index of `PAGES`. The functions are names of steps, such as
    "analysis.links.f = None". Only steps with `only` in the name are tried.
    """
    effective: set[Step] = set()
    watch([step for step in steps() if only in str(step)], effective)
    return PAGES[page_number].errors(), set(map(str, effective))


def ablated(
    errors: Sequence[int], stop: int, job: tuple[str, Sequence[int]]
) -> Counter[str]:
    """Return how many errors are added if a step is switched off, by column of the
    table.

    `job` is the name of the step, and the indices of the pages to try. `errors` has the
    number of errors of each page before. The search ends when `stop` errors are added.
    """
    name, page_numbers = job
    next(step for step in steps() if str(step) == name).switch_off()
    additional = Counter[str]()
    for page_number in random.Random(0).sample(page_numbers, len(page_numbers)):
        page = PAGES[page_number]
        if additional.total() < stop:
            additional[page.column] += page.errors() - errors[page_number]
    return additional


def pages() -> Iterator[Sample]:
    """Yield all pages of the corpora to make wrappers (extraction rules) from."""
    folder = corpus_folder()
    corpus = read_corpus(folder / "gold")
    for is_named in (True, False):
        for task, types in jobs_of(corpus, Setting(named=is_named)):
            column = f"gold {round_of(GOLD, task.sample.site)}"
            yield Sample(column, partial(gold_errors, task, types))
    for name in (rows.ROWS, rows.COURTS):
        for site in rows.read(folder / name):
            group = f" {round_of(name, site[0].site)}" if name == rows.ROWS else ""
            yield Sample(f"{name}{group}", partial(row_errors, site))
    for use_pages in use.samples_of(folder / "use"):
        yield Sample("use", partial(use_errors, folder / "use", use_pages))


def gold_errors(task: Any, types: Any) -> int:
    """Return the number of values that are missing or wrong, on the pages of a task.

    `types` are the attribute types that count.
    """
    outputs = zip(task.targets, run_task(task), strict=True)
    scores = (score_page(page, output.rows, types)[0] for page, output in outputs)
    counts = [score.attributes for score in scores]
    return sum(count.given + count.gold - 2 * count.right for count in counts)


def row_errors(site: rows.Site) -> int:
    """Return a number that grows with the errors in the records of a site.

    Each missing or wrong record adds one. Each cell that equals a value subtracts one.
    """
    pairs = zip(site, rows.outputs_of(site), strict=True)
    counts = [score(page.rows, output.rows)[0] for page, output in pairs]
    return sum(
        count["given"] + count["gold"] - 2 * count["right"] - count["exact"]
        for count in counts
    )


def use_errors(folder: Path, pages: use.Pages) -> int:
    """Return a number that grows with the errors in the table made from a page.

    Each superfluous column adds one. Each right result (`RIGHT`) subtracts one.
    """
    counts = use.counted(folder, pages)
    return counts["left"] - sum(counts[figure] for figure in RIGHT)


if __name__ == "__main__":
    sys.exit(main())
