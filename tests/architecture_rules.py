"""The rules of the architecture as functions: each takes sources and returns one sentence for each violation."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The apps from the highest to the lowest: each may import itself and those below it. duels, pictures and studies
# use the engine, and janitors set results and rewind turns in its terms (docs/decisions/0008).
APPS = (
    "fm_site",
    "email_gateway",
    "moderation",
    "league",
    "challenges",
    "studies",
    "pictures",
    "duels",
    "ladder",
    "accounts",
    "notifications",
    "operations",
)
MAY_IMPORT = {app: set(APPS[place + 1 :]) for place, app in enumerate(APPS)} | {"rules_engine": set()}
for _app in ("duels", "pictures", "studies", "moderation"):
    MAY_IMPORT[_app].add("rules_engine")
# Chooses which build of the engine this process imports, and checks which one it has.
CHOOSES_THE_ENGINE = "fm_site.compiling.choice"
ENTRY_POINTS = {"views", "api", "forms", "admin", "consumers", "tasks", "management", "urls", "routing"}
# What something outside calls: a browser, a program, a clock, a person at a shell. None of it calls another.
DOORS = {"views", "api", "pages", "consumers", "tasks", "management", "admin"}
# These only list doors.
ASSEMBLING = {"urls", "asgi", "apps", "routers"}
SERVICES = {"services", "selectors", "reports"}
# The layers of the gateway, from the highest to the lowest: each may import those after it. What several of them share
# is below them all; the entry points are above.
GATEWAY_LAYERS = ("receive", "commands", "compose", "deliver")
# The functions that change rows which these layers offer to those above them and to the entry points.
GATEWAY_SERVICES = {
    f"email_gateway.{name}"
    for name in (
        "receive.intake.ingest_mail",
        "receive.process_mail.claim_inbound",
        "receive.process_mail.process_mail",
        "receive.process_mail.release_mail",
        "receive.delivery_reports.process_report",
        "commands.new_users.request_newuser",
        "commands.new_users.confirm_newuser",
        "commands.new_users.forget_expired_requests",
        "commands.account_changes.request_password_change",
        "commands.account_changes.request_address_change",
        "commands.account_changes.request_leaving",
        "commands.account_changes.request_mage_act",
        "commands.account_changes.request_surrender",
        "commands.account_changes.request_announcement",
        "commands.account_changes.confirm_change",
        "commands.account_changes.forget_expired_changes",
        "commands.relay_messages.relay_message",
        "commands.relay_messages.relay_announcement",
        "commands.resend.resend_mails",
        "compose.write_answer.write_answer",
        "compose.write_answer.write_fault_answer",
        "compose.outbox.deliver_due",
        "compose.outbox.deliver_proofs",
        "compose.outbox.send_deliveries",
        "deliver.bounces.note_failure",
        "deliver.bounces.note_complaint",
        "deliver.bounces.resume_email",
        "deliver.bounces.clear_failures",
        "deliver.local_mailbox.store_local_mail",
        "deliver.notify_janitors.notify_of_stuck_mail",
        "deliver.notify_janitors.notify_of_mail_for_janitors",
        "deliver.notify_janitors.notify_of_failing_address",
        "deliver.prune.prune_copies",
        "compose.parts.stop_mails.stop_mails",
    )
}
GATEWAY_ENTRY_POINTS = ENTRY_POINTS | {"checks", "apps", "desk"}
SHAPELESS = {"utils", "util", "helpers", "helper", "common", "managers", "misc"}
CLOCKS = {"timezone.now", "datetime.now", "datetime.utcnow", "date.today", "time.time", "datetime.datetime.now"}
OUTSIDE = {("rules_engine.bots.tools.learning", "numpy"), ("rules_engine.native", "mypy_extensions")}
IMPURE = {
    *("random", "secrets", "uuid", "time", "datetime"),
    *("os", "socket", "subprocess", "threading", "asyncio", "urllib", "http"),
}


@dataclass(frozen=True)
class Source:
    """One module: its dotted name, its text, and its syntax tree."""

    module: str
    text: str
    is_package: bool = False

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def parts(self) -> list[str]:
        return self.module.split(".")

    @property
    def app(self) -> str:
        return name_app(self.module)

    @property
    def inside(self) -> list[str]:
        """The names below the app's own."""
        return self.parts[1:]

    @property
    def layer(self) -> str:
        """The kind of code it is: models, services, views ...; in a room of an app the name inside it that says so."""
        kinds = ENTRY_POINTS | SERVICES | {"models"}
        return next((name for name in self.inside if name in kinds), self.inside[0] if self.inside else "")


