"""The project follows the rules of its architecture. Each rule is first tested on a bad example."""

import re

import pytest

from tests import architecture_rules as rules
from tests.architecture_rules import Source


@pytest.fixture(scope="module")
def sources():
    found = rules.read_sources()
    # An empty list would pass every rule.
    assert {source.app for source in found} == set(rules.MAY_IMPORT)
    return found


BAD_EXAMPLES = [
    (rules.check_apps_import_downward, [Source("accounts.services", "from duels.models import Battle\n")]),
    (
        rules.check_schemas_are_named_with_their_module,
        [Source("duels.api.routes", "from duels.api.schema import Battle\n")],
    ),
    (rules.check_apps_import_downward, [Source("ladder.services", "def f():\n    import challenges.models\n")]),
    (rules.check_apps_import_downward, [Source("challenges.views", "import rules_engine\n")]),
    (rules.check_apps_import_downward, [Source("operations.models", "from accounts.models import User\n")]),
    (rules.check_apps_import_downward, [Source("notifications.tasks", "from fm_site.pages.front import home\n")]),
    (rules.check_apps_import_downward, [Source("duels.tasks", "from email_gateway import addresses\n")]),
    (rules.check_apps_import_downward, [Source("rules_engine.turn", "from duels import models\n")]),
    (
        rules.check_layers_import_downward,
        [Source("duels.models", "from duels import services\n"), Source("duels.services", "")],
    ),
    (
        rules.check_layers_import_downward,
        [Source("duels.services", "from .views import page\n"), Source("duels.views", "")],
    ),
    (
        rules.check_layers_import_downward,
        [
            Source("duels.selectors", "import duels.board\n"),
            Source("duels.board", "from duels.forms import OrderForm\n"),
            Source("duels.forms", ""),
        ],
    ),
    (
        rules.check_entry_points_import_no_entry_points,
        [Source("challenges.api.routes", "from challenges.views.play import f\n"), Source("challenges.views.play", "")],
    ),
    (
        rules.check_entry_points_import_no_entry_points,
        [Source("fm_site.pages.home", "from studies.views import lessons\n"), Source("studies.views.lessons", "")],
    ),
    (
        rules.check_entry_points_import_no_entry_points,
        [Source("duels.live.fragments", "import duels.views.battle\n"), Source("duels.views.battle", "")],
    ),
    (
        rules.check_entry_points_import_no_entry_points,
        [Source("duels.live.hub", "from .consumers import f\n"), Source("duels.live.consumers", "")],
    ),
    (
        rules.check_gateway_imports_one_way,
        [
            Source("email_gateway.deliver.send", "from email_gateway import compose\n"),
            Source("email_gateway.compose", ""),
        ],
    ),
    (
        rules.check_gateway_imports_one_way,
        [
            Source("email_gateway.models", "from email_gateway.deliver.mail import Mail\n"),
            Source("email_gateway.deliver.mail", ""),
        ],
    ),
    (rules.check_engine_is_pure, [Source("rules_engine.turn", "import django\n")]),
    (rules.check_engine_is_pure, [Source("rules_engine.dice", "import random\n")]),
    (rules.check_engine_is_pure, [Source("rules_engine.bots.worth", "import numpy\n")]),
    (
        rules.check_engine_imports_in_order,
        [
            Source("rules_engine.turn", "from rules_engine.beings import State\n"),
            Source("rules_engine.beings", "if TYPE_CHECKING:\n    from rules_engine.turn import Turn\n"),
        ],
    ),
    (
        rules.check_engine_imports_in_order,
        [
            Source("rules_engine.rulesets", "from rules_engine.rulesets import base\n", is_package=True),
            Source("rules_engine.rulesets.base", "import rules_engine.beings\n"),
            Source("rules_engine.rulesets.points", ""),
            Source("rules_engine.beings", "from rules_engine.rulesets.points import Rules\n"),
        ],
    ),
    (rules.check_only_the_gateway_mails, [Source("accounts.adapter", "from django.core.mail import send_mail\n")]),
    (rules.check_only_the_gateway_mails, [Source("duels.tasks", "import smtplib\n")]),
    (rules.check_no_signal_is_sent, [Source("duels.services", "from django.dispatch import Signal\n")]),
    (rules.check_no_module_is_shapeless, [Source("duels.utils", "")]),
    (rules.check_no_module_is_shapeless, [Source("duels.common.dates", "")]),
    (rules.check_no_ruleset_is_asked_for_its_name, [Source("rules_engine.turn", "if ruleset.name == 'x': pass\n")]),
    (rules.check_no_ruleset_is_asked_for_its_name, [Source("rules_engine.turn", "if 'x' != turn.rules.name: pass\n")]),
    (
        rules.check_roads_change_no_rows,
        [Source("duels.views.time", "Combatant.objects.filter(pk=pk).update(claims_at=now)\nfacts.update(x)\n")],
    ),
    (rules.check_roads_change_no_rows, [Source("fm_site.pages.home", "Mage.objects.create(name=name)\n")]),
    (rules.check_services_ask_no_clock, [Source("duels.services.turns", "def f():\n    return timezone.now()\n")]),
    (
        rules.check_services_ask_no_clock,
        [Source("email_gateway.receive.process_mail", "def f():\n    return timezone.now()\n")],
    ),
    (
        rules.check_services_take_keywords,
        [Source("email_gateway.commands.relay_messages", "def relay_message(mage): ...\n")],
    ),
    (rules.check_services_take_keywords, [Source("ladder.services", "def apply_result(battle): ...\n")]),
    (
        rules.check_services_take_keywords,
        [
            Source("ladder.services", "from ladder.services.apply_results import apply_result\n", is_package=True),
            Source("ladder.services.apply_results", "def apply_result(battle): ...\n\ndef weigh(battle): ...\n"),
        ],
    ),
    (
        rules.check_services_take_keywords,
        [
            Source("accounts.services.users", "def create_user(name): ...\n\ndef hold_address(email): ...\n"),
            Source("challenges.views", "from accounts.services.users import create_user\n"),
        ],
    ),
    (
        rules.check_services_have_one_name,
        [Source("ladder.services", "def apply(*, a): ...\n"), Source("duels.services", "def apply(*, a): ...\n")],
    ),
]
RULES = list(dict.fromkeys(rule for rule, _ in BAD_EXAMPLES))


