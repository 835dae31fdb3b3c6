"""The document on maintenance, followed literally: its commands run."""

from __future__ import annotations

import pytest
from transcripts import ROOT, follow, link_programs, steps, variables

DOCUMENT = ROOT / "docs" / "maintenance.md"


@pytest.mark.slow
def test_every_command_prints_what_the_document_shows(tmp_path):
    folder, programs = tmp_path / "vale", tmp_path / "bin"
    folder.mkdir()
    link_programs(programs)
    follow(DOCUMENT, folder, variables(tmp_path, programs))


def test_the_document_has_all_that_is_followed():
    kinds = [step.kind for step in steps(DOCUMENT)]
    assert kinds.count("bash") == 9
    assert kinds.count("file") == 1
