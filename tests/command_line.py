"""Run the command line in the process of a test."""

from __future__ import annotations

import io
import sys

import pytest

from amber_wrap import cli


def command_runner(monkeypatch, capsys):
    """Return a function that runs `amber-wrap` with the given words.

    The function returns (exit code, stdout, stderr).
    """

    def call(*words, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["amber-wrap", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as exit_:
            cli.main()
        out, err = capsys.readouterr()
        return exit_.value.code or 0, out, err

    return call
