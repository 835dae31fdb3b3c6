"""Test fetched pages: what is saved, and which addresses are never asked."""

from __future__ import annotations

import gzip
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from test_cli import run  # noqa: F401

from amber_wrap.dom.saved_formats import extract_page
from amber_wrap.errors import FetchError
from amber_wrap.fetch.http import Limits, get
from amber_wrap.fetch.public_hosts import HostGuard, is_public, split_url
from amber_wrap.fetch.session import Session

ITEMS = "".join(
    f'<li class="talk"><a href="/t/{n}">On {n} things</a> <b>Ada {n}</b></li>'
    for n in range(6)
)
LIST = f"<!doctype html><title>Talks</title><h1>Talks</h1><ul>{ITEMS}</ul>"


class Site(BaseHTTPRequestHandler):
    """A site with pages by their paths: (status, headers, body)."""

    pages: dict[str, tuple[int, dict[str, str], bytes]]
    asked: list[str]

    def do_GET(self):
        self.asked.append(self.path)
        status, headers, body = self.pages.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Served:
    """A running site: its URL, its pages, and the paths that were requested."""

    def __init__(self, server):
        self.server, self.url = server, f"http://127.0.0.1:{server.server_port}"
        self.pages, self.asked = server.RequestHandlerClass.pages, []
        server.RequestHandlerClass.asked = self.asked

    def add(self, path, body=b"", status=200, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        body = body.encode() if isinstance(body, str) else body
        self.pages[path] = status, named, body
        return self.url + path


@pytest.fixture
def site():
    """Serve a site on loopback without robots.txt."""
    handler = type("Handler", (Site,), {"pages": {}})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        yield Served(server)
        server.shutdown()


def session(**options):
    """Make a session that may ask loopback and never sleeps."""
    options = {"guard": HostGuard(allows_private=True), **options}
    return Session(**options, sleep=lambda _: None)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254"),
        *("0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "192.0.2.1"),
        *("::", "::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1"),
        *("::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1"),
    ],
)
def test_private_and_reserved_addresses_are_not_public(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1"])
def test_global_addresses_are_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://example.com/", "it is not an http or https address"),
        ("file:///etc/passwd", "it is not an http or https address"),
        ("http:///path", "it is not an http or https address"),
        ("http://[::1", "is not an address"),
        ("http://host:99999/", "is not an address"),
        ("http://u:p@example.com/", "a user name or password"),
        ("http://example.com/a\r\nHost: x", "too long, or has blanks"),
    ],
)
def test_invalid_urls_are_refused(url, message):
    with pytest.raises(FetchError, match=message):
        split_url(url)


def test_a_private_host_is_refused_unless_allowed(site):
    url = site.add("/", LIST)
    with pytest.raises(FetchError, match=r"private address .*--allow-private"):
        Session().fetch(url)
    assert site.asked == []
    assert session().fetch(url).status == 200


def test_a_host_name_with_a_private_address_is_refused(site):
    guard = HostGuard(resolve=lambda host, port: ["93.184.216.34", "127.0.0.1"])
    with pytest.raises(FetchError, match=r"news\.example is a private address"):
        get("http://news.example/", guard, Limits())
    assert site.asked == []


def test_a_redirect_to_a_private_address_is_refused(site):
    inside = site.add("/inside", LIST)
    url = site.add("/", status=302, Location=inside.replace("127.0.0.1", "inner.test"))

    class Watching(HostGuard):
        """Lets the site itself through, and checks all other hosts."""

        def addresses(self, host, port):
            return [host] if host == "127.0.0.1" else super().addresses(host, port)

    guard = Watching(resolve=lambda host, port: ["127.0.0.1"])
    with pytest.raises(FetchError, match=r"inner\.test is a private address"):
        get(url, guard, Limits())
    assert site.asked == ["/"]


def test_endless_redirects_are_refused(site):
    url = site.add("/", status=301, Location="/")
    with pytest.raises(FetchError, match="redirects more than 10 times"):
        session().fetch(url)


