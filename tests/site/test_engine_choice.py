"""Which rules engine the site uses, and when it uses a compiled build."""

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

from fm_site.compiling import choice as engine
from fm_site.compiling import compiler as engine_compiler
from fm_site.compiling.choice import (
    AUTO,
    COMPILED,
    PACKAGE,
    PURE,
    ROOT,
    SOURCE,
    NoSuchEngine,
    choose_engine,
    find_build,
    fingerprint,
)
from fm_site.compiling.compiler import CannotCompile, build_wheel, compile_engine, try_build
from tests import engines

pytestmark = pytest.mark.once
WHERE = "import fm_site.settings as s, rules_engine.turn as t; print(s.FM_ENGINE, t.__file__)"


def test_no_class_of_the_source_inherits_from_one_that_is_compiled():
    """Such a class breaks when it is used with the build: compiled classes know no others below them."""
    names = re.findall(r'^    "([\w/]+)",$', (PACKAGE / "setup.py").read_text(), re.MULTILINE)
    compiled = {SOURCE / f"{name}.py" for name in names}
    assert SOURCE / "dice.py" in compiled
    native = {each.name for path in compiled for each in list_classes(path)}
    rest = [path for path in SOURCE.rglob("*.py") if path not in compiled]
    heirs = [
        f"{path.relative_to(SOURCE)}: {each.name}"
        for path in rest
        for each in list_classes(path)
        if native & {base.id for base in each.bases if isinstance(base, ast.Name)}
    ]
    assert heirs == []


def list_classes(path):
    return [each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.ClassDef)]


@pytest.fixture
def build(tmp_path):
    """A data folder with a build: a copy of the source, which needs no compiler."""
    folder = tmp_path / "engine" / fingerprint()
    shutil.copytree(SOURCE, folder / "rules_engine", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def start(data_dir, **environment):
    """Return a process's report about its engine."""
    plain = {name: value for name, value in os.environ.items() if name != "FM_ENGINE"}
    return subprocess.run(
        [sys.executable, "-c", WHERE],
        cwd=ROOT,
        env={**plain, "FM_DATA_DIR": str(data_dir), "SECRET_KEY": "x" * 50, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_site_uses_a_build_of_exactly_this_source(build, tmp_path):
    assert start(tmp_path).stdout.split() == [COMPILED, str(build / "rules_engine" / "turn.py")]


def test_a_setting_keeps_the_site_on_the_source(build, tmp_path):
    assert start(tmp_path, FM_ENGINE="pure").stdout.split() == [PURE, str(SOURCE / "turn.py")]


def test_a_build_of_another_source_is_never_used(build, tmp_path):
    build.rename(build.with_name("0" * 20))
    assert start(tmp_path).stdout.split() == [PURE, str(SOURCE / "turn.py")]
    refused = start(tmp_path, FM_ENGINE="compiled")
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith("has no build: ./run compile")


def test_every_change_of_the_source_changes_its_name(tmp_path, monkeypatch):
    names = [fingerprint()]
    monkeypatch.setattr(engine, "ROOT", tmp_path)
    for name in ("SOURCE", "PACKAGE"):
        copy = tmp_path / getattr(engine, name).relative_to(ROOT)
        shutil.copytree(getattr(engine, name), copy, ignore=shutil.ignore_patterns("__pycache__"))
        monkeypatch.setattr(engine, name, copy)
    assert [fingerprint()] == names
    for path in (
        "rules_engine/dice.py",
        "rules_engine/bots/weights/firetop-standard.json",
        "packages/rules_engine/setup.py",
    ):
        changed = tmp_path / path
        changed.write_text(changed.read_text().replace("a", "b", 1))
        names.append(fingerprint())
    assert len(set(names)) == 4


def test_a_wrong_setting_names_the_right_ones(tmp_path):
    with pytest.raises(NoSuchEngine, match="may be auto, pure, compiled"):
        choose_engine("fast", tmp_path)


def test_a_build_is_not_chosen_once_the_source_is_imported(build, tmp_path):
    with pytest.raises(NoSuchEngine, match="was imported before"):
        choose_engine(AUTO, tmp_path)


def test_without_a_compiler_one_sentence_says_what_to_do(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CC", "no-such-compiler")
    monkeypatch.setenv("FM_DATA_DIR", str(tmp_path))
    assert engine_compiler.main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("compile: there is no C compiler (no-such-compiler). Install one")
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_build_that_plays_differently_is_rejected(build, monkeypatch):
    monkeypatch.setattr(engine_compiler, "TURNS_OF_TRIAL", 1)
    attacks = build / "rules_engine" / "steps" / "attacks.py"
    right = attacks.read_text()
    attacks.write_text(right.replace("STAB_DAMAGE: Final = 1", "STAB_DAMAGE: Final = 2"))
    assert attacks.read_text() != right
    with pytest.raises(CannotCompile, match="plays differently"):
        try_build(build)


def test_engines_says_what_is_missing(tmp_path, monkeypatch, capsys, build):
    monkeypatch.setenv("FM_DATA_DIR", str(tmp_path))
    assert engines.main(["--conformance", str(tmp_path / "games")]) == 2
    assert "games is not there" in capsys.readouterr().err
    shutil.rmtree(build)
    assert engines.main([]) == 2
    assert "there is no build of this source" in capsys.readouterr().err


def test_the_wheel_works_by_itself(tmp_path):
    """Its examples work with only Python and the wheel, which contains its languages, weights and types."""
    with zipfile.ZipFile(build_wheel(tmp_path / "wheels", compiled=False)) as wheel:
        wheel.extractall(tmp_path / "there")
    assert (tmp_path / "there" / "rules_engine" / "py.typed").is_file()
    program = f"""
import doctest, sys
sys.path[:0] = [{str(tmp_path / "there")!r}]
failed, tried = doctest.testfile({str(engine.PACKAGE / "README.md")!r}, module_relative=False)
assert tried > 15 and not failed
from rules_engine import use_language
from rules_engine.bots.worth import load_weights
from rules_engine.text import say
with use_language("de"):
    assert say("You have no banked spell to fire.") != "You have no banked spell to fire."
assert load_weights("firetop-standard").about
foreign = {{name.partition(".")[0] for name in sys.modules}} - set(sys.stdlib_module_names)
print(sorted(foreign - {{"__main__", "__mp_main__"}}))
"""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("['rules_engine']", "")


@pytest.mark.slow
def test_a_build_by_mypyc_plays_like_the_source(tmp_path, monkeypatch, capsys):
    made = compile_engine(tmp_path)
    assert made == find_build(tmp_path)
    assert len(list((tmp_path / "engine" / "wheels").glob("*.whl"))) == 2
    assert start(tmp_path).stdout.split()[1].endswith(".so")
    monkeypatch.setenv("FM_DATA_DIR", str(tmp_path))
    assert engines.main(["--turns", "300"]) == 0
    assert "random turns: the same" in capsys.readouterr().out
