"""The studio in Chromium: each thing that a person does, by mouse and by keyboard."""

from __future__ import annotations

import os
import re
import shutil
import socket
import threading
import time
from pathlib import Path

import pytest
from test_cli import run  # noqa: F401
from test_report_view import Canary, browser, canary, hostile  # noqa: F401

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
import uvicorn

from amber_wrap.studio.api_calls import Studio
from amber_wrap.studio.app import application
from amber_wrap.studio.page_folder import Folder

GOLDEN = Path(__file__).parent / "golden" / "car-grid"
TOKEN = "t0ken"
pytestmark = pytest.mark.slow


class Desktop:
    """A studio on a folder, in a tab of its own."""

    def __init__(self, browser, folder, width=1280):  # noqa: F811
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
        """Wait until the studio says so."""
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
        """A field with its details open."""
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
    """A folder with a wrapper, made once."""
    from amber_wrap.studio import slow_tasks
    from amber_wrap.studio.undo_history import UndoHistory

    root = tmp_path_factory.mktemp("studio")
    for name in ("sample", "other-1"):
        shutil.copy(GOLDEN / f"{name}.html", root / f"{name}.html")
    folder = Folder.at(root)
    target = folder.new_wrapper("sample.html")
    page = root / "sample.html"
    outcome = slow_tasks.induce_for_studio(
        lambda *_: None, root, page, target, "used-cars", "", []
    )
    UndoHistory().keep(target.with_suffix(".toml"), "", outcome, "new")
    return root


@pytest.fixture
def folder(tmp_path, made):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def desk(browser, folder):  # noqa: F811
    found = Desktop(browser, folder)
    found.open("sample.html")
    yield found
    assert found.wrong == []
    found.close()


def spec(folder, name="sample"):
    return (folder / "wrappers" / f"{name}.toml").read_text("utf-8")


def is_built(run, folder, monkeypatch):  # noqa: F811
    """Whether `build` makes the same of the spec that a session left."""
    monkeypatch.chdir(folder)
    code, _, err = run("build", "--check")
    return code == 0 and "matches its spec" in err


def test_a_newcomer_gets_from_a_page_to_a_corrected_wrapper(
    browser,  # noqa: F811
    tmp_path,
    run,  # noqa: F811
    monkeypatch,
):
    shutil.copy(GOLDEN / "sample.html", tmp_path / "cars.html")
    desk = Desktop(browser, tmp_path)
    assert desk.page.url == f"http://127.0.0.1:{desk.port}/"
    desk.induce()
    assert desk.frame.locator("[data-amber-record]").count() == 14
    desk.choose("span.now")
    assert desk.frame.locator("[data-amber-yellow]").count() == 14
    desk.page.get_by_label("This is").fill("asking")
    desk.page.get_by_role("button", name="Accept").click()
    desk.said("Saved in the spec: rename price asking")
    assert 'asking = "price"' in spec(tmp_path, "cars")
    assert "asking" in desk.names()
    assert is_built(run, tmp_path, monkeypatch)
    assert desk.wrong == []
    desk.close()


def test_pages_have_scores_and_marks_that_tell(desk):
    page = desk.page
    current = page.locator("[aria-current=page]").inner_text()
    assert re.sub(r"\s+", " ", current) == "sample.html 14 · OK"
    desk.frame.locator("span.now").first.hover()
    description = page.locator("#description")
    description.get_by_text("price: 7495").wait_for()
    assert "14 of 14 have a value" in description.inner_text()
    first = desk.frame.locator("span.now").first
    shown = "one => getComputedStyle(one).outlineStyle"
    assert first.evaluate(shown) != "none"
    page.mouse.move(2, 2)
    desk.field("price").get_by_label("Show").uncheck()
    assert desk.frame.locator("span.now[data-amber-field]").count() == 0
    page.get_by_role("tab", name="Records").click()
    assert page.locator("#table tbody tr").count() == 14
    page.get_by_role("tab", name="Code").press("Enter")
    assert "def extract(" in page.locator("#code").inner_text()


