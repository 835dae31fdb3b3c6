"""Plan and run an evaluation: make wrappers, and run them on pages with known records.

A wrapper is a set of rules for extracting records from pages.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from amber_wrap.child_processes import process_pool
from amber_wrap.codegen.build import build_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.domain.schema import AttributeType
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.errors import AmberError, GoldError
from amber_wrap.evaluation.gold import Corpus, GoldPage, scored_types
from amber_wrap.evaluation.score import Difference, Score, ScoredRow, score_page
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options

SELF, TRANSFER = "self", "transfer"
"""The modes of an evaluation: run a wrapper on its own page, or on others of its site.

A wrapper is a set of rules for extracting records, made from one page.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """The options of an evaluation."""

    mode: str = SELF
    """"self" to run rules on the page that they were made from, "transfer" to run them
    on the other pages of its site.
    """
    named: bool = True
    """Whether the domain (kind of records) of each page is given.

    If not, it is chosen among all domains.
    """
    strategy: str = "role"
    """The name of the method that finds records."""
    domain: str = ""
    """The name or folder of the only domain to be scored, "" for all domains."""


@dataclass(frozen=True, slots=True)
class EvaluationTask:
    """A sample page to make extraction rules from, and the pages to run them on."""

    sample: GoldPage
    """The page from which the rules are made."""
    targets: tuple[GoldPage, ...]
    """The pages on which the rules run."""
    domains: tuple[str, ...]
    """The names or folders of the domains (kinds of records) to choose from."""
    strategy: str
    """The name of the method that finds records."""


@dataclass(frozen=True, slots=True)
class Output:
    """The records that were extracted from a page.

    If the page couldn't be read, there are no records, and `failure` is the error
    message.
    """

    rows: tuple[ScoredRow, ...]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """The score of a page, and the differences between known and extracted records.

    `failure` is an error message, or "" for none.
    """

    page: GoldPage
    score: Score
    differences: tuple[Difference, ...]
    failure: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A planned evaluation, with its options and tasks."""

    setting: Setting
    """The options of the evaluation."""
    tasks: tuple[EvaluationTask, ...]
    """The pages to make extraction rules from, with the pages to run the rules on."""
    types: Mapping[str, tuple[AttributeType, ...]]
    """The attribute types whose values count in the score, by domain."""

    def run(self, jobs: int = 1) -> Iterator[Result]:
        """Make and run extraction rules, and yield the result of each page.

        The tasks run in `jobs` processes, but the results come in the order of the
        tasks.
        """
        for task, outputs in zip(self.tasks, _outputs(self.tasks, jobs), strict=True):
            for page, output in zip(task.targets, outputs, strict=True):
                types = self.types[page.domain]
                score, differences = score_page(page, output.rows, types)
                yield Result(page, score, differences, output.failure)

    @property
    def page_count(self) -> int:
        """The number of results that `run` yields."""
        return sum(len(task.targets) for task in self.tasks)


def plan_evaluation(corpus: Corpus, setting: Setting) -> Evaluation:
    """Return the evaluation of a corpus of pages with known records.

    Raise GoldError for an unknown domain or type, and also if there is no page to test
    on. Raise DomainError if a domain can't be loaded.
    """
    # The name or folder to load a domain from, by the domain's name.
    domain_sources = {name: name for name in built_in_domains()}
    if setting.domain:
        domain = loaded_domain(setting.domain).name
        domain_sources[domain] = setting.domain
        corpus = corpus.of_domain(domain)
    pages_by_domain: dict[str, list[GoldPage]] = defaultdict(list)
    for gold_page in corpus.pages:
        if gold_page.domain not in domain_sources:
            known = ", ".join(built_in_domains())
            raise GoldError(
                f"json/{gold_page.name}.json: there is no built-in domain "
                f"{gold_page.domain!r} (known domains: {known}): name its folder with "
                "--domain"
            )
        pages_by_domain[gold_page.domain].append(gold_page)
    tasks, all_domains = [], tuple(domain_sources.values())
    for sample, targets in samples_and_targets(corpus, setting.mode):
        domains = (domain_sources[sample.domain],) if setting.named else all_domains
        tasks.append(EvaluationTask(sample, targets, domains, setting.strategy))
    if not tasks:
        raise GoldError("no template has a second page to run its wrapper on")
    types_by_domain = {
        name: scored_types(loaded_domain(domain_sources[name]), pages)
        for name, pages in pages_by_domain.items()
    }
    return Evaluation(setting, tuple(tasks), types_by_domain)


def samples_and_targets(
    corpus: Corpus, mode: str
) -> Iterator[tuple[GoldPage, tuple[GoldPage, ...]]]:
    """Yield pairs of a page to make extraction rules from, and pages to test them on.

    In mode "transfer", sites with only one page or with several layouts are left out.
    """
    if mode == SELF:
        yield from ((gold_page, (gold_page,)) for gold_page in corpus.pages)
        return
    pages_by_site: dict[str, list[GoldPage]] = defaultdict(list)
    for gold_page in corpus.pages:
        if gold_page.site not in corpus.redesigns:
            pages_by_site[gold_page.site].append(gold_page)
    for sample, *target_pages in pages_by_site.values():
        if target_pages:
            yield sample, tuple(target_pages)


loaded_domain = lru_cache(load_domain)
"""Return the domain (kind of records) with a name or in a folder, read only once."""


def run_task(task: EvaluationTask) -> tuple[Output, ...]:
    """Return the records extracted from each of the task's pages.

    If the extraction rules can't be made or a page can't be read, an output has the
    error message in place of records.
    """
    try:
        source = read_saved_page(str(task.sample.path))
        domains = [loaded_domain(name) for name in task.domains]
        options = Options(strategy=task.strategy)
        wrapper = compile_wrapper([source], domains, options).wrapper
        # The generated file is built, too: the wrapper then follows the same readings.
        built = build_file(wrapper, [source.saved.body], "evaluate")
    except Exception as error:
        return tuple(Output((), failure_message(error)) for _ in task.targets)
    outputs = []
    for target in task.targets:
        try:
            page = parse(read_saved_page(str(target.path)).saved.body)
            rows = to_rows(built.stored.wrapper, page, raw=True)
            outputs.append(Output(tuple(rows)))
        except Exception as error:
            outputs.append(Output((), failure_message(error)))
    return tuple(outputs)


def failure_message(error: Exception) -> str:
    """Return the message of an error, with its type if it is an internal error."""
    if isinstance(error, AmberError):
        return str(error)
    return f"internal error ({type(error).__name__}: {error})"


def _outputs(
    tasks: Sequence[EvaluationTask], jobs: int
) -> Iterator[tuple[Output, ...]]:
    """Run tasks in `jobs` processes, and yield the outputs of each task in order.

    A task has one output for each of its pages.
    """
    if jobs == 1:
        yield from map(run_task, tasks)
        return
    with process_pool(min(jobs, len(tasks))) as pool:
        yield from pool.map(run_task, tasks)