def name_app(module: str) -> str:
    """Return the app that a dotted name belongs to: "operations" for "operations.models"."""
    return module.partition(".")[0]


def read_sources(root: Path = ROOT) -> list[Source]:
    """Return every module of every app, without migrations."""
    paths = [
        path
        for folder in MAY_IMPORT
        for path in sorted((root / folder).rglob("*.py"))
        if "migrations" not in path.parts
    ]
    return [Source(name_module(path.relative_to(root)), path.read_text(), path.name == "__init__.py") for path in paths]


def name_module(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def list_nodes(source: Source) -> tuple[ast.AST, ...]:
    """Return the imports, comparisons and calls anywhere in a module; to parse it for every rule would take longest."""
    kinds = (ast.Import, ast.ImportFrom, ast.Compare, ast.Call)
    return tuple(node for node in ast.walk(source.tree) if isinstance(node, kinds))


@cache
def list_imports(source: Source) -> tuple[str, ...]:
    """Return the dotted names that a module imports anywhere in it; `from a import b` gives a and a.b."""
    found: list[str] = []
    for node in list_nodes(source):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve(source, node)
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return tuple(found)


def resolve(source: Source, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    package = source.parts if source.is_package else source.parts[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, node.module] if node.module else base)


def check_apps_import_downward(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module} imports {app}, which is not below {source.app}"
        for source in sources
        for app in sorted({name_app(name) for name in list_imports(source)} & set(MAY_IMPORT) - {source.app})
        if app not in MAY_IMPORT[source.app] and (source.module, app) != (CHOOSES_THE_ENGINE, "rules_engine")
    ]


def check_layers_import_downward(sources: Iterable[Source]) -> list[str]:
    """Models reach no service or entry point, and services no entry point, not even through other modules."""
    known = {source.module: source for source in sources}
    edges = {module: inside_app(source, known) for module, source in known.items()}
    breaches = []
    for module, source in known.items():
        forbidden = {"models": ENTRY_POINTS | SERVICES, **dict.fromkeys(SERVICES, ENTRY_POINTS)}.get(
            source.layer, set()
        )
        for reached in sorted(reach(module, edges)):
            if known[reached].layer in forbidden:
                breaches.append(f"{module} reaches {reached}: {source.layer} are below {known[reached].layer}")
    return breaches


def check_entry_points_import_no_entry_points(sources: Iterable[Source]) -> list[str]:
    """What two entry points share is a service, a selector or a module with a subject; modules of one room share it
    there. Tasks are called by name, through a wake-up."""
    known = {source.module: source for source in sources}
    return [
        f"{source.module} imports {name}: what {find_door(known[name])} share with others is no entry point"
        for source in known.values()
        if source.parts[-1] not in ASSEMBLING and source.app != "rules_engine"
        for name in sorted(set(list_imports(source)) & set(known))
        if find_door(known[name]) and find_door(known[name]) != find_door(source)
    ]


def find_door(source: Source) -> str:
    """Return the room of an entry point with its app, such as "duels.views"; "" for any other module."""
    place = next((place for place, name in enumerate(source.parts) if place and name in DOORS), None)
    return ".".join(source.parts[: place + 1]) if place is not None else ""