def test_fields_are_renamed_moved_dropped_and_that_is_undone(
    desk,
    folder,
    run,  # noqa: F811
    monkeypatch,
):
    before = spec(folder)
    names = desk.names()
    item = desk.field("price")
    item.get_by_label("Name").fill("asking")
    item.get_by_role("button", name="Rename").click()
    desk.said("Saved in the spec: rename price asking")
    desk.field("asking").get_by_role("button", name="Move asking down").click()
    desk.said("Saved in the spec: order")
    desk.field("year").get_by_role("button", name="Drop year").click()
    desk.said("Saved in the spec: drop year")
    wanted = [names[1], "asking", *names[2:]]
    wanted.remove("year")
    assert desk.names() == wanted
    desk.field("doors").get_by_label("Kind").select_option("text")
    desk.said("Saved in the spec: kind doors text")
    desk.field("asking").get_by_label("Each record").select_option("true")
    desk.said("Saved in the spec: require asking")
    assert 'doors = {kind = "text"}' in spec(folder)
    assert is_built(run, folder, monkeypatch)
    for step in ("require asking", "kind doors", "drop year", "order", "rename price"):
        desk.page.get_by_role("button", name="Undo").click()
        desk.said(f"Undone: {step}")
    assert desk.page.get_by_role("button", name="Undo").is_disabled()
    assert spec(folder) == before
    for step in ("rename price", "order", "drop year"):
        desk.page.get_by_role("button", name="Redo").click()
        desk.said(f"Redone: {step}")
    assert desk.names() == wanted
    assert is_built(run, folder, monkeypatch)
    desk.field("doors").get_by_label("Kind").select_option("text")
    desk.said("Saved in the spec: kind doors text")
    assert desk.page.get_by_role("button", name="Redo").is_disabled()


def test_an_expression_is_edited_and_its_matches_shown_on_all_samples(desk, folder):
    item = desk.field("title")
    item.get_by_label("Expression").fill(".//span[@class~='now']")
    item.get_by_role("button", name="Show matches").click()
    line = item.get_by_text("sample.html: 14 of 14 records")
    line.wait_for()
    assert "£7,495" in line.inner_text()
    assert desk.frame.locator("span.now[data-amber-yellow]").count() == 14
    item.get_by_label("Expression").fill("//[")
    item.get_by_role("button", name="Show matches").click()
    desk.said("not an XPath 1.0 expression")
    assert desk.page.locator("#message.bad").count() == 1
    item.get_by_label("Expression").fill(".//h3")
    item.get_by_role("button", name="Use expression").click()
    desk.said("Saved in the spec: expression title")
    assert 'title = {xpath = ".//h3"}' in spec(folder)


def test_a_step_is_tried_and_discarded_or_kept(desk, folder):
    before = spec(folder)
    desk.choose("h3")
    desk.page.get_by_label("This is").fill("headline")
    desk.page.get_by_label("by an expression").check()
    desk.page.get_by_role("button", name="Try first").click()
    desk.said("Tried: nothing is saved yet")
    outcome = desk.page.locator("#outcome").inner_text()
    assert "Records: 14 before, 14 after; changed values: headline in 14" in outcome
    assert desk.frame.locator("h3 [data-amber-yellow], h3[data-amber-yellow]").count()
    desk.page.get_by_role("button", name="Discard").click()
    desk.said("Discarded")
    assert spec(folder) == before
    desk.choose("h3")
    desk.page.get_by_label("This is").fill("headline")
    desk.page.get_by_label("by an expression").check()
    desk.page.get_by_role("button", name="Try first").click()
    desk.said("Tried: nothing is saved yet")
    desk.page.get_by_role("button", name="Keep", exact=True).click()
    desk.said("Saved in the spec: expression headline")
    assert "headline = {xpath" in spec(folder)


