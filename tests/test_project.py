"""Test domains in a user's project: found, extended, started, checked.

Each folder of cases/projects is a project.  Its session.txt has the commands that a
user types there, and their output.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from command_line import command_runner
from transcripts import session

from amber_wrap.cli.common import competing_domains, domain_folder
from amber_wrap.domain.domain_folders import BUILT_IN_DOMAINS, DATA
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.new_domain import starter_files, write_domain_folder
from amber_wrap.domain.project import find_project
from amber_wrap.domain.recognisers import read_recognisers
from amber_wrap.errors import FileError
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import analyse_samples
from amber_wrap.settings import DEFAULTS, Source

PROJECTS = Path(__file__).parent / "cases" / "projects"
PAGE = Path(__file__).parent / "golden" / "car-grid" / "sample.html"


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in an empty folder; return (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    return command_runner(monkeypatch, capsys)


@pytest.mark.parametrize("case", sorted(PROJECTS.iterdir()), ids=lambda path: path.name)
def test_the_commands_of_a_session_print_the_text_of_its_file(
    case, run, monkeypatch, tmp_path
):
    project = tmp_path / "project"
    shutil.copytree(case, project)
    monkeypatch.chdir(project)
    steps = session((case / "session.txt").read_text("utf-8"))
    assert steps
    printed_steps = []
    for command, _ in steps:
        if command.startswith("cd "):
            monkeypatch.chdir(command.removeprefix("cd "))
            printed_steps.append((command, ""))
            continue
        code, out, err = run(*shlex.split(command))
        ending = f"[exit {code}]\n" if code else ""
        printed_steps.append((command, out + err + ending))
    expected = [(command, printed.rstrip("\n")) for command, printed in steps]
    assert [
        (command, printed.rstrip("\n")) for command, printed in printed_steps
    ] == expected


def test_a_domain_inherits_patterns_and_lists_and_overrides_them():
    """Replace, or extend, patterns with their variants, and lists."""
    own = PROJECTS / "extends" / "domains"
    boats = load_domain("boats", own)
    assert boats.patterns["year"] == r"19\d\d"
    assert boats.patterns["price"] == r"£(?P<value>{digits})"
    assert boats.gazetteers["colours"].terms == ("white", "Red", "navy blue")
    assert boats.gazetteers["flags"].terms == ("Jersey",)
    assert boats.schema["colour"].gazetteers == ("colours",)
    assert "tonnage_de" not in boats.patterns
    assert load_domain("ships", own).schema["tonnage"].patterns == (
        "tonnage",
        "tonnage_de",
    )
    assert boats.title == "boats"


def test_a_path_can_extend_a_domain_of_the_project(tmp_path):
    folder = tmp_path / "elsewhere" / "yachts"
    folder.mkdir(parents=True)
    (folder / "domain.toml").write_text('extends = "ships"\n')
    own = (PROJECTS / "extends" / "domains").resolve()
    assert load_domain(folder, own).schema.pivots == ("price",)


def test_domains_compete_unless_one_is_the_default(run, tmp_path):
    names = ("real-estate", "used-cars", "products", "listing")
    assert [domain.name for domain in competing_domains("")] == list(names)
    run("domain", "init", "boats")
    assert [domain.name for domain in competing_domains("")] == ["boats", *names]
    assert [domain.name for domain in competing_domains("boats")] == ["boats"]
    assert domain_folder("boats") == tmp_path / "domains" / "boats"
    (tmp_path / "amber-wrap.toml").write_text('domain = "boats"\n')
    assert [domain.name for domain in competing_domains("")] == ["boats"]
    assert [domain.name for domain in competing_domains("listing")] == ["listing"]


def test_a_domain_that_extends_another_leaves_the_coverage_of_the_other(tmp_path):
    (tmp_path / "vans").mkdir()
    text = 'title = "Vans"\nextends = "used-cars"\n[types.seats]\nkind = "count"\n'
    (tmp_path / "vans" / "domain.toml").write_text(text, "utf-8")
    built_in, vans = (
        list(map(load_domain, BUILT_IN_DOMAINS)),
        load_domain(tmp_path / "vans"),
    )
    [page] = parse_samples([Source("sample.html", PAGE.read_bytes())], DEFAULTS)

    def coverage_of_cars(domains):
        tried, best = analyse_samples([page], domains, DEFAULTS)
        assert best.domain.name == "used-cars"
        return best.coverage(tried)

    assert coverage_of_cars([vans, *built_in]) == coverage_of_cars(built_in)


def test_the_project_is_the_nearest_folder_with_a_configuration(tmp_path):
    inner = tmp_path / "inner"
    (inner / "deep").mkdir(parents=True)
    assert find_project(inner / "deep") is None
    (tmp_path / "amber-wrap.toml").write_text("")
    (inner / "pyproject.toml").write_text("[tool.other]\n")
    assert find_project(inner / "deep").file == tmp_path / "amber-wrap.toml"
    assert find_project(inner / "deep").domains == tmp_path / "domains"
    (inner / "pyproject.toml").write_text("[tool.amber-wrap]\n")
    assert find_project(inner / "deep").file == inner / "pyproject.toml"
    (inner / "pyproject.toml").write_text("not toml, and not ours")
    assert find_project(inner / "deep").file == tmp_path / "amber-wrap.toml"


@pytest.mark.parametrize("like", ["", *BUILT_IN_DOMAINS])
@pytest.mark.slow
def test_a_started_domain_is_valid_and_works(run, tmp_path, like):
    code, out, err = run("domain", "init", "boats", *(["--like", like] if like else []))
    assert (code, out) == (0, "")
    assert err.splitlines()[:4] == [
        "wrote domains/boats/domain.toml",
        "wrote domains/boats/patterns.toml",
        "wrote domains/boats/gazetteers/statuses.txt",
        "wrote amber-wrap.toml",
    ]
    assert run("domain", "check")[:2] == (0, "boats: can be used\n")
    started = load_domain(tmp_path / "domains" / "boats")
    names = [kind.name for kind in started.schema.types]
    assert names[-2:] == ["reference", "status"]
    if like:
        assert names[:-2] == [kind.name for kind in load_domain(like).schema.types]
    if like in ("", "used-cars", "products"):
        code, _, err = run("induce", PAGE, "--domain", "boats", "-o", "-")
        assert code == 0
        assert "records" in err


def test_a_second_domain_joins_the_project(run, monkeypatch, tmp_path):
    run("domain", "init", "boats")
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    code, _, err = run("domain", "init", "yachts", "--like", "boats")
    assert code == 0
    assert "amber-wrap.toml" not in err
    assert load_domain("yachts", tmp_path / "domains").schema["status"]


def test_comments_of_a_started_domain_list_built_in_recognisers():
    text = starter_files("boats")["domain.toml"].partition("\nuses = ")[0]
    rows = re.findall(r'^# +(?:"(\w+)")? +(pattern|gazetteer)s {2,}(.+)$', text, re.M)
    assert [row[1] for row in rows] == ["pattern", "gazetteer", "pattern"]
    folder = ""
    for name, what, names in rows:
        folder = name or folder
        known = read_recognisers([DATA / folder]).names(what).known
        assert set(names.split(", ")) <= set(known)
    parts = re.findall(r"\{(\w+)\}", text)
    assert len(parts) == 3
    assert set(parts) <= set(read_recognisers([DATA / "common"]).patterns)
    assert max(map(len, text.splitlines())) <= 100


def test_comments_of_a_started_domain_list_inherited_types():
    text = starter_files("boats", "used-cars")["domain.toml"]
    assert "#   mileage        quantity  mileage, mileage_labelled" in text
    assert max(map(len, text.splitlines())) <= 100


def test_a_folder_that_could_not_be_written_is_removed(tmp_path):
    with pytest.raises(FileError):
        write_domain_folder(tmp_path / "boats", {"a.txt": "a", "a.txt/b.txt": "b"})
    assert list(tmp_path.iterdir()) == []


def test_check_shows_the_values_recognised_on_a_sample(run):
    run("domain", "init", "cars", "--like", "used-cars")
    code, out, _ = run("domain", "check", "cars", "--sample", PAGE)
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "cars: can be used"
    assert lines[2] == f"cars on {PAGE}, locale en-GB:"
    place = next(n for n, line in enumerate(lines) if line.startswith("  mileage "))
    assert lines[place].split() == ["mileage", "14", "mileage", "14"]
    examples = lines[place + 1 : place + 4]
    assert all("miles" in example and " = " in example for example in examples)
    assert len(set(examples)) == 3
    assert lines[-1].split() == ["status", "0"]


def test_a_missing_sample_is_reported_as_a_mistake_in_the_call(run):
    run("domain", "init", "boats")
    code, _, err = run("domain", "check", "--sample", "no.html")
    assert code == 2
    assert err == "amber-wrap: cannot read no.html: No such file or directory\n"


def test_the_wrapper_names_the_domain_as_the_user_named_it(run, tmp_path):
    run("domain", "init", "cars", "--like", "used-cars")
    _, out, _ = run("induce", PAGE, "--domain", "cars", "-o", "-")
    assert "--domain cars" in out


def test_inherited_patterns_override_those_of_a_shared_folder(tmp_path):
    files = {
        "shared/patterns.toml": "sign = '£'\nprice = '{sign}[0-9]+'\n",
        "ships/patterns.toml": "sign = '€'\n",
        "ships/domain.toml": 'uses = ["shared"]\npivots = ["price"]\n'
        '[types.price]\nkind = "money"\nregular = true\npatterns = ["price"]\n',
        "boats/domain.toml": 'extends = "ships"\nuses = ["shared"]\n',
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert load_domain(tmp_path / "boats").patterns["sign"] == "€"
