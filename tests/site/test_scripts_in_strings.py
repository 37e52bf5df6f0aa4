"""Benchmarks and tests hand scripts to other processes as text: the names that these import exist."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Its strings are bad examples.
LEFT_OUT = {"tests/test_architecture.py"}


def find_imports(text: str) -> Iterator[tuple[str, str]]:
    """Yield (module, name) for each import of a name in the strings of a file that are scripts."""
    strings = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    for script in strings:
        if not isinstance(script, str) or "import " not in script:
            continue
        try:
            tree = ast.parse(script)
        except SyntaxError:  # a sentence
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                yield from ((node.module, each.name) for each in node.names)


def exists(module: str, name: str) -> bool:
    try:
        found = importlib.import_module(module)
        return hasattr(found, name) or bool(importlib.import_module(f"{module}.{name}"))
    except ImportError:
        return False


def test_a_name_that_moved_is_found():
    moved = 'SCRIPT = "from duels.services import start_battle, nothing; from pathlib import Path"'
    assert [found for found in find_imports(moved) if not exists(*found)] == [
        ("duels.services", "start_battle"),
        ("duels.services", "nothing"),
    ]


def test_scripts_import_what_exists():
    paths = [path for folder in ("benchmarks", "tests") for path in (ROOT / folder).rglob("*.py")]
    found = {
        (path.relative_to(ROOT).as_posix(), module, name)
        for path in paths
        for module, name in find_imports(path.read_text(encoding="utf-8"))
    }
    assert len(found) > 80
    missing = [each for each in found if each[0] not in LEFT_OUT and not exists(*each[1:])]
    assert [each for each in missing if Path(__file__).name not in each[0]] == []