def test_a_list_is_pointed_at(desk, folder):
    desk.choose("span.now")
    wider = desk.page.get_by_role("button", name="Wider")
    while desk.frame.locator("[data-amber-chosen][data-amber-area]").count() == 0:
        before = desk.page.locator("#message").inner_text()
        wider.click()
        desk.page.locator("#message").filter(has_not_text=before).wait_for()
    desk.page.get_by_role("button", name="This is the list").click()
    desk.said("Tried: nothing is saved yet")
    desk.page.get_by_role("button", name="Keep", exact=True).click()
    desk.said("Saved in the spec: within")
    assert "\nwithin = " in spec(folder)


def test_what_is_no_record_is_left_out(
    browser,  # noqa: F811
    tmp_path,
    run,  # noqa: F811
    monkeypatch,
):
    parts = (GOLDEN / "sample.html").read_bytes().split(b'class="now"')
    before, after = (b'class="now"'.join(one) for one in (parts[:3], parts[3:]))
    body = before + b'class="now paid-for"' + after
    (tmp_path / "sample.html").write_bytes(body)
    desk = Desktop(browser, tmp_path)
    desk.induce()
    desk.choose("span.paid-for")
    desk.page.get_by_role("button", name="Not a record").click()
    desk.said("Tried: nothing is saved yet")
    assert "Records: 14 before, 13 after" in desk.page.locator("#outcome").inner_text()
    assert desk.frame.locator("[data-amber-gone]").count() == 1
    assert desk.frame.locator("[data-amber-gone] span.paid-for").count() == 1
    desk.page.get_by_role("button", name="Keep", exact=True).click()
    desk.said("Saved in the spec: records. 13 records.")
    assert '[not(.//*[@class~="paid-for"])]' in spec(tmp_path)
    assert is_built(run, tmp_path, monkeypatch)
    desk.choose("span.now")
    desk.page.get_by_role("button", name="Not a record").click()
    desk.said("no class distinguishes this record from most others")
    desk.close()


def test_another_page_becomes_a_sample(desk, folder):
    make = desk.page.get_by_role("button", name="Add as a sample")
    assert make.is_hidden()
    desk.open("other-1.html")
    make.click()
    desk.said("Saved in the spec: sample")
    assert make.is_hidden()
    assert 'samples = ["../sample.html", "../other-1.html"]' in spec(folder)


def test_a_link_leads_to_the_next_page(desk, folder):
    desk.choose("a[rel=next]")
    desk.page.get_by_role("button", name="This leads to the next page").click()
    desk.said("Saved in the spec: next_page")
    assert "next_page = " in spec(folder)


def test_the_spec_itself_is_edited_and_its_errors_shown(desk, folder):
    page = desk.page
    page.get_by_role("tab", name="Spec").click()
    before = spec(folder)
    text = page.get_by_label("The spec of the wrapper")
    assert text.input_value() == before
    text.fill(before + "price = 3\n")
    page.get_by_role("button", name="Build from this spec").click()
    desk.said("this is not TOML")
    assert spec(folder) == before
    text.fill(before + 'broker = { constant = "Vale Cars" }\n')
    page.get_by_role("button", name="Build from this spec").click()
    desk.said("Saved in the spec: text")
    assert "broker" in desk.page.locator("#fields").text_content()


def test_all_pages_are_checked_and_two_stand_side_by_side(desk):
    page = desk.page
    page.get_by_role("button", name="Check all pages").click()
    desk.said("2 pages checked: all like the samples.")
    scores = page.locator(".score").all_inner_texts()
    assert scores == ["13 · OK", "14 · OK"]
    assert page.locator("#drift tbody tr").count() == 2
    page.get_by_label("Compare with").select_option("other-1.html")
    page.wait_for_selector("#frame-1[data-ready=yes]")
    beside = page.frame_locator("#frame-1")
    beside.locator("[data-amber-record]").first.wait_for()
    assert beside.locator("[data-amber-record]").count() == 13
    page.locator("#drift button", has_text="other-1.html").click()
    desk.said("other-1.html: 13 records")


