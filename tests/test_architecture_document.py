"""docs/architecture.md is true: its files and functions exist, and each step of a walk is called from one above it."""

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from tests import architecture_rules as rules

TEXT = (rules.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
WALKS = ("An order", "An email", "A vote", "A deadline", "A round of the league")
STEP = re.compile(r"^\d+\. `([\w/]+\.py):([\w.]+)`: \S.*$")
# A list may start at a place where something comes in from outside.
STARTS = rules.ENTRY_POINTS | {"listener", "schedule"}


@dataclass(frozen=True)
class Step:
    """One line of a walk."""

    path: str
    name: str

    @property
    def module(self) -> str:
        return rules.name_module(Path(self.path))


def read_walks(text: str) -> list[list[Step]]:
    """Return the numbered lists of a page; each starts at 1. Raises ValueError for a malformed step."""
    walks: list[list[Step]] = []
    for line in text.splitlines():
        if not re.match(r"\d+\. ", line):
            continue
        found = STEP.match(line)
        if found is None:
            raise ValueError(f"not `file:function`: why: {line}")
        if line.startswith("1. "):
            walks.append([])
        walks[-1].append(Step(found[1], found[2]))
    return walks


@cache
def read_tree(path: str) -> ast.Module:
    return ast.parse((rules.ROOT / path).read_text(encoding="utf-8"))


@cache
def list_definitions(path: str) -> frozenset[str]:
    """Return what a module defines at its top level, and the methods of its classes as Class.method."""
    found = set()
    for node in read_tree(path).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.ClassDef):
            methods = (each for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
            found |= {f"{node.name}.{method.name}" for method in methods}
    return frozenset(found)


@cache
def list_names(path: str) -> frozenset[str]:
    """Return the names that a module uses (not those it only imports), and its dotted strings."""
    found = set()
    for node in ast.walk(read_tree(path)):
        if isinstance(node, ast.Name):
            found.add(node.id)
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
    return frozenset(found)


@pytest.fixture(scope="module")
def imports() -> dict[str, set[str]]:
    """The modules of the project that each one imports."""
    sources = {source.module: source for source in rules.read_sources()}
    return {name: set(rules.list_imports(source)) & set(sources) for name, source in sources.items()}


def find_breaches(walk: list[Step], imports: dict[str, set[str]]) -> list[str]:
    """Return a walk's claims that do not match the code."""
    breaches = [
        f"{step.path}:{step.name} does not exist"
        for step in walk
        if not (rules.ROOT / step.path).is_file() or step.name not in list_definitions(step.path)
    ]
    if breaches:
        return breaches
    if not STARTS & set(walk[0].module.split(".")):
        breaches.append(f"{walk[0].path} is no entry point")
    for place, step in enumerate(walk[1:], start=1):
        if not any(leads_to(earlier, step, imports) for earlier in walk[:place]):
            breaches.append(f"no step above {step.path}:{step.name} calls it")
    return breaches


def leads_to(earlier: Step, later: Step, imports: dict[str, set[str]]) -> bool:
    """Whether the earlier step's module uses the later step's function and imports its module, or names the task that
    it sends to a worker."""
    names = list_names(earlier.path)
    called = later.name.rpartition(".")[2]
    if earlier.module == later.module:
        return called in names
    if list_task_names(later, called) & names:
        return True
    return called in names and later.module in rules.reach(earlier.module, imports)


def list_task_names(step: Step, function: str) -> set[str]:
    """Return the dotted names of the function: its own, and that of its task decorator."""
    [decorators] = [
        getattr(node, "decorator_list", [])
        for node in read_tree(step.path).body
        if getattr(node, "name", "") == function
    ] or [[]]
    given = {one.value for each in decorators for one in ast.walk(each) if isinstance(one, ast.Constant)}
    return {f"{step.module}.{function}"} | {name for name in given if isinstance(name, str)}


def test_each_walk_is_there():
    for title in WALKS:
        section = TEXT.split(f"\n## {title}\n")[1].split("\n## ")[0]
        assert read_walks(section), title


@pytest.mark.parametrize("walk", read_walks(TEXT), ids=lambda walk: walk[0].name)
def test_a_walk_is_as_the_code_says(walk, imports):
    assert find_breaches(walk, imports) == []


def test_the_walks_of_an_email_never_return_to_a_layer_above():
    section = TEXT.split("\n## An email\n")[1].split("\n## ")[0]
    for walk in read_walks(section):
        parts = [step.path.split("/") for step in walk]
        layers = [
            rules.GATEWAY_LAYERS.index(each[1])
            for each in parts
            if each[0] == "email_gateway" and each[1] in rules.GATEWAY_LAYERS
        ]
        assert layers and layers == sorted(layers)


def test_every_file_named_in_the_text_exists():
    paths = set(re.findall(r"`([\w/]+(?:\.py|/))(?::[\w.]+)?`", TEXT))
    assert len(paths) > 30
    assert {path for path in paths if not (rules.ROOT / path).exists()} == set()


def test_the_diagram_shows_the_layers_that_are_enforced():
    assert " → ".join(rules.APPS) in " ".join(TEXT.split())
    diagram = TEXT.split("```")[1]
    assert [app for app in rules.APPS if f"  {app} " not in diagram] == []


def test_every_room_of_the_site_is_in_the_table():
    # What Django looks for by these names has no room of its own.
    by_name = {"__pycache__", "management", "static", "templates", "templatetags"}
    rooms = {path.name for path in (rules.ROOT / "fm_site").iterdir() if path.is_dir()} - by_name
    assert set(re.findall(r"^\| `fm_site/(\w+)/` \|", TEXT, re.MULTILINE)) == rooms


@pytest.mark.parametrize(
    ("walk", "breach"),
    [
        ("1. `duels/views/battle.py:nowhere`: why", "does not exist"),
        ("1. `duels/nowhere.py:take_orders`: why", "does not exist"),
        ("1. `duels/services/orders.py:submit_orders`: why", "no entry point"),
        (
            "1. `duels/views/battle.py:take_orders`: why\n2. `duels/services/start.py:start_battle`: why",
            "no step above",
        ),
        ("1. `duels/views/battle.py:take_orders`: why\n2. `challenges/views/detail.py:accept`: why", "no step above"),
    ],
)
def test_a_false_walk_is_found(walk, breach, imports):
    [[found]] = [find_breaches(each, imports) for each in read_walks(walk)]
    assert breach in found


def test_a_step_without_a_reason_is_found():
    with pytest.raises(ValueError, match="not `file:function`"):
        read_walks("1. `duels/views/battle.py:take_orders`")
