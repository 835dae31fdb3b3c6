"""The features that lists are chosen by."""

from __future__ import annotations

import os
import subprocess
import sys

from gold_corpus import GOLDEN

SCRIPT = """
import sys
from pathlib import Path
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.passes import annotate_samples, identify_lists, parse_samples
from amber_wrap.passes import find_examples, select_lists
from amber_wrap.settings import DEFAULTS, Source

pages = parse_samples([Source("", Path(sys.argv[1]).read_bytes())], DEFAULTS)
domains = [load_domain(name) for name in built_in_domains()]
annotations = annotate_samples(pages, domains, DEFAULTS)
pointed = find_examples(pages, DEFAULTS)
candidates = identify_lists(pages, annotations, pointed, DEFAULTS)
for choice in select_lists(pages, annotations, candidates, DEFAULTS)[0].values():
    for one in choice.ranked:
        print(one.score, one.features)
"""


def test_they_are_the_same_in_every_process():
    """Whatever order sets of strings have there."""
    page = GOLDEN / "car-grid" / "sample.html"
    told = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, str(page)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
    assert b"mark_elsewhere" in told.pop()