def test_the_passes_are_stepped_through_on_the_page(desk):
    page, frame = desk.page, desk.frame
    page.get_by_role("tab", name="Passes").click()
    page.get_by_role("button", name="Run the passes").click()
    desk.said("the results of each pass")
    summary = page.locator("#pass-summary")
    on = page.get_by_role("button", name="Next pass")

    def marks(name):
        return frame.locator(f"[data-amber-{name}]").count()

    assert "texts may be values" in summary.inner_text()
    assert "price" in page.locator("#pass-names").inner_text()
    claimed = marks("field")
    assert (claimed > 14, marks("area"), marks("record")) == (True, 0, 0)
    on.click()
    assert marks("field") == 0
    assert marks("area") > 1
    on.press("Enter")
    assert (marks("area"), marks("record")) == (1, 0)
    on.press("Enter")
    assert "14 records" in summary.inner_text()
    assert (marks("record"), marks("field")) == (14, 0)
    on.press("Enter")
    assert 0 < marks("field") < claimed
    frame.locator("span.now").first.hover()
    page.locator("#description", has_text="price?").wait_for()
    on.press("Enter")
    assert on.is_disabled()
    assert frame.locator("span.now[data-amber-field]").count() == 14
    page.get_by_role("button", name="2 Find lists").click()
    assert page.locator("[aria-current=step]").inner_text() == "2 Find lists"
    page.get_by_text("Full report of the passes").click()
    text = page.locator("#why").inner_text()
    assert "choose the list" in text
    assert "probability that the page has a list" in text


def test_thresholds_are_tried_and_kept(
    desk,
    folder,
    run,  # noqa: F811
    monkeypatch,
):
    page = desk.page
    page.get_by_role("tab", name="Passes").click()
    page.get_by_role("button", name="Run the passes").click()
    desk.said("the results of each pass")

    def tried(keep, infer):
        page.get_by_label("Keep optional types").fill(keep)
        for kind in ("regular", "optional"):
            page.get_by_label(f"Infer {kind} types").fill(infer)
        page.get_by_role("button", name="Try thresholds").click()

    assert page.get_by_label("Keep optional types").input_value() == "0.2"
    tried("0.6", "0.5")
    desk.said("the thresholds must satisfy")
    assert page.locator("#message.bad").count() == 1
    tried("0.7", "0.8")
    desk.said("Tried: nothing is saved yet. The fields colour would be removed.")
    assert "removed fields: colour" in page.locator("#outcome").inner_text()
    page.get_by_role("button", name="Discard").click()
    tried("0.3", "0.6")
    desk.said("Tried: nothing is saved yet")
    page.get_by_role("button", name="Keep", exact=True).click()
    desk.said("Saved in the spec: thresholds")
    line = (
        "thresholds = {infer_regular = 0.6, infer_optional = 0.6, keep_optional = 0.3}"
    )
    assert line in spec(folder)
    assert is_built(run, folder, monkeypatch)
    page.get_by_role("button", name="Run the passes").click()
    desk.said("the results of each pass")
    assert page.get_by_label("Keep optional types").input_value() == "0.3"
    tried("0.2", "0.5")
    desk.said("Tried: nothing is saved yet")
    page.get_by_role("button", name="Keep", exact=True).click()
    desk.said("Saved in the spec: thresholds")
    assert "thresholds" not in spec(folder)


