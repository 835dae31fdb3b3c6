"""Start a studio on a temporary folder, and open it in a tab of Chromium."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from pathlib import Path

import pytest

from amber_wrap.studio import background_jobs

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
import uvicorn

from amber_wrap.studio.api_calls import Studio
from amber_wrap.studio.http_server import application
from amber_wrap.studio.page_folder import Folder

GOLDEN = Path(__file__).parent / "golden" / "car-grid"
TOKEN = "t0ken"


class Desktop:
    """A studio on a folder, and a tab that shows it."""

    def __init__(self, browser, folder, width=1280):
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        self.port = listening.getsockname()[1]
        app = application(Studio(Folder.at(folder)), self.port, TOKEN)
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
        threading.Thread(
            target=self.server.run, args=([listening],), daemon=True
        ).start()
        while not self.server.started:
            time.sleep(0.02)
        self.context = browser.new_context(viewport={"width": width, "height": 900})
        self.page = self.context.new_page()
        self.page.set_default_timeout(90_000)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.goto(f"http://127.0.0.1:{self.port}/#{TOKEN}")
        self.ready()
        self.frame = self.page.frame_locator("#frame-0")

    def ready(self):
        self.page.wait_for_selector("#frame-0[data-ready=yes]")

    def said(self, words):
        """Wait until the studio shows this message."""
        try:
            self.page.locator("#message", has_text=words).wait_for()
        except Exception as error:
            shown = self.page.locator("#status").inner_text()
            raise AssertionError(f"{shown!r} is shown, not {words!r}") from error
        self.ready()

    def open(self, name):
        self.page.locator("#page-list button", has_text=name).click()
        self.said(f"{name}:")

    def induce(self):
        self.page.get_by_role("button", name="Find the records").click()
        self.said("to correct the wrapper")

    def choose(self, selector):
        choice = self.page.locator("#choice")
        turn = int(choice.get_attribute("data-turn") or 0)
        self.frame.locator(selector).first.click()
        self.page.wait_for_selector(f"#choice[data-turn='{turn + 1}']")

    def field(self, name):
        """Return a field, and open its details."""
        item = self.page.locator(f"#fields details[data-name={name}]")
        if item.get_attribute("open") is None:
            item.locator("summary").click()
        return item

    def names(self):
        return self.page.locator("#fields summary strong").all_inner_texts()

    def close(self):
        self.context.close()
        self.server.should_exit = True


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Make a folder with a wrapper once."""
    from amber_wrap.studio.undo_history import UndoHistory

    root = tmp_path_factory.mktemp("studio")
    for name in ("sample", "other-1"):
        shutil.copy(GOLDEN / f"{name}.html", root / f"{name}.html")
    folder = Folder.at(root)
    target = folder.new_wrapper("sample.html")
    page = root / "sample.html"
    outcome = background_jobs.induce_for_studio(
        lambda *_: None, root, page, target, "used-cars", "", []
    )
    UndoHistory().keep(target.with_suffix(".toml"), "", outcome, "new")
    return root


@pytest.fixture
def folder(tmp_path, made):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def desk(browser, folder):
    desktop = Desktop(browser, folder)
    desktop.open("sample.html")
    yield desktop
    assert desktop.wrong == []
    desktop.close()


def spec(folder, name="sample"):
    return (folder / "wrappers" / f"{name}.toml").read_text("utf-8")


def is_built(run, folder, monkeypatch):
    """Return whether `build` makes the same files of the spec that a session left."""
    monkeypatch.chdir(folder)
    code, _, err = run("build", "--check")
    return code == 0 and "matches its spec" in err
