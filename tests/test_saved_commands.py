"""Test commands on pages that are compressed, MHTML, source, or from stdin."""

from __future__ import annotations

import gzip
import html
import io
import json
import quopri
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import command_runner

from amber_wrap.dom.decoding import decode

GOLDEN = Path(__file__).parent / "golden" / "property-list"
SAMPLE, OTHER = GOLDEN / "sample.html", GOLDEN / "other-1.html"
URL = "https://www.example.com/for-sale/"


def zipped(body: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("homes.html", body)
    return file.getvalue()


def mhtml(body: bytes) -> bytes:
    return (
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=x\n\n--x\n"
        b"Content-Type: text/html; charset=utf-8\nContent-Location: %s\n"
        b"Content-Transfer-Encoding: quoted-printable\n\n%s\n--x--\n"
        % (URL.encode(), quopri.encodestring(body))
    )


def source(body: bytes) -> bytes:
    rows = "".join(
        f'<tr><td class="line-number" value="{number}"></td><td class="line-content">'
        f"{html.escape(line)}</td></tr>"
        for number, line in enumerate(decode(body).splitlines(), 1)
    )
    return f"<html><body><table><tbody>{rows}</table>".encode()


WRAPPINGS: dict[str, Callable[[bytes], bytes]] = {
    "homes.html.gz": gzip.compress,
    "homes.zip": zipped,
    "homes.mhtml": mhtml,
    "source.html": source,
}


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in an empty folder; return (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    return command_runner(monkeypatch, capsys)


def absolute(records: str) -> list[dict[str, object]]:
    """Return records with links as on pages whose address is unknown."""
    rows = [json.loads(line) for line in records.splitlines()]
    for row in rows:
        row["details_page"] = row["details_page"].removeprefix(URL[:-10])
        row.pop("_page", None)
    return rows


@pytest.mark.parametrize("name", WRAPPINGS)
def test_all_commands_read_pages_in_other_formats(run, name):
    Path(name).write_bytes(WRAPPINGS[name](SAMPLE.read_bytes()))
    run("induce", SAMPLE, "--domain", "real-estate", "-o", "plain.py")
    words = ("--domain", "real-estate", "-o", "homes.py", "--store")
    assert run("induce", name, *words)[0] == 0
    plain, wrapped = (
        json.loads(Path(file_name).with_suffix(".json").read_text())
        for file_name in ("plain.py", "homes.py")
    )
    assert wrapped["areas"] == plain["areas"]

    code, out, _ = run("apply", "homes.py", name)
    assert code == 0
    assert absolute(out) == absolute(run("apply", "plain.py", SAMPLE)[1])
    assert run("check", "homes.py", name)[0] == 0
    assert run("explain", name, "--domain", "real-estate")[0] == 0
    assert run("heal", "homes.py", name)[2].endswith("homes.py needs no healing\n")
    assert (Path("homes.samples") / name).read_bytes() == Path(name).read_bytes()


def test_workers_unwrap_pages_in_other_formats(run):
    run("induce", SAMPLE, "--domain", "real-estate", "-o", "homes.py")
    Path("pages").mkdir()
    for name, wrap in WRAPPINGS.items():
        if not name.endswith(".zip"):
            (Path("pages") / name).write_bytes(wrap(OTHER.read_bytes()))
    (Path("pages") / "bad.mht").write_bytes(mhtml(b"")[:60])
    code, out, err = run("apply", "homes.py", "pages", "-j", "1")
    assert code == 1
    plain = absolute(run("apply", "homes.py", OTHER)[1])
    assert absolute(out) == plain * 3
    assert (
        "bad.mht: the MHTML file contains no HTML: save the page again, as HTML" in err
    )


def test_links_are_resolved_by_the_address_in_a_saved_file(run):
    run("induce", SAMPLE, "--domain", "real-estate", "-o", "homes.py")
    Path("homes.mhtml").write_bytes(mhtml(OTHER.read_bytes()))
    for words, start in (((), URL[:24]), (("--url", "http://x.org/"), "http://x.org/")):
        _, out, _ = run("apply", "homes.py", "homes.mhtml", *words)
        assert json.loads(out.splitlines()[0])["details_page"].startswith(start)


def test_all_commands_read_a_page_from_stdin_once(run):
    page = gzip.compress(SAMPLE.read_bytes())
    words = ("--domain", "real-estate")
    assert run("induce", "-", *words, "-o", "homes.py", stdin=page)[0] == 0
    code, out, _ = run("apply", "homes.py", "-", stdin=page)
    assert (code, len(out.splitlines())) == (0, 13)
    assert run("check", "homes.py", "-", stdin=page)[0] == 0
    assert run("explain", "-", *words, stdin=page)[0] == 0
    assert "needs no healing" in run("heal", "homes.py", "-", stdin=page)[2]
    for command in (("induce",), *((name, "homes.py") for name in ("apply", "check"))):
        code, _, err = run(*command, "-", "-", stdin=page)
        assert (code, err) == (2, "amber-wrap: stdin can be read only once\n")


@pytest.mark.parametrize(
    "command", [("induce",), ("explain",), ("apply", "h.py"), ("check", "h.py")]
)
def test_a_file_that_is_no_page_is_reported_by_name(run, command):
    run("induce", SAMPLE, "--domain", "real-estate", "-o", "h.py")
    Path("homes.gz").write_bytes(gzip.compress(SAMPLE.read_bytes())[:500])
    code, _, err = run(*command, "homes.gz")
    assert code == (3 if command[0] == "check" else 1)
    assert err == (
        "amber-wrap: homes.gz: the gzip data is corrupt or cut off: save the page "
        "again\n"
    )