def check_gateway_imports_one_way(sources: Iterable[Source]) -> list[str]:
    """An email passes the gateway one way: no layer imports one above it, and shared modules import none."""
    known = {source.module: source for source in sources}
    breaches = []
    for source in known.values():
        if source.app != "email_gateway" or source.layer in GATEWAY_ENTRY_POINTS:
            continue
        below = GATEWAY_LAYERS[GATEWAY_LAYERS.index(source.layer) :] if source.layer in GATEWAY_LAYERS else ()
        breaches += [
            f"{source.module} imports {name}: {known[name].layer} stands above it"
            for name in sorted(inside_app(source, known))
            if known[name].layer in GATEWAY_LAYERS and known[name].layer not in below
        ]
    return breaches


def inside_app(source: Source, known: dict[str, Source]) -> set[str]:
    """Return the modules of its own app that a module imports."""
    return {
        name for name in list_imports(source) if name in known and known[name].app == source.app and name != source.app
    } - {source.module}


def reach(module: str, edges: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for name in edges[waiting.pop()] - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def check_engine_is_pure(sources: Iterable[Source]) -> list[str]:
    """The engine imports only the standard library, and none of its input and output, except in the command line.

    Two exceptions: the module that fits networks imports numpy, and the hints for mypyc come from mypy_extensions,
    which only mypy and mypyc read.
    """
    return [
        f"{source.module} imports {name}: the engine has no clock, no chance and no outside world"
        for source in sources
        if source.app == "rules_engine"
        for name in sorted({name.partition(".")[0] for name in list_imports(source)} - {"rules_engine"})
        if (source.module, name) not in OUTSIDE
        if name not in sys.stdlib_module_names or (name in IMPURE and not is_command_line(source))
    ]


def check_engine_imports_in_order(sources: Iterable[Source]) -> list[str]:
    """The engine's modules have an order in which each imports only earlier ones, types included.

    An import also runs the packages of the imported module, except those that contain the importing one.
    """
    known = {source.module: source for source in sources if source.app == "rules_engine"}
    edges = {module: run_by(source, known) for module, source in known.items()}
    reached = {module: reach(module, edges) for module in known}
    cycles = {
        tuple(sorted({module, *(other for other in reached[module] if module in reached[other])}))
        for module in known
        if module in reached[module]
    }
    return [f"{', '.join(cycle)} import each other" for cycle in sorted(cycles)]


def run_by(source: Source, known: dict[str, Source]) -> set[str]:
    """Return the known modules that run when a module is first imported."""
    names = {name for imported in list_imports(source) for name in list_prefixes(imported)}
    return names & set(known) - set(list_prefixes(source.module))


def list_prefixes(name: str) -> list[str]:
    """Return a.b.c and the packages that contain it: a, a.b, a.b.c."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def is_command_line(source: Source) -> bool:
    return source.parts[-1] == "__main__" or bool({"commands", "tools"} & set(source.parts))


def check_only_the_gateway_mails(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module} imports {name}: only email_gateway sends email, others write a Notice"
        for source in sources
        if source.app != "email_gateway"
        for name in ("django.core.mail", "smtplib", "anymail")
        if any(f"{imported}.".startswith(f"{name}.") for imported in list_imports(source))
    ]


def check_no_signal_is_sent(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module} defines a Signal: call the next service by name"
        for source in sources
        if {"django.dispatch.Signal", "blinker"} & set(list_imports(source))
    ]


def check_no_module_is_shapeless(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module}: a helper lives with its subject, not in a module called {source.parts[-1]}"
        for source in sources
        if SHAPELESS & set(source.parts)
    ]


def check_no_ruleset_is_asked_for_its_name(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module}:{node.lineno} compares a ruleset's name: write a named difference instead"
        for source in sources
        for node in list_nodes(source)
        if isinstance(node, ast.Compare) and any(map(is_ruleset_name, [node.left, *node.comparators]))
    ]


def is_ruleset_name(node: ast.expr) -> bool:
    # Writing an expression out takes long, so most are left out first.
    if not isinstance(node, ast.Attribute) or node.attr != "name":
        return False
    return bool(re.search(r"(^|[._])(ruleset|rules)\.name$", ast.unparse(node)))


# How Django changes rows, and what tells a query from a dictionary or a file.
CHANGES_ROWS = {"create", "bulk_create", "update", "bulk_update", "get_or_create", "update_or_create", "delete"}
QUERIES = (".objects", "_default_manager", ".filter(", ".exclude(", "_set.")
# People and programs come in here; the gateway's own tables are its commands' (GATEWAY_SERVICES).
ROADS = {"views", "api", "pages", "consumers", "admin", "forms", "live", "board"}


def check_roads_change_no_rows(sources: Iterable[Source]) -> list[str]:
    """A rule holds on every road if only services change rows: a page, a call or an action of the desk asks one."""
    return [
        f"{source.module}:{node.lineno} changes rows: {ast.unparse(node.func)}"
        for source in sources
        if ROADS & set(source.inside)
        for node in list_nodes(source)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and changes_rows(node.func)
    ]


def changes_rows(method: ast.Attribute) -> bool:
    """Whether a called method is one of a query that changes rows."""
    return method.attr in CHANGES_ROWS and any(sign in ast.unparse(method.value) for sign in QUERIES)


# The schemas of an app's API. What all APIs share has names of its own.
SCHEMAS = re.compile(r"\w+\.(api\.(\w+_)?schema|api_schema)")


def check_schemas_are_named_with_their_module(sources: Iterable[Source]) -> list[str]:
    """A battle, a chat or an event of the API is `api_schema.Battle`: `Battle` alone is the model."""
    return [
        f"{source.module}:{node.lineno} imports from {resolve(source, node)}: name its schemas with the module"
        for source in sources
        for node in list_nodes(source)
        if isinstance(node, ast.ImportFrom) and SCHEMAS.fullmatch(resolve(source, node))
    ]


def check_services_ask_no_clock(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module}:{node.lineno} calls {ast.unparse(node.func)}: a service takes `now`"
        for source in sources
        if source.layer in SERVICES or is_in_gateway_layer(source)
        for node in list_nodes(source)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and ast.unparse(node.func) in CLOCKS
    ]


def is_in_gateway_layer(source: Source) -> bool:
    """Whether a module is in a layer of the gateway. Entry points may use the clock."""
    listens = {"listener", "mail_store", "webhooks", "heartbeats"}
    return source.app == "email_gateway" and source.layer in GATEWAY_LAYERS and not listens & set(source.inside)


def check_services_take_keywords(sources: Iterable[Source]) -> list[str]:
    return [
        f"{source.module}.{function.name} takes {function.args.args[0].arg} by position: services take keywords"
        for source, function in list_services(sources)
        if function.args.args or function.args.posonlyargs
    ]


def check_services_have_one_name(sources: Iterable[Source]) -> list[str]:
    homes: dict[str, list[str]] = {}
    for source, function in list_services(sources):
        homes.setdefault(function.name, []).append(source.module)
    return [
        f"{name} is in {' and '.join(found)}: one name, one service" for name, found in homes.items() if len(found) > 1
    ]


def list_services(sources: Iterable[Source]) -> Iterator[tuple[Source, ast.FunctionDef]]:
    """Yield the functions that an app offers: the public ones of its services that other apps, entry points or
    services/__init__.py import, and the functions of the gateway in GATEWAY_SERVICES."""
    known = list(sources)
    callers = [source for source in known if source.layer != "services" or source.inside == ["services"]]
    imported = {
        f"{resolve(source, node)}.{alias.name}"
        for source in callers
        for node in list_nodes(source)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for source in known:
        for node in source.tree.body if source.layer in ("services", *GATEWAY_LAYERS) else ():
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            name = f"{source.module}.{node.name}"
            is_offered = source.layer == "services" and (len(source.inside) == 1 or name in imported)
            if is_offered or name in GATEWAY_SERVICES:
                yield source, node