def test_terms_are_accepted_and_rejected_with_their_evidence(
    desk,
    folder,
    run,  # noqa: F811
    monkeypatch,
):
    page = desk.page
    page.get_by_role("tab", name="Terms").click()
    page.get_by_role("button", name="Learn terms from the pages").click()
    desk.said("used-cars: 3 terms to accept or reject")
    rows = page.locator("#terms li")
    evidence = rows.first.inner_text()
    assert "location" in evidence
    assert "records for the term, 0 against" in evidence
    assert "other-1.html" in evidence
    accept = page.get_by_role("button", name="Accept")
    assert accept.first.is_disabled()
    page.get_by_label("A domain of your own").fill("my-cars")
    page.get_by_role("button", name="Create domain").click()
    desk.said("my-cars: 3 terms to accept or reject")
    assert 'domain = "my-cars"' in spec(folder)
    terms = [one.inner_text() for one in rows.locator("strong").all()]
    accept.first.press("Enter")
    desk.said(f"{terms[0]} is accepted")
    page.get_by_role("button", name=f"Reject {terms[1]}").click()
    desk.said(f"{terms[1]} is rejected")
    learned = folder / "domains" / "my-cars" / "learned"
    assert terms[0] in (learned / "location.txt").read_text()
    assert terms[1] in (learned / "location.rejected.txt").read_text()
    page.get_by_role("button", name="Try the wrapper with these terms").click()
    desk.said("Tried: nothing is saved yet")
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("button", name=f"Revoke the decision on {terms[0]}").click()
    desk.said(f"{terms[0]} is removed from domains/my-cars/learned/location.txt")
    assert terms[0] not in (learned / "location.txt").read_text()
    page.get_by_role("button", name="Learn terms from the pages").click()
    desk.said("my-cars: 2 terms to accept or reject")
    assert "rejected" in rows.filter(has_text=terms[1]).inner_text()
    assert is_built(run, folder, monkeypatch)


def test_a_part_of_a_text_is_chosen(
    desk,
    folder,
    run,  # noqa: F811
    monkeypatch,
):
    page = desk.page
    desk.choose("h3 a")
    whole = page.get_by_label("or only a part").input_value()
    make = whole.split()[1]
    page.get_by_label("This is").fill("second_word")
    page.get_by_label("or only a part").fill("no such words")
    page.get_by_label("or only a part").blur()
    page.get_by_text("write a part of the chosen text").wait_for()
    assert page.get_by_role("button", name="Accept").is_disabled()
    page.get_by_label("or only a part").fill(make)
    page.get_by_label("or only a part").blur()
    page.get_by_text("by this example: " + make, exact=True).wait_for()
    predicted = page.locator("#predicted").inner_text()
    assert f": {make} | " in predicted
    assert whole not in predicted
    page.get_by_role("button", name="Accept").click()
    desk.said("Saved in the spec: example second_word")
    assert f'second_word = {{example = "{make}"}}' in spec(folder)
    item = desk.field("second_word")
    assert make in item.locator("summary").inner_text()
    assert is_built(run, folder, monkeypatch)


def test_a_page_of_another_kind_gets_a_wrapper_of_its_own(desk, folder):
    items = "".join(
        f"<li class='talk'><a href='/t/{n}'>On {n} things</a> <b>Ada {n}</b></li>"
        for n in range(8)
    )
    page = f"<!doctype html><title>Talks</title><h1>Talks</h1><ul>{items}</ul>"
    (folder / "talks.html").write_text(page)
    desk.page.reload()
    desk.ready()
    desk.open("sample.html")
    desk.open("talks.html")
    desk.page.get_by_text("No wrapper reads this page yet").wait_for()
    desk.page.locator("#wrapper").select_option("sample")
    desk.page.get_by_text("The wrapper sample finds nothing on this page").wait_for()
    desk.induce()
    assert desk.frame.locator("[data-amber-record]").count() == 8
    assert (folder / "wrappers" / "talks.py").is_file()


def test_what_was_chosen_stays_in_sight(desk):
    top = "one => one.getBoundingClientRect().top"
    last = desk.frame.locator("span.now[data-amber-field]").last
    last.scroll_into_view_if_needed()
    turn = desk.page.locator("#choice").get_attribute("data-turn") or "0"
    last.click()
    desk.page.wait_for_selector(f"#choice[data-turn='{int(turn) + 1}']")
    desk.page.get_by_label("This is").fill("asking")
    desk.page.get_by_role("button", name="Accept").click()
    desk.said("Saved in the spec")
    height = desk.page.locator("#frame-0").bounding_box()["height"]
    assert 0 <= last.evaluate(top) <= height


