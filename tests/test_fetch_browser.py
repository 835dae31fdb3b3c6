"""Test pages fetched with Chromium: scripts, shadow roots, hidden texts.

A page must not reach private hosts.
"""

from __future__ import annotations

import os
import shutil

import pytest
from test_cli import run  # noqa: F401
from test_fetch import Served, site  # noqa: F401

from amber_wrap.dom.parse import parse
from amber_wrap.errors import FetchError
from amber_wrap.fetch.browser import Behaviour, find_browser
from amber_wrap.fetch.http import Limits
from amber_wrap.fetch.public_hosts import HostGuard
from amber_wrap.fetch.session import Session

SCRIPTED = """<!doctype html><title>Talks</title><h1>Talks</h1><ul></ul><script>
const add = (n) => document.querySelector("ul").insertAdjacentHTML("beforeend",
  `<li class="talk"><a href="/t/${n}">On ${n} things</a> <b>Ada ${n}</b></li>`);
setTimeout(() => { for (let n = 0; n < 8; n++) add(n); }, 50);
const more = () => { for (let n = 8; n < 12; n++) add(n); };
addEventListener("scroll", more, {once: true});
</script><div style="height: 3000px"></div>"""
CLOSED = """<!doctype html><talk-card><b slot="who">Ada</b></talk-card>
<p id=declared><template shadowrootmode=closed><i>declared <slot></slot></i></template>
so</p><script>
customElements.define("talk-card", class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: "closed"});
    root.innerHTML = "<h2>Old towns</h2><p>by <slot name=who></slot></p><span></span>";
    root.querySelector("span").attachShadow({mode: "closed"}).innerHTML = "<u>deep</u>";
    document.title = String(this.shadowRoot) + String(this.attachShadow).length;
  }
});</script>"""
FOLDED = """<!doctype html><style>.fold { height: 0; overflow: hidden }
.narrow { width: 0; overflow: hidden } .open { height: 0 } .above { position: absolute }
</style><p>seen</p><div class=fold>folded <b>up</b></div><div class=narrow>narrow</div>
<div class=open>flows out</div>
<div class=fold><span class=above>stands out</span></div>
<iframe srcdoc="x" style="width:300px;height:50px;border:0"></iframe>
<canvas style="width:20px;height:10px"></canvas>"""
SHADOW = """<!doctype html><talk-card><b slot="who">Ada</b></talk-card><script>
customElements.define("talk-card", class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({mode: "open"}).innerHTML =
      "<h2>Old towns</h2><p>by <slot name=who></slot></p>";
  }
});</script>"""
HIDDEN = """<!doctype html><style>.off { display: none } .veil { visibility: hidden }
.veil b { visibility: visible }</style><p>seen</p><p class=off>gone <i>too</i></p>
<p class=veil>veiled</p><p class=veil>veiled <b>but this</b></p>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" style="width:20px;height:10px">"""


@pytest.fixture
def browser():
    """Return a function that makes sessions with Chromium, which may ask loopback."""
    if not any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))):
        if os.environ.get("AMBER_CI"):
            pytest.fail("Chromium is missing")
        pytest.skip("Chromium is not installed")
    if not os.environ.get("AMBER_CI"):
        pytest.importorskip("playwright", reason="the extra browser is not installed")

    def make(*behaviour, **options):
        options = {"guard": HostGuard(allows_private=True), **options}
        return Session(**options, behaviour=Behaviour(*behaviour), sleep=lambda _: None)

    return make


@pytest.mark.slow
def test_records_that_scripts_and_scrolling_add_are_saved(browser, site):  # noqa: F811
    url = site.add("/", SCRIPTED)
    page = parse(browser("li.talk", 1).fetch(url).body)
    assert len(page.select("//li")) == 12
    assert len(parse(browser("li.talk").fetch(url).body).select("//li")) == 8


@pytest.mark.slow
def test_induce_finds_a_list_that_a_script_adds(run, browser, site, tmp_path):  # noqa: F811
    url = site.add("/talks", SCRIPTED)
    code, _, err = run("induce", url, "--wait", "li.talk", "--allow-private")
    assert code == 0, err
    assert "8 records" in err
    wrapper = tmp_path / "wrappers" / "page_127_0_0_1_talks.py"
    code, out, _ = run("apply", wrapper, "127-0-0-1-talks.html")
    assert (code, len(out.splitlines())) == (0, 8)


