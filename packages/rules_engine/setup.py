"""The parts of the wheel that pyproject.toml cannot name: they lie outside this folder.

With RULES_ENGINE_COMPILE=1, the modules that play a turn, and those in which bots search, are compiled with mypyc
(``./run compile`` does that); what is imported stays the same.
"""

import os
import tempfile
import tomllib
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).resolve().parent
SOURCE = Path("..", "..", "rules_engine")
PROJECT = Path("..", "..", "pyproject.toml")
# What runs in every turn, and what a bot runs thousands of times in a search. Left out: events, whose class is a tuple,
# what only reads or writes texts, and `bots/answer_questions`, which mypyc cannot read.
COMPILED = (
    "battle",
    "beings",
    "bots/aims",
    "bots/chance",
    "bots/features",
    "bots/look_further",
    "bots/mixed_strategies",
    "bots/moves",
    "bots/network",
    "bots/play_turn",
    "bots/prior",
    "bots/search",
    "bots/shown_chances",
    "bots/tree",
    "bots/worth",
    "mutual_mind_spells",
    "dice",
    "effects",
    "errors",
    "gestures",
    "minds",
    "occasions",
    "orders",
    "outcome",
    "rules",
    "silent_turn",
    "spells",
    "state",
    "steps/attacks",
    "steps/casting",
    "steps/decisions",
    "steps/ending",
    "steps/next_turn",
    "steps/opening",
    "steps/powers",
    "steps/results",
    "steps/stopped_time",
    "steps/substitution",
    "steps/taking_orders",
    "summoning",
    "turn",
)


def compile_modules(scratch):
    if os.environ.get("RULES_ENGINE_COMPILE") != "1":
        return []
    from mypyc.build import mypycify

    # No settings but these: mypy would find those of the project that the engine lies in.
    options = ["--config-file=", "--strict", f"--cache-dir={scratch}/mypy"]
    modules = [str(SOURCE / f"{name}.py") for name in COMPILED]
    return mypycify([*options, *modules], opt_level="2", debug_level="0", group_name="rules_engine", target_dir=scratch)


os.chdir(HERE)
with tempfile.TemporaryDirectory(prefix="rules-engine-") as folder:
    setup(
        version=tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["version"],
        packages=find_packages(str(SOURCE.parent), include=["rules_engine", "rules_engine.*"]),
        package_dir={"rules_engine": str(SOURCE)},
        package_data={"rules_engine": ["py.typed", "locale/*/LC_MESSAGES/*.po", "bots/weights/*.json"]},
        ext_modules=compile_modules(folder),
        # Nothing is left behind in the source tree.
        options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}},
    )