@pytest.mark.parametrize(("rule", "example"), BAD_EXAMPLES, ids=lambda value: getattr(value, "__name__", ""))
def test_a_rule_finds_the_one_breach_in_a_bad_example(rule, example):
    assert len(rule(example)) == 1


def test_every_rule_has_a_bad_example():
    assert {name for name in dir(rules) if name.startswith("check_")} == {rule.__name__ for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_project_keeps_the_rule(rule, sources):
    assert rule(sources) == []


def test_the_gateway_offers_what_the_rules_name(sources):
    offered = {f"{source.module}.{function.name}" for source, function in rules.list_services(sources)}
    assert rules.GATEWAY_SERVICES - offered == set()


def test_no_template_is_used_only_by_one_other_app():
    apps = [rules.ROOT / app for app in rules.APPS]
    homes = {
        path.relative_to(app / "templates").as_posix(): app.name
        for app in apps
        for path in (app / "templates").rglob("*.*")
    }
    users: dict[str, set[str]] = {name: set() for name in homes}
    for app in apps:
        for path in (path for kind in ("*.py", "*.html") for path in app.rglob(kind)):
            for name in re.findall(r"""["']([\w/]+\.\w+)["']""", path.read_text()):
                users.get(name, set()).add(app.name)
    assert len(homes) > 150
    assert {name: used for name, used in users.items() if len(used) == 1 and used != {homes[name]}} == {}
