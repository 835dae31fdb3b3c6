"""Compare what Python targets of an export give with the wrapper, on the corpus.

    python benchmarks/targets_python.py [--filter TEXT] [--every N] [--least SHARE]

A wrapper is induced from each page, as `agreement` does; a field of it is carried where
all its values on the page are the same through the target: for Scrapy by the response's
selector, for web-poet by the item of the page object, for Spidermon where its own rules
and schema accept them.  The exit code is 1 if a target carries less than SHARE.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from agreement import Task, all_tasks
from jsonschema import Draft7Validator
from ratchet import gold_folder
from scrapy.http import HtmlResponse
from web_poet import HttpResponse

from amber_wrap.codegen.build import build_file, import_file
from amber_wrap.domain.loader import built_in_domains
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.tasks import load
from amber_wrap.export.python import record_fields
from amber_wrap.export.spidermon_rules import schema_of
from amber_wrap.export.target import Subject
from amber_wrap.export.targets import target
from amber_wrap.files import read_saved_page
from amber_wrap.lowering.program import Program
from amber_wrap.lowering.stored import program_from_data
from amber_wrap.pipeline import compile_wrapper

URL = "https://www.example.test/list/results"
Rows = Sequence[Mapping[str, Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the share of fields that each target carries; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--filter", default="", metavar="TEXT")
    parser.add_argument("--every", type=int, default=1, help="only each N-th page")
    parser.add_argument("--least", type=float, default=0.9, metavar="SHARE")
    options = parser.parse_args(arguments)
    if not gold_folder().is_dir():
        print("targets: there is no corpus, nothing is compared")
        return 0
    tasks = [
        one for one in all_tasks(gold_folder()) if options.filter in str(one.sample)
    ][:: options.every]
    every, carried = 0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        for number, task in enumerate(tasks):
            try:
                keys, wrong = compare(task, Path(folder), f"w{number}")
            except AmberError as error:
                print(f"{task.sample.name}: {error}")
                continue
            every += keys
            for name, lacking in wrong.items():
                carried[name] += keys - len(lacking)
                if lacking:
                    print(f"{task.sample.name}: {name}: {', '.join(lacking)}")
    for name, number in carried.items():
        print(f"{name}: {number} of {every} fields, {number / every:.1%}")
    return int(any(number < options.least * every for number in carried.values()))


def compare(task: Task, folder: Path, name: str) -> tuple[int, dict[str, list[str]]]:
    """How many fields a page's wrapper has, and by target those that aren't carried."""
    source = read_saved_page(str(task.sample))
    names = [task.domain] if task.domain else built_in_domains()
    wrapper = compile_wrapper([source], [load(one) for one in names]).wrapper
    body = source.saved.body
    built = build_file(wrapper, [body], "benchmark")
    program, module = program_from_data(built.stored.program), import_file(built.source)
    wanted: Rows = module.extract(body, URL)
    keys = list(wanted[0])
    response = HtmlResponse(URL, body=body)
    found = {"scrapy": list(module.extract(response.selector, URL))}

    subject = Subject(name, program, wrapper, built.source, URL, (source,))
    page = target("web-poet").make(subject).files[f"{name}_page.py"]
    (folder / f"{name}.py").write_text(built.source, "utf-8")
    (folder / f"{name}_page.py").write_text(str(page), "utf-8")
    importlib.invalidate_caches()
    page_class = getattr(importlib.import_module(f"{name}_page"), f"W{name[1:]}Page")
    item = asyncio.run(page_class(HttpResponse(URL, body)).to_item())
    rows = [list(asdict(one).values()) for one in item.records]
    found["web-poet"] = [dict(zip(keys, row, strict=True)) for row in rows]

    wrong = {
        one: list(differing(rows, wanted, keys)) for one, rows in found.items()
    } | {"spidermon": list(refused(program, wanted))}
    return len(keys), wrong


def differing(rows: Rows, wanted: Rows, keys: Sequence[str]) -> Iterator[str]:
    """The keys whose values aren't the same."""
    for key in keys:
        if [one[key] for one in rows] != [one[key] for one in wanted]:
            yield key


def refused(program: Program, wanted: Rows) -> Iterator[str]:
    """The keys that the monitors would flag on the sample itself."""
    fields = record_fields(program)
    schema = schema_of(program, fields)["properties"]
    for field in fields:
        values = [one[field.key] for one in wanted if one[field.key] is not None]
        share = program.expected.get(field.key, (0.0, ""))[0]
        valid = Draft7Validator(schema[str(field.name)])
        wrong = sum(not valid.is_valid(one) for one in values)
        if len(values) < share * len(wanted) or 2 * wrong > len(values):
            yield field.key


if __name__ == "__main__":
    sys.exit(main())
