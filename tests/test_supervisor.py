"""Test the supervision of workers that pages kill, hang or exhaust."""

from __future__ import annotations

import sys
import time

import pytest
from gold_corpus import ROOT

from amber_wrap.files import read_wrapper
from amber_wrap.runtime import supervisor as module
from amber_wrap.runtime import worker_process
from amber_wrap.runtime.input_pages import BadInput, InputPage
from amber_wrap.runtime.page_reader import Job, PageReader, PageReading, tree_of
from amber_wrap.runtime.supervisor import Supervisor
from amber_wrap.runtime.worker_process import Failure, WorkerError

GOLDEN = ROOT / "tests" / "golden" / "forum-table"
WRAPPER = read_wrapper(str(GOLDEN / "wrapper.py"))
JOB = Job((("forum.py", WRAPPER),), raw=True)
PAGES = [path.read_bytes() for path in sorted(GOLDEN.glob("*.html"))]
SABOTAGE = """
import os, signal, sys, time
from amber_wrap.runtime import worker_process
read = worker_process.report_page
def read_page(router, page):
    if b"CRASH" in page.body:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"HANG" in page.body:
        time.sleep(60)
    if b"ONCE" in page.body and not os.path.exists({mark!r}):
        open({mark!r}, "w").close()
        os._exit(3)
    if b"GREEDY" in page.body:
        bytearray(2**33)
    return read(router, page)
worker_process.report_page = read_page
worker_process.main()
"""


@pytest.fixture
def sabotaged(monkeypatch, tmp_path):
    """Replace workers by ones that some pages kill, hang or exhaust."""
    code = SABOTAGE.format(mark=str(tmp_path / "mark"))
    monkeypatch.setattr(
        worker_process, "WORKER_COMMAND", (sys.executable, "-P", "-c", code)
    )


def page(number, body):
    return InputPage(f"page {number}", body)


def outcomes(bodies, jobs=1, deadline=20.0):
    """Return the outcomes of pages with these bodies, in order."""
    pages = [page(i, body) for i, body in enumerate(bodies)]
    all_outcomes = list(Supervisor(JOB, jobs, deadline).outcomes(pages))
    assert [item.id for item in all_outcomes] == [item.id for item in pages]
    return all_outcomes


def counts(page_outcomes):
    """Count the records of each page, or give the kind of its failure."""
    return [
        len(outcome.reading.rows)
        if isinstance(outcome.reading, PageReading)
        else outcome.reading.kind
        for outcome in page_outcomes
    ]


def expected(body):
    return len(PageReader(WRAPPER, raw=True).read(tree_of(InputPage("", body))).rows)


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_outcomes_come_in_the_order_of_the_pages(jobs):
    bodies = PAGES * 20
    assert counts(outcomes(bodies, jobs)) == list(map(expected, bodies))


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_poison_page_fails_without_harm_to_others(sabotaged, jobs):
    poison = {3: b"<p>CRASH", 7: b"<p>HANG", 11: b"<p>GREEDY", 12: b"<p>CRASH"}
    bodies = [poison.get(i, PAGES[0]) for i in range(40)]
    page_outcomes = outcomes(bodies, jobs, deadline=1.0)
    record_count = expected(PAGES[0])
    kinds = {3: "crash", 7: "timeout", 11: "memory", 12: "crash"}
    assert counts(page_outcomes) == [kinds.get(i, record_count) for i in range(40)]
    assert page_outcomes[3].reading == Failure(
        "extract", "crash", "the worker ended with SIGSEGV"
    )
    assert page_outcomes[7].reading == Failure(
        "extract", "timeout", "no result after 1 seconds"
    )
    assert page_outcomes[11].reading.message == (
        "the page needs more memory than a worker may use"
    )
    assert len(page_outcomes[3].sha256) == 64
    assert page_outcomes[4].sha256 == ""


def test_a_page_that_kills_a_worker_once_is_tried_again(sabotaged):
    page_outcomes = outcomes([PAGES[0], PAGES[0] + b"<!-- ONCE -->", PAGES[0]])
    assert counts(page_outcomes) == [expected(PAGES[0])] * 3


def test_a_page_of_many_attributes_is_stopped_at_the_deadline():
    bomb = b"<html><body " + b" ".join(b"a%d=1" % i for i in range(60_000)) + b">"
    started = time.monotonic()
    assert counts(outcomes([bomb, PAGES[0]], deadline=1.0)) == [
        "timeout",
        expected(PAGES[0]),
    ]
    assert time.monotonic() - started < 15


def test_a_page_of_many_elements_fails_at_the_memory_limit():
    job = Job(JOB.wrappers, memory=256)
    pages = [page(0, b"<p>" + b"<a>" * 6_000_000), page(1, PAGES[0])]
    assert counts(Supervisor(job).outcomes(pages)) == ["memory", expected(PAGES[0])]


