"""Run all steps (passes) of the compiler, from sample pages to a verified wrapper.

A pass is a function from the results of earlier passes to a new result.
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
    """All results of a compilation, including intermediate results."""

    sources: tuple[Source, ...]
    """The saved sample pages."""
    pages: tuple[Page, ...]
    """The parsed sample pages."""
    analyses: tuple[Analysis, ...]
    """The analyses of the sample pages.

    An analysis uses one domain, or one type of a domain that each record has once.
    """
    analysis: Analysis
    """The analysis in `analyses` that fits the sample pages best."""
    columns: TypedSamples
    """The columns on the pages, with the reasons for reading columns or leaving them
    out.
    """
    next_page: NextPageRule
    """The expression for the link to the next page."""
    wrapper: Wrapper
    """The wrapper, changed by a person's decisions about columns."""
    left_out: tuple[LeftOut, ...]
    """The F1 scores for each sample, read by a wrapper made from all other samples."""
    diagnostics: tuple[Diagnostic, ...]
    """The messages for the user."""


def compile_wrapper(
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options = DEFAULTS,
    watch: Watch = str,
) -> Compilation:
    """Return all results of making a wrapper from sample pages of one template.

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
    """Return all analyses of the sample pages, and the best one.

    An analysis uses one domain. Even the best analysis may have no records. Raise
    SelectionError if an option is invalid.
    """
    inputs = {"pages": pages, "domains": domains, "options": options}
    results = run_passes(ANALYSIS, inputs, watch)
    return results["analyses"], results["analysis"]


def run_passes(
    passes: Iterable[Pass], inputs: Mapping[str, Any], watch: Watch = str
) -> Mapping[str, Any]:
    """Run the steps of a compilation in order.

    Return the inputs and the results of all steps, by name. `watch` is called with the
    name of each step before it runs, and with "" at the end.
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
