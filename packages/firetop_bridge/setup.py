"""The parts of the wheel that pyproject.toml cannot name: the version lies outside this folder."""

import os
import tempfile
import tomllib
from pathlib import Path

from setuptools import find_packages, setup

os.chdir(Path(__file__).resolve().parent)
PROJECT = tomllib.loads(Path("..", "..", "pyproject.toml").read_text(encoding="utf-8"))
with tempfile.TemporaryDirectory(prefix="firetop-bridge-") as folder:
    setup(
        version=PROJECT["project"]["version"],
        packages=find_packages("src"),
        package_dir={"": "src"},
        # Both come from one release.
        install_requires=[f"firetop-client=={PROJECT['project']['version']}"],
        package_data={"firetop_bridge": ["py.typed"]},
        # Nothing is left behind in the source tree.
        options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}},
    )