def test_kept_workers_read_the_pages_of_the_next_run(sabotaged, monkeypatch):
    started = []
    start = module.start_worker

    def counting(job):
        started.append(job)
        return start(job)

    monkeypatch.setattr(module, "start_worker", counting)
    supervisor = Supervisor(JOB, keep=True)
    for _ in range(3):
        page_outcomes = list(
            supervisor.outcomes([page(0, PAGES[0]), page(1, PAGES[0])])
        )
        assert counts(page_outcomes) == [expected(PAGES[0])] * 2
    assert len(started) == 1
    page_outcomes = supervisor.outcomes([page(0, b"<p>CRASH"), page(1, PAGES[0])])
    assert counts(page_outcomes) == ["crash", expected(PAGES[0])]
    assert len(started) == 3


def test_input_that_is_no_page_fails_alone_with_a_message():
    page_outcomes = outcomes([b"", b"\x00\x01" * 99, PAGES[0]])
    assert counts(page_outcomes) == ["page", "page", expected(PAGES[0])]
    assert page_outcomes[0].reading == Failure(
        "parse", "page", "the page is empty: save it again"
    )


def test_an_unreadable_input_is_an_outcome_in_input_order():
    pages = [page(0, PAGES[0]), BadInput("b", "too-large", "more"), page(2, PAGES[0])]
    page_outcomes = list(Supervisor(JOB).outcomes(pages))
    assert [outcome.id for outcome in page_outcomes] == ["page 0", "b", "page 2"]
    assert page_outcomes[1].reading == Failure("input", "too-large", "more")


def test_an_error_of_the_inputs_is_raised_after_the_pages_before():
    def pages():
        yield page(0, PAGES[0])
        raise OSError("the disk is gone")

    page_outcomes = []
    with pytest.raises(OSError, match="the disk is gone"):
        page_outcomes.extend(Supervisor(JOB, 2).outcomes(pages()))
    run = Supervisor(JOB, 2).outcomes(pages())
    assert next(run).id == "page 0"
    with pytest.raises(OSError, match="the disk is gone"):
        next(run)


def test_only_few_pages_are_read_ahead():
    taken = 0

    def pages():
        nonlocal taken
        for number in range(5000):
            taken += 1
            yield page(number, b"<p>one</p>")

    run = Supervisor(JOB).outcomes(pages())
    next(run)
    time.sleep(0.3)
    assert taken <= module.WINDOW * module.BATCH_PAGES + module.BATCH_PAGES
    run.close()


def test_workers_that_cannot_start_are_reported(monkeypatch):
    command = (sys.executable, "-c", "raise SystemExit(9)")
    monkeypatch.setattr(worker_process, "WORKER_COMMAND", command)
    with pytest.raises(WorkerError, match=r"cannot start a worker: .* exit code 9"):
        list(Supervisor(JOB, 2).outcomes([page(0, PAGES[0])]))


def test_workers_that_hang_at_their_start_are_reported(monkeypatch):
    command = (sys.executable, "-c", "import time; time.sleep(60)")
    monkeypatch.setattr(worker_process, "WORKER_COMMAND", command)
    monkeypatch.setattr(worker_process, "START_SECONDS", 0.2)
    monkeypatch.setattr(worker_process, "MOST_STARTS", 2)
    with pytest.raises(WorkerError, match=r"cannot start .* no result after 0\.2 sec"):
        list(Supervisor(JOB, 1).outcomes([page(0, PAGES[0])]))


def test_modules_beside_the_pages_are_not_imported(monkeypatch, tmp_path):
    (tmp_path / "re.py").write_text("raise SystemExit(9)")
    monkeypatch.chdir(tmp_path)
    assert counts(outcomes([PAGES[0]])) == [expected(PAGES[0])]


STILLBORN = """
import os, signal, sys
from amber_wrap.runtime.worker_process import main
if not os.path.exists({mark!r}):
    open({mark!r}, "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
main()
"""


def test_a_worker_that_is_killed_at_its_start_is_started_again(monkeypatch, tmp_path):
    code = STILLBORN.format(mark=str(tmp_path / "mark"))
    command = (sys.executable, "-P", "-c", code)
    monkeypatch.setattr(worker_process, "WORKER_COMMAND", command)
    assert counts(outcomes([PAGES[0]])) == [expected(PAGES[0])]
    assert (tmp_path / "mark").exists()


def test_large_pages_in_memory_are_limited_by_size(monkeypatch):
    monkeypatch.setattr(module, "MAX_PAGE", 5 * 2**20)
    sizes, most = [], 0
    take, give_back = module._Run._take_memory, module._Run.release_memory

    def taking(self, size):
        nonlocal most
        take(self, size)
        sizes.append(size)
        most = max(most, self._memory_used)

    def giving_back(self, size):
        give_back(self, size)
        assert self._memory_used >= 0

    monkeypatch.setattr(module._Run, "_take_memory", taking)
    monkeypatch.setattr(module._Run, "release_memory", giving_back)
    large = PAGES[0] + b"<!--" + b"a" * (6 * 2**20) + b"-->"
    bodies = [large, PAGES[0], large, large, PAGES[0], large]
    assert counts(outcomes(bodies, jobs=2)) == [expected(PAGES[0])] * 6
    assert sum(sizes) == sum(map(len, bodies))
    assert most <= 8 * 2**20
