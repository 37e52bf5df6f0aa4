"""Which services a view, an API call or an email order reaches, read from the source."""

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tests.architecture_rules import GATEWAY_SERVICES, Source, read_sources, resolve

Place = tuple[str, str]
"""A module, and the name of a function, class or constant in it."""


def is_service(place: Place) -> bool:
    """Whether it is a function that changes rows: one of a module of services, or of the gateway's."""
    module, name = place
    return ("services" in module.split(".") and not name.startswith("_")) or f"{module}.{name}" in GATEWAY_SERVICES


@dataclass
class CallGraph:
    """What each function, class and constant of the project names in its body."""

    names: dict[Place, set[str]]
    imports: dict[str, dict[str, str]]
    functions: set[Place]

    @classmethod
    def read(cls) -> "CallGraph":
        graph = cls({}, {}, set())
        for source in read_sources():
            if source.app != "rules_engine":
                graph._add(source)
        return graph

    def _add(self, source: Source) -> None:
        self.imports[source.module] = dict(list_aliases(source))
        for node in source.tree.body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                defined = [node.name]
                if isinstance(node, ast.FunctionDef):
                    self.functions.add((source.module, node.name))
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                defined = [target.id for target in targets if isinstance(target, ast.Name)]
            else:
                continue
            for name in defined:
                self.names[source.module, name] = set(list_named(node))

    def find_services(self, function: Callable[..., Any]) -> set[str]:
        """Return the services that a function, or what it uses on this side of them, names."""
        function = unwrap(function)
        found: set[str] = set()
        seen: set[Place] = set()
        waiting = [(function.__module__, function.__qualname__.partition(".")[0])]
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            if is_service(place) and place in self.functions:
                found.add(".".join(place))
                if not place[0].startswith(("moderation.services", "email_gateway.")):
                    continue  # those two carry out other services
            waiting += [other for name in self.names.get(place, ()) if (other := self._resolve(place[0], name))]
        return found

    def _resolve(self, module: str, name: str) -> Place | None:
        """Return the place that a name in a module means, if it is in the project."""
        first, _dot, rest = name.partition(".")
        if (module, first) in self.names:
            return module, first
        target = self.imports.get(module, {}).get(first)
        if target is None:
            return None
        home, _dot, last = target.rpartition(".")
        if (home, last) in self.names:
            return home, last
        attribute = rest.partition(".")[0]
        return (target, attribute) if (target, attribute) in self.names else None


def list_aliases(source: Source) -> Iterator[tuple[str, str]]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom):
            base = resolve(source, node)
            yield from ((alias.asname or alias.name, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from ((alias.asname, alias.name) for alias in node.names if alias.asname)


def list_named(node: ast.AST) -> Iterator[str]:
    """Yield what a definition names: `f`, or `module.f`."""
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute):
            yield ast.unparse(each)
        elif isinstance(each, ast.Name):
            yield each.id


def unwrap(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function behind its decorators, the class of a class-based view, or what a partial calls."""
    function = inspect.unwrap(function)
    function = getattr(function, "func", function)
    return getattr(function, "view_class", function)