def test_pages_that_robots_txt_forbids_are_not_fetched(site):
    site.add("/robots.txt", "User-agent: *\nDisallow: /*?page=\nCrawl-delay: 7")
    site.add("/list", LIST)
    site.add("/list?page=2", LIST)
    slept = []
    polite = Session(guard=HostGuard(allows_private=True), sleep=slept.append)
    polite.fetch(f"{site.url}/list")
    with pytest.raises(FetchError, match=r"doesn't allow .*--ignore-robots"):
        polite.fetch(f"{site.url}/list?page=2")
    polite.fetch(f"{site.url}/list")
    assert len(slept) == 1
    assert 6 < slept[0] <= 7
    assert "/list?page=2" not in site.asked
    assert session(heeds_robots=False).fetch(f"{site.url}/list?page=2").status == 200


def test_nothing_is_fetched_if_robots_txt_gives_an_error(site):
    site.add("/robots.txt", status=503)
    with pytest.raises(FetchError, match=r"robots\.txt of"):
        session().fetch(site.add("/", LIST))


def test_a_page_that_decompresses_beyond_the_limit_is_refused(site):
    bomb = gzip.compress(b"<p>" + b" " * 50_000_000)
    url = site.add("/", bomb, Content_Encoding="gzip")
    with pytest.raises(
        FetchError, match=r"more than 1,000,000 bytes: raise --max-bytes"
    ):
        session(limits=Limits(size=1_000_000)).fetch(url)


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ({"status": 404}, "answers with status 404"),
        ({"body": b"%PDF", "Content_Type": "application/pdf"}, "is not an HTML page"),
        ({"body": b"x", "Content_Encoding": "br"}, "encoding 'br'"),
        (
            {"body": b"x", "Content_Encoding": "gzip"},
            "the compressed page ends in the middle",
        ),
    ],
)
def test_answers_that_are_not_html_pages_are_refused(site, page, message):
    with pytest.raises(FetchError, match=message):
        session().fetch(site.add("/", **page))


def test_a_fetched_page_has_its_final_url_and_is_decoded_by_its_header(site):
    url = site.add("/moved", status=302, Location="/list")
    body = "<p>er\u0151</p>".encode("iso-8859-2")
    site.add("/list", body, Content_Type="text/html; charset=iso-8859-2")
    page = session().fetch(url)
    saved = extract_page(page.body)
    assert (page.requested, page.url, saved.url) == (url, *[f"{site.url}/list"] * 2)
    assert "erő" in page.body.decode("utf-8")


def test_pages_follows_next_links_on_one_host_without_repetition(site):
    first = site.add("/1", LIST + '<a rel="next" href="/2">Next</a>')
    site.add("/2", LIST + '<a rel="next" href="/1">Next</a>')
    following = {first: f"{site.url}/2", f"{site.url}/2": first}.get
    pages = session().pages(first, 5, lambda page: following(page.url))
    assert [page.url for page in pages] == [first, f"{site.url}/2"]
    pages_elsewhere = session().pages(
        first, 5, lambda page: "https://elsewhere.example/"
    )
    assert [page.url for page in pages_elsewhere] == [first]


def test_the_fetch_command_saves_pages_and_their_metadata(run, site, tmp_path):  # noqa: F811
    url = site.add(
        "/talks?page=1", LIST + '<nav><a href="/talks?page=2">Next</a></nav>'
    )
    site.add("/talks?page=2", LIST)
    code, out, err = run(
        "fetch", url, "--allow-private", "--pages", "3", "--delay", "0"
    )
    assert (code, out) == (0, "")
    name = "127-0-0-1-talks-page-1"
    assert err.splitlines() == [
        f"saved {url} as {name}-1.html",
        f"saved {site.url}/talks?page=2 as {name}-2.html",
        "there are no more pages: saved 2 of 3",
    ]
    facts = json.loads((tmp_path / f"{name}-1.html.fetch.json").read_text())
    assert facts["url"] == url
    assert facts["status"] == 200
    assert facts["bytes"] == (tmp_path / f"{name}-1.html").stat().st_size
    assert not facts["rendered"]


def test_induce_fetches_and_saves_the_page_of_a_url(run, site, tmp_path):  # noqa: F811
    url = site.add("/talks", LIST)
    code, _, err = run("induce", url, "--allow-private")
    assert code == 0, err
    assert err.startswith(f"saved {url} as 127-0-0-1-talks.html\n")
    assert (tmp_path / "127-0-0-1-talks.html").exists()
    assert (tmp_path / "wrappers" / "page_127_0_0_1_talks.py").exists()