def test_long_work_is_cancelled(desk, folder):
    before = spec(folder)
    desk.field("price").get_by_role("button", name="Drop price").click()
    desk.page.get_by_role("button", name="Cancel").click()
    desk.said("Cancelled: nothing was changed.")
    assert spec(folder) == before


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_screen(browser, folder, width):  # noqa: F811
    desk = Desktop(browser, folder, width)
    desk.open("sample.html")
    desk.choose("span.now")
    for name in ("Records", "Check", "Spec", "Passes", "Terms", "Code", "Fields"):
        desk.page.get_by_role("tab", name=name).click()
        wide = desk.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, name
    desk.page.get_by_label("This is").fill("asking")
    assert desk.page.get_by_role("button", name="Accept").is_enabled()
    desk.close()


def test_a_hostile_page_neither_runs_nor_loads_anything(
    browser,  # noqa: F811
    tmp_path,
    canary,  # noqa: F811
):
    text = hostile(canary).replace(
        "<h1>",
        f"<svg><a><animate attributeName='href' values='{canary}/smil'/>"
        "<text y='20' id='smil'>x</text></a></svg>"
        "<img name='querySelectorAll'><form id='f'><input name='parentElement'></form>"
        "<h1>",
    )
    (tmp_path / "page.html").write_text(text, "utf-8")
    desk = Desktop(browser, tmp_path)
    desk.induce()
    assert desk.frame.locator("[data-amber-record]").count() == 7
    for selector in ("[data-amber-field]", "#js", "form button", "#smil", "form input"):
        desk.frame.locator(selector).first.hover(force=True)
        desk.choose(selector)
    desk.choose("b.speaker")
    assert desk.frame.locator("[data-amber-yellow]").count() == 7
    desk.page.get_by_role("tab", name="Records").click()
    desk.page.wait_for_timeout(500)
    assert desk.page.evaluate("window.hacked") is None
    inner = desk.page.frames[1]
    assert inner.evaluate("window.hacked") is None
    assert inner.evaluate("window.origin") == "null"
    refused = "fetch('/api/folder', {method: 'POST'}).then(() => 1, () => 0)"
    assert inner.evaluate(refused) == 0
    assert Canary.asked == []
    assert desk.wrong == []
    desk.close()


AXE = os.environ.get("AMBER_AXE", "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_has_no_serious_finding(browser, desk, tmp_path, scheme):  # noqa: F811
    if not AXE and not os.environ.get("AMBER_CI"):
        pytest.skip("AMBER_AXE names no axe.min.js: npm pack axe-core has it")
    desk.page.emulate_media(color_scheme=scheme)
    desk.choose("span.now")
    desk.field("price")
    found = []
    for name, act, said in (
        ("Passes", "Run the passes", "the results of each pass"),
        ("Terms", "Learn terms from the pages", "to accept or reject"),
    ):
        desk.page.get_by_role("tab", name=name).click()
        desk.page.get_by_role("button", name=act).click()
        desk.said(said)
    for name in ("Fields", "Records", "Check", "Spec", "Passes", "Terms", "Code"):
        desk.page.get_by_role("tab", name=name).click()
        found += serious(desk.page)
    assert found == []


def test_axe_has_no_serious_finding_on_the_report(browser, run, tmp_path):  # noqa: F811
    if not AXE and not os.environ.get("AMBER_CI"):
        pytest.skip("AMBER_AXE names no axe.min.js: npm pack axe-core has it")
    run("explain", str(GOLDEN / "sample.html"), "--html", "report.html")
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    found = []
    for name in ("Fields", "Records", "Code"):
        page.get_by_role("tab", name=name).click()
        found += serious(page)
    context.close()
    assert found == []


def serious(page):
    """What axe-core finds serious or worse, but for what a framed page brings."""
    source = Path(AXE).read_text("utf-8")
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"() => {{ {source} }}")
    report = page.evaluate("axe.run({exclude: [['iframe']]}, {iframes: false})")
    return [
        (one["id"], [node["html"][:120] for node in one["nodes"]][:3])
        for one in report["violations"]
        if one["impact"] in ("serious", "critical")
    ]
