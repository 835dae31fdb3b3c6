"""Measure how long extraction rules live, on changed pages and over redesigns.

    python benchmarks/survival [NAME | all] [options]

Without a name, the experiments are listed. `NAME --help` lists the options of an
experiment. `all` runs all experiments with the same options.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "paper"))
sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import preferences
import redesigns
from campaign import ALARMS, CAMPAIGN, CHECKS
from experiment import run

if __name__ == "__main__":
    experiments = (CAMPAIGN, ALARMS, redesigns.main)
    sys.exit(run(__doc__, experiments, CHECKS, preferences.main))