@pytest.mark.slow
def test_texts_of_shadow_roots_are_saved_where_they_are_displayed(browser, site):  # noqa: F811
    page = parse(browser().fetch(site.add("/", SHADOW)).body)
    assert page.string(page.select("//talk-card")[0]) == "Old towns by Ada"


@pytest.mark.slow
def test_texts_of_closed_shadow_roots_are_saved_too(browser, site):  # noqa: F811
    page = parse(browser().fetch(site.add("/", CLOSED)).body)
    card = page.select("//talk-card")[0]
    assert page.string(card) == "Old towns by Ada deep"
    assert page.string(page.select("//p[@id='declared']")[0]) == "declared so"
    # The page's own scripts find nothing that other browsers don't have.
    assert page.string(page.select("//title")[0]).startswith("null")


@pytest.mark.slow
def test_texts_that_an_empty_box_cuts_off_are_marked_as_hidden(browser, site):  # noqa: F811
    page = parse(browser().fetch(site.add("/", FOLDED)).body)
    assert page.string(0) == "seen flows out stands out"
    frame = page.attributes[page.select("//iframe")[0]]
    assert (frame["width"], frame["height"]) == ("300", "50")
    canvas = page.attributes[page.select("//canvas")[0]]
    assert (canvas["width"], canvas["height"]) == ("20", "10")


@pytest.mark.slow
def test_hidden_texts_are_marked_and_images_get_their_size(
    browser,
    site,  # noqa: F811
):
    page = parse(browser().fetch(site.add("/", HIDDEN)).body)
    assert page.string(0) == "seen veiled but this"
    image = page.attributes[page.select("//img")[0]]
    assert (image["width"], image["height"]) == ("20", "10")


@pytest.mark.slow
def test_no_request_of_a_page_reaches_a_private_host(browser, site):  # noqa: F811
    canary = site.url.replace("127.0.0.1", "localhost")
    page = f"""<!doctype html><h1>Talks</h1><img src="{canary}/image">
<script src="{canary}/script"></script><link rel=stylesheet href="{canary}/style">
<link rel=preconnect href="{canary}"><iframe src="{canary}/frame"></iframe><script>
fetch("{canary}/fetch", {{mode: "no-cors"}}).catch(() => 0);
navigator.sendBeacon("{canary}/beacon", "x");
new WebSocket("{canary.replace("http", "ws")}/socket");
navigator.serviceWorker?.register("/worker.js").catch(() => 0);
new RTCPeerConnection({{iceServers: [{{urls: "stun:localhost"}}]}}).createOffer();
</script>"""
    url = site.add("/", page)

    class Watching(HostGuard):
        """Lets the site itself through by its address, and checks all other hosts."""

        def addresses(self, host, port):
            return [host] if host == "127.0.0.1" else super().addresses(host, port)

    assert browser(guard=Watching()).fetch(url).status == 200
    assert set(site.asked) <= {"/robots.txt", "/", "/favicon.ico", "/worker.js"}


@pytest.mark.slow
def test_a_page_on_a_private_host_is_refused_by_the_browser(browser, site):  # noqa: F811
    url = site.add("/", LIST_OF_ONE)
    with pytest.raises(FetchError, match=r"private address .*--allow-private"):
        browser(guard=HostGuard(), heeds_robots=False).fetch(url)
    assert site.asked == []


LIST_OF_ONE = "<!doctype html><ul><li>one</li></ul>"


@pytest.mark.slow
def test_a_missing_element_and_too_large_a_page_are_reported(browser, site):  # noqa: F811
    url = site.add("/", LIST_OF_ONE)
    with pytest.raises(
        FetchError, match=r"no element matched --wait '\.later' in time"
    ):
        browser(".later", limits=Limits(seconds=3)).fetch(url)
    with pytest.raises(FetchError, match=r"more than 10,000 bytes: raise --max-bytes"):
        browser(limits=Limits(size=10_000)).fetch(
            site.add("/large", LIST_OF_ONE + "x" * 20_000)
        )


def test_a_missing_browser_is_reported(monkeypatch):
    with pytest.raises(FetchError, match="browser not found: /nowhere/chromium"):
        find_browser("/nowhere/chromium")
    monkeypatch.setenv("AMBER_BROWSER", "/nowhere/else")
    with pytest.raises(FetchError, match="browser not found: /nowhere/else"):
        find_browser()
    monkeypatch.delenv("AMBER_BROWSER")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(FetchError, match="install chromium, or name one with"):
        find_browser()
