"""Test all Python targets: data stay literals, files are formatted and typed."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import replace

import pytest
from exported import ROOT, columns, export, homes, require

from amber_wrap import cli
from amber_wrap.codegen.build import render_program
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import SelectionError, WrapperError
from amber_wrap.export.target import Exported, export_subject
from amber_wrap.export.target_list import target_called
from amber_wrap.lowering.program import Program

CASES = sorted((ROOT / "tests" / "cases" / "codegen").glob("*/"))
TARGETS = ("scrapy", "web-poet", "spidermon", "pandas", "pytest")
HOSTILE = (
    "https://a.test/\"\"\"'''\n__import__('os').system('x')\r#\\",
    "https://a.test/{{ 7 * 7 }}{% raw %}\u202e\u2028\x85",
    "https://a.test/" + "long/" * 99,
)


def sources(exported: Exported) -> dict[str, str]:
    return {
        name: text if isinstance(text, str) else ""
        for name, text in exported.files.items()
        if name.endswith(".py")
    }


def shape(source: str) -> str:
    """Return the syntax tree of a file without its texts."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("url", HOSTILE)
def test_a_hostile_url_stays_a_literal(name, url):
    hostile = sources(target_called(name).make(homes(url)))
    honest = sources(target_called(name).make(homes("https://a.test/results")))
    assert {file: shape(source) for file, source in hostile.items()} == {
        file: shape(source) for file, source in honest.items()
    }


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("column", ["a b", 'x"', "import", "x\n", "__class__", "X", ""])
def test_invalid_names_of_columns_are_refused(name, column):
    subject = replace(homes(), program=columns(column, "title"))
    with pytest.raises(WrapperError, match="can't be a name in a generated file"):
        target_called(name).make(subject)


def test_a_hostile_value_pattern_stays_a_literal():
    pattern = '"""\'\n}]; __import__("os") #'
    plain = columns("title")
    exports = [
        sources(target_called("spidermon").make(replace(homes(), program=program)))
        for program in (
            replace(plain, expected={"title": (0.5, pattern)}),
            replace(plain, expected={"title": (0.5, "[a-z]")}),
        )
    ]
    assert [shape(source) for source in exports[0].values()] == [
        shape(source) for source in exports[1].values()
    ]


@pytest.mark.parametrize("name", TARGETS)
def test_exporting_a_wrapper_twice_gives_the_same_files(name):
    assert target_called(name).make(homes()) == target_called(name).make(homes())


@pytest.mark.parametrize(
    "program",
    [
        homes().program,
        columns("title", "цена", "str"),
        columns("a", kind=ValueKind.TEXTS),
        columns(*(f"column_with_a_long_name_{n}" for n in range(30))),
        *(export_subject(str(case / "expected.py")).program for case in CASES),
    ],
    ids=["homes", "other-names", "lists", "many", *(case.name for case in CASES)],
)
def test_exported_files_pass_ruff(program: Program, tmp_path):
    source = render_program(program, "amber-wrap induce")
    subject = replace(homes(), program=program, source=source)
    (tmp_path / "homes.py").write_text(source, "utf-8")
    names = []
    for name in TARGETS:
        names += [
            file for file in export(name, subject, tmp_path).files if file[-3:] == ".py"
        ]
    assert len(names) == 6
    for call in (["format", "--check"], ["check", "--ignore", "E501"]):
        ruff = [sys.executable, "-m", "ruff", *call, "--isolated", *names]
        process = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True)
        assert process.returncode == 0, process.stdout + process.stderr


@pytest.mark.slow
def test_exported_files_pass_mypy_strict(tmp_path):
    require("scrapy", "web_poet")
    subject = homes()
    (tmp_path / "homes.py").write_text(subject.source, "utf-8")
    for name in ("scrapy", "web-poet", "pytest"):  # The others import untyped packages.
        export(name, subject, tmp_path)
    names = ["homes_spider.py", "homes_page.py", "test_homes.py"]
    mypy = [sys.executable, "-m", "mypy", "--strict", "--config-file=", *names]
    process = subprocess.run(mypy, cwd=tmp_path, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout


def test_an_unknown_target_is_refused():
    with pytest.raises(SelectionError, match=r"--to sqlite: targets are .*pandas"):
        target_called("sqlite")


def test_the_export_command_needs_a_folder_for_several_files(
    tmp_path, monkeypatch, capsys
):
    from exported import wrapper_in

    wrapper = wrapper_in(tmp_path)

    def call(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["amber-wrap", "export", str(wrapper), *words])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
        return int(stopped.value.code or 0)

    assert call("--to", "scrapy") == 0
    assert capsys.readouterr().out.startswith('"""A spider that')
    assert call("--to", "spidermon") != 0
    assert "name a folder for them with -o" in capsys.readouterr().err
    assert call("--to", "pytest", "-o", str(tmp_path)) != 0
    assert "no sample of homes was found" in capsys.readouterr().err


def test_require_fails_in_ci_and_skips_elsewhere_without_a_module(monkeypatch):
    monkeypatch.setenv("AMBER_CI", "1")
    with pytest.raises(pytest.fail.Exception, match=r"amber-wrap\[targets\]"):
        require("no_such_module")
    monkeypatch.delenv("AMBER_CI")
    with pytest.raises(pytest.skip.Exception, match="there is no no_such_module"):
        require("no_such_module")
