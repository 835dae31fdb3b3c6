"""Test that processes end with their driver, however the driver dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from gold_corpus import ROOT

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="looks for processes in /proc"
)
FORUM = ROOT / "tests" / "golden" / "forum-table"
MARK = "AMBER_LIFELINE"
"""A variable of the environment that marks the processes of a test."""
BUSY = b"<html><body " + b" ".join(b"a%d=1" % i for i in range(250_000)) + b">"
"""A page that the parser takes minutes for."""
POOL = r"""
import os, re
from amber_wrap.child_processes import process_pool
def work(number):
    os.write(1, b"%d\n" % number)
    if number:
        re.fullmatch("(a*)*b", "a" * 40)  # Nothing of Python's runs meanwhile.
if __name__ == "__main__":
    with process_pool(3) as pool:
        list(pool.map(work, [0, 1, 2]))
"""
JOB = r"""
import os, re, time
from amber_wrap.studio.background_jobs import Jobs
def work(tell):
    os.write(1, b"at work\n")
    re.fullmatch("(a*)*b", "a" * 40)
if __name__ == "__main__":
    Jobs().start(work)
    time.sleep(600)
"""


def started(*words: str, mark: str) -> subprocess.Popen[str]:
    """Start Python as a process with a group of its own."""
    return subprocess.Popen(
        [sys.executable, *words],
        env=os.environ | {MARK: mark},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=heed_interrupts,
    )


def heed_interrupts() -> None:
    """Heed the signals that shells and `nohup` make background processes ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def marked(mark: str) -> set[int]:
    """Return the processes that a process has started, without zombies."""
    processes = set()
    for folder in Path("/proc").iterdir():
        try:
            if folder.name.isdigit() and f"{MARK}={mark}\0".encode() in (
                (folder / "environ").read_bytes()
            ):
                processes.add(int(folder.name))
        except OSError:
            continue
    return processes


def wait_for(condition, seconds: float = 30.0) -> bool:
    """Return whether a condition comes true in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture
def mark(tmp_path):
    """Return a name for the processes of a test, which are all killed in the end."""
    yield str(tmp_path)
    for process in marked(str(tmp_path)):
        os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGKILL", "SIGINT"])
def test_no_worker_outlives_its_driver(tmp_path, mark, number):
    pages = tmp_path / "pages"
    pages.mkdir()
    for i in range(4):  # More than one worker gets at once.
        (pages / f"{i}.html").write_bytes(BUSY)
    output = tmp_path / "out.jsonl"
    words = ("apply", str(FORUM / "wrapper.py"), str(pages), "-o", str(output))
    code = "from amber_wrap.cli import main; main()"
    driver = started("-c", code, *words, "-j", "2", "--deadline", "600", mark=mark)
    assert wait_for(lambda: len(marked(mark)) == 3)
    time.sleep(1.0)  # The workers are parsing by now, or still starting.
    driver.send_signal(getattr(signal, number))
    _, err = driver.communicate(timeout=30)
    assert wait_for(lambda: not marked(mark), 10)
    value = getattr(signal, number).value
    if number == "SIGKILL":
        assert driver.returncode == -value
        return
    assert driver.returncode == 128 + value
    assert (
        err == f"amber-wrap: stopped by {number}: use --resume to continue {output}\n"
    )
    assert (tmp_path / "out.jsonl.journal").exists()
    assert not (tmp_path / "out.jsonl.lock").exists()


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_process_of_a_pool_outlives_its_driver(tmp_path, mark, number):
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    driver = started(str(script), mark=mark)
    assert driver.stdout
    assert {driver.stdout.readline() for _ in range(3)} == {"0\n", "1\n", "2\n"}
    assert len(marked(mark)) == 4
    driver.send_signal(getattr(signal, number))
    driver.wait(timeout=10)
    assert wait_for(lambda: not marked(mark), 10)


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_job_of_the_studio_outlives_its_server(tmp_path, mark, number):
    script = tmp_path / "job.py"
    script.write_text(JOB)
    driver = started(str(script), mark=mark)
    assert driver.stdout
    assert driver.stdout.readline() == "at work\n"
    driver.send_signal(getattr(signal, number))
    driver.wait(timeout=10)
    assert wait_for(lambda: not marked(mark), 10)


def test_a_killed_process_of_a_pool_is_reported_with_a_message(tmp_path, mark):
    script = tmp_path / "pool.py"
    script.write_text(POOL)
    driver = started(str(script), mark=mark)
    assert driver.stdout
    assert {driver.stdout.readline() for _ in range(3)} == {"0\n", "1\n", "2\n"}
    os.kill(max(marked(mark) - {driver.pid}), signal.SIGKILL)
    _, err = driver.communicate(timeout=30)
    assert "AmberError: a worker process was killed" in err


def test_a_signal_that_is_ignored_at_the_start_stays_ignored(tmp_path, mark):
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "0.html").write_bytes((FORUM / "sample.html").read_bytes())
    (pages / "1.html").write_bytes(BUSY)
    code = (
        "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        "from amber_wrap.cli import main; main()"
    )
    output = str(tmp_path / "out.jsonl")
    words = ("apply", str(FORUM / "wrapper.py"), str(pages), "-o", output)
    driver = started("-c", code, *words, "--deadline", "1", mark=mark)
    assert wait_for((tmp_path / "out.jsonl").exists)
    driver.send_signal(signal.SIGHUP)
    _, err = driver.communicate(timeout=60)
    assert driver.returncode == 1
    assert "errors    1 pages: timeout 1" in err
