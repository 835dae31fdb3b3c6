"""Run all steps of the compiler, from sample pages to a verified wrapper.

A step is called a pass. It is a function from the results of earlier passes to a new
result. A wrapper is a set of rules for extracting records from pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from typing import Any, Final

from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import Diagnostic
from amber_wrap.generalise.next_page_rule import NextPageRule
from amber_wrap.generalise.several_samples import LeftOut
from amber_wrap.passes.analysis import (
    Analysis,
    add_similar_lists,
    align_lists,
    annotate_samples,
    best_analysis,
    find_examples,
    identify_lists,
    parse_samples,
    select_lists,
)
from amber_wrap.passes.generalisation import (
    TypedSamples,
    apply_decisions,
    check_presence,
    collect_findings,
    draft_wrapper,
    find_next_page,
    make_contract,
    score_left_out_samples,
    type_columns,
)
from amber_wrap.settings import DEFAULTS, Options, Source
from amber_wrap.wrapper.ir import Wrapper

Pass = tuple[str, Callable[..., Any]]
"""A pass (step of the compiler): the name of its result, and its function.

The parameters of the function have the names of the results that the pass needs.
"""
Watch = Callable[[str], object]
"""A function that is called when a step of the compiler begins, with the name of the
step's result, and at the end of all steps, with "".
"""

ANALYSIS: Final[tuple[Pass, ...]] = (
    ("annotations", annotate_samples),
    ("example_nodes", find_examples),
    ("candidates", identify_lists),
    ("choices", select_lists),
    ("analyses", align_lists),
    ("best", best_analysis),
    ("analysis", add_similar_lists),
)
"""The passes (steps) that find the lists, records and values of the sample pages."""
GENERALISATION: Final[tuple[Pass, ...]] = (
    ("presence", check_presence),
    ("columns", type_columns),
    ("draft", draft_wrapper),
    ("next_page", find_next_page),
    ("induced_wrapper", make_contract),
    ("wrapper", apply_decisions),
    ("left_out", score_left_out_samples),
    ("diagnostics", collect_findings),
)
"""The passes (steps) that make a wrapper from the lists and values which were found.

A wrapper has the rules for reading one site's pages.
"""


@dataclass(frozen=True, slots=True)
class Compilation:
    """All results of a compilation, including intermediate results.

    `sources` are the saved sample pages, and `pages` are the parsed sample pages. An
    analysis has the lists and values that were found on the pages. `analyses` has one
    analysis for each domain (kind of records) and pivot (a type that each record has
    once). `analysis` is the best analysis. `columns` has the columns that were found on
    the sample pages, and says why each column is read or left out. `next_page` has the
    expression for the link to the next page. `wrapper` is the induced wrapper, changed
    by a person's decisions about columns.

    `left_out` has F1 scores for each sample, read by a wrapper that was induced from
    all other samples. `diagnostics` are messages for the user.
    """

    sources: tuple[Source, ...]
    pages: tuple[Page, ...]
    analyses: tuple[Analysis, ...]
    analysis: Analysis
    columns: TypedSamples
    next_page: NextPageRule
    wrapper: Wrapper
    left_out: tuple[LeftOut, ...]
    diagnostics: tuple[Diagnostic, ...]


def compile_wrapper(
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options = DEFAULTS,
    watch: Watch = str,
) -> Compilation:
    """Induce (make) a wrapper from sample pages of one template, and return all
    results.

    `watch` is called with the name of each pass (step) before the pass runs.

    Raise these errors:

    - PageError if a sample is no HTML page,
    - SelectionError if an option, or a person's decision about a wrapper, is invalid,
    - NothingFoundError if no list is found,
    - WrapperError if a pattern of the domain is invalid or may take exponential time.
    """
    watch("pages")
    pages = parse_samples(sources, options)
    inputs = {
        "sources": tuple(sources),
        "pages": pages,
        "domains": domains,
        "options": options,
    }
    results = run_passes((*ANALYSIS, *GENERALISATION), inputs, watch)
    fields = Compilation.__dataclass_fields__
    return Compilation(**{name: results[name] for name in fields})


def analyse_samples(
    pages: Sequence[Page],
    domains: Sequence[Domain],
    options: Options,
    watch: Watch = str,
) -> tuple[tuple[Analysis, ...], Analysis]:
    """Return all analyses of the sample pages, and the best analysis.

    An analysis has the lists and values that were found on the pages. There is one
    analysis for each domain (kind of records) and pivot type, a type of values that
    each record should have once. `watch` is called with the name of each pass (step)
    before the pass runs. If no list is found, the best analysis has no records. Raise
    SelectionError if an option is invalid.
    """
    inputs = {"pages": pages, "domains": domains, "options": options}
    results = run_passes(ANALYSIS, inputs, watch)
    return results["analyses"], results["analysis"]


def run_passes(
    passes: Iterable[Pass], inputs: Mapping[str, Any], watch: Watch = str
) -> Mapping[str, Any]:
    """Run passes one after the other, and return the inputs and all results by name.

    A pass is a name and a function. The names of the function's parameters are names of
    inputs, or names of earlier passes. `watch` is called with the name of each pass
    before the pass runs, and with "" at the end.
    """
    results = dict(inputs)
    for name, function in passes:
        watch(name)
        arguments = {
            parameter: results[parameter]
            for parameter in signature(function).parameters
        }
        results[name] = function(**arguments)
    watch("")
    return results
