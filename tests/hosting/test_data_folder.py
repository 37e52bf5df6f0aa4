"""docs/many-machines.md says of everything that the program writes below the data folder what happens if it is lost."""

import ast
import re
from fnmatch import fnmatch

import pytest

from tests.hosting.document import MACHINES
from tests.hosting.machine import ROOT

APPS = sorted(
    path.parent.name for path in ROOT.glob("*/__init__.py") if path.parent.name not in ("tests", "benchmarks")
)
NAMES = {"DATA_DIR", "data_dir"}
# Where the data folder is used otherwise than as `DATA_DIR / "name"`: the file, and the names that it writes there.
OTHERS = {
    "fm_site/upkeep/restore_drill.py": ["drill-*"],
    "studies/services/dump.py": ["dump-*"],
    # How much room is left on its disk.
    "fm_site/upkeep/health_checks.py": [],
}


def read_table():
    """Return the names in the table, and the cells of its rows."""
    table = MACHINES.partition("| in the data folder |")[2].partition("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    return [name.rstrip("/") for row in rows for name in re.findall(r"`([^`]+)`", row[0])], rows


def is_named(name, table):
    return any(fnmatch(name, each) for each in table)


def list_uses(source):
    """Yield the first part of each path in the data folder that a module writes down, and None for any other use."""
    tree = ast.parse(source)
    parents = {child: parent for parent in ast.walk(tree) for child in ast.iter_child_nodes(parent)}
    for node in ast.walk(tree):
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        if name not in NAMES or not isinstance(node.ctx, ast.Load):
            continue
        parent = parents[node]
        if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div) and isinstance(parent.right, ast.Constant):
            yield parent.right.value.partition("/")[0]
        elif isinstance(parent, ast.Attribute):
            pass  # the folder itself: data_dir.mkdir()
        elif isinstance(parent, ast.Call) and node in parent.args and ast.unparse(parent.func) in FUNCTIONS:
            pass  # the function's own module is looked at, too
        else:
            yield None


def list_modules():
    return [path for app in APPS for path in (ROOT / app).rglob("*.py")]


def find_functions():
    """Return the functions that take the data folder."""
    found = set()
    for path in list_modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(each.arg in NAMES for each in node.args.args):
                found.add(node.name)
    return found


FUNCTIONS = find_functions()


def test_the_table_names_everything_that_the_program_writes_below_the_data_folder():
    table, _ = read_table()
    named, others = {"docs"}, {}
    for path in list_modules():
        for name in list_uses(path.read_text(encoding="utf-8")):
            if name is None:
                others[str(path.relative_to(ROOT))] = OTHERS.get(str(path.relative_to(ROOT)))
            else:
                named.add(name)
    assert others == OTHERS
    named |= {name for names in OTHERS.values() for name in names}
    assert {"secret_key", "static", "backups", "engine", "run.lock", "releases"} <= named
    assert {name for name in named if not is_named(name, table)} == set()
    assert {name for name in table if not any(fnmatch(each, name) for each in named)} == set()


@pytest.mark.parametrize(
    ("source", "used"),
    [
        ("x = DATA_DIR / 'new' / 'file'", ["new"]),
        ("settings.DATA_DIR.mkdir()", []),
        ("write(settings.DATA_DIR)", [None]),
        ("(data_dir / name).touch()", [None]),
        ("find_build(data_dir)", []),
    ],
)
def test_a_new_file_in_the_data_folder_is_found(source, used):
    assert list(list_uses(source)) == used


def test_every_row_says_what_happens_when_it_is_lost_and_what_several_machines_share():
    _, rows = read_table()
    assert len(rows) >= 10 and all(len(row) == 4 and all(row) for row in rows)
