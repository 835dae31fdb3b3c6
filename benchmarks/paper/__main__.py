"""Repeat the evaluation of the AMBER paper (section 6), one experiment at a time.

    python benchmarks/paper [NAME | all] [options]

Without a name, the experiments are listed. `NAME --help` lists the options of an
experiment. `all` runs all experiments with the same options.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import comparison
import learning
import robustness
from accuracy import ACCURACY, SIZES, THRESHOLDS
from experiment import run
from generated_pages import LARGESCALE, NOISE

EXPERIMENTS = (
    *(NOISE, ACCURACY, LARGESCALE, robustness.main, THRESHOLDS, learning.main),
    *(SIZES, comparison.main),
)
"""The experiments, in the order of the paper."""

if __name__ == "__main__":
    sys.exit(run(__doc__, EXPERIMENTS))
