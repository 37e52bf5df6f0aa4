"""`./run` in a fresh checkout: what it creates, and what it says when it cannot."""

import os
import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest

from tests.services.stack import ROOT


@pytest.fixture
def bootstrap(tmp_path, monkeypatch):
    """The script as a module whose project is a folder with only a list of requirements."""
    loader = SourceFileLoader("bootstrap", str(ROOT / "run"))
    module = module_from_spec(spec_from_loader("bootstrap", loader))
    loader.exec_module(module)
    (tmp_path / "requirements-dev.txt").write_text("")
    monkeypatch.setattr(module, "LOCK", str(tmp_path / "requirements-dev.txt"))
    monkeypatch.setattr(module, "VENV", str(tmp_path / ".venv"))
    monkeypatch.setattr(module, "VENV_PYTHON", str(tmp_path / ".venv" / "bin" / "python"))
    monkeypatch.setattr(module, "STAMP", str(tmp_path / ".venv" / ".firetop-stamp"))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    return module


@pytest.fixture
def installs(bootstrap, monkeypatch):
    """The list of installations, instead of real ones."""
    made = []

    def install():
        os.makedirs(os.path.dirname(bootstrap.VENV_PYTHON), exist_ok=True)  # noqa: PTH103, PTH120
        os.symlink(sys.executable, bootstrap.VENV_PYTHON) if not made else None  # noqa: PTH211
        made.append("install")

    monkeypatch.setattr(bootstrap, "install", install)
    return made


def test_a_second_set_up_does_nothing(bootstrap, installs):
    bootstrap.set_up()
    bootstrap.set_up()
    assert installs == ["install"]


def test_changed_requirements_are_installed(bootstrap, installs, tmp_path):
    bootstrap.set_up()
    (tmp_path / "requirements-dev.txt").write_text("# another")
    bootstrap.set_up()
    assert installs == ["install", "install"]


def test_a_failed_set_up_is_repeated(bootstrap, installs, monkeypatch):
    def fail():
        raise SystemExit("no network")

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(bootstrap, "install", fail)
        bootstrap.set_up()
    bootstrap.set_up()
    assert installs == ["install"]


@pytest.mark.parametrize("module", ["ensurepip", "venv"])
def test_a_python_without_venv_gets_instructions(bootstrap, monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(SystemExit, match="apt install python3-venv"):
        bootstrap.install()


def test_an_old_python_is_named_and_the_needed_one_too(bootstrap, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(sys, "version", "3.9.2 (default)")
    with pytest.raises(SystemExit, match=r"needs Python 3\.11 or newer; this is 3\.9\.2"):
        bootstrap.find_python()


def test_an_unknown_command_lists_the_known_ones():
    answer = subprocess.run([sys.executable, str(ROOT / "run"), "serv"], capture_output=True, text=True)
    assert answer.returncode == 2
    assert "no command 'serv'" in answer.stdout
    assert "./run setup" in answer.stdout


def test_the_script_parses_on_an_old_python():
    """It must be able to report that Python is too old, so its syntax must be valid in Python 3.6."""
    import ast

    ast.parse((ROOT / "run").read_text(), feature_version=(3, 6))


@pytest.mark.parametrize(
    "name", ["requirements.txt", *(f"requirements-{name}.txt" for name in ("dev", "release", "storage"))]
)
def test_the_lock_names_no_host_and_every_line_has_its_hashes(name):
    lines = (ROOT / name).read_text().splitlines()
    assert not [line for line in lines if "://" in line or line.startswith("--index")]
    starts = [number for number, line in enumerate(lines) if line and not line.startswith(" ")]
    assert len(starts) > 20
    assert all("--hash=sha256:" in lines[number + 1] for number in starts)


def test_a_linked_environment_is_used_and_never_cleared(bootstrap, installs, tmp_path, monkeypatch):
    bootstrap.set_up()
    elsewhere = (tmp_path / ".venv").rename(tmp_path / "elsewhere")
    (tmp_path / ".venv").symlink_to(elsewhere)
    monkeypatch.undo()
    (elsewhere / ".firetop-stamp").write_text("of another list")
    for name, path in {"VENV": ".venv", "VENV_PYTHON": ".venv/bin/python", "STAMP": ".venv/.firetop-stamp"}.items():
        monkeypatch.setattr(bootstrap, name, str(tmp_path / path))
    with pytest.raises(SystemExit, match="is a link"):
        bootstrap.set_up()
    assert (elsewhere / "bin" / "python").exists()
    (elsewhere / ".firetop-stamp").write_text(bootstrap.fingerprint((ROOT / "requirements-dev.txt").read_bytes()))
    bootstrap.set_up()
