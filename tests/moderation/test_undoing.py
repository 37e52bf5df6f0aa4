"""Every action of the desk, done and undone with its form: all rows of all tables are as before."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.apps import apps
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import AccountWarning, Sanction, User
from accounts.services.hosts import mark_host, offer_to_host
from accounts.services.ties import block_user
from challenges.models import RoomLine
from duels.models import ChatLine, MissedTurn, Stage
from ladder.tasks import sweep_unrated_battles
from moderation.admin.row_actions import AdminWithActions
from moderation.models import JournalEntry, Report
from moderation.services.battles.change_clocks import pause_for_janitor
from moderation.services.merge_users import merge_users
from moderation.services.reports import assign_report, make_report, suspend_user, warn_user
from moderation.services.user_actions import start_vacation_for_janitor
from rules_engine import RulesError
from studies.services.collections import change_collection, make_collection
from studies.tasks import count_finished_battles
from tests.duels.fights import Fight, start_fight
from tests.duels.janitors import OPENED, WHY, make_janitor
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.services.empty_tables import find_filled_tables

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# The journal and the notices: all of them stay.
LOGS = {
    # Messages to the clocks, which check again.
    "accounts.ClockUpdate",
    "moderation.JournalEntry",
    "accounts.UserMerge",
    "notifications.Notice",
    "notifications.Delivery",
    "admin.LogEntry",
    "moderation.Consent",
    "duels.Replay",
    "ladder.ScoreRevision",
    "ladder.RevisedEntry",
    "sessions.Session",
}
# Rows that are recomputed get new numbers, and are otherwise the same.
NEW_NUMBERS = {"id", "battle_id", "side_id"}


@dataclass
class DeskScene:
    """A janitor at the desk, a running duel, and two users."""

    desk: Client
    janitor: User
    duel: Fight
    jon: User
    twin: User
    break_rules: Callable[[Callable[[], None]], None]

    def details(self, **more: Any) -> dict[str, Any]:
        return {"by": self.janitor, "reason": WHY, "now": NOW, **more}

    def do(self, about: Any, slug: str, **data: Any) -> None:
        address = f"admin:{about._meta.app_label}_{about._meta.model_name}"
        answer = self.desk.post(reverse(f"{address}_act", args=[about.pk, slug]), {"reason": WHY, **data})
        assert answer.status_code == (200 if slug == "look" else 302), answer.content.decode()

    def act_on_list(self, row: Any, action: str) -> None:
        address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_changelist")
        answer = self.desk.post(address, {"action": action, "_selected_action": [row.pk]})
        assert answer.status_code == 302


@pytest.fixture
def scene(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    janitor = make_janitor()
    desk = log_in(janitor)
    desk.get("/admin/desk/")

    def break_rules(order):
        def fail(*_):
            raise RulesError("a fault")

        with monkeypatch.context() as patch:
            patch.setattr("duels.services.resolve.advance", fail)
            order()

    duel = start_fight(make_mage("Froodal"), make_mage("Bung"))
    duel.turn("S/W", "P/-")
    return DeskScene(desk, janitor, duel, make_user("Jon"), make_user("Twin"), break_rules)


def settle():
    """Let the site finish its counting."""
    sweep_unrated_battles()
    count_finished_battles()


def picture():
    """Every row of every table except the logs."""
    filled = find_filled_tables(connection)
    return {
        model._meta.label: sorted(str(write_row(model, row)) for row in model._default_manager.values())
        for model in apps.get_models()
        if model._meta.label not in LOGS and model._meta.db_table in filled
    }


def write_row(model, row):
    # A resolved turn gets a new version each time, so that no cache confuses it with the turn before.
    new = NEW_NUMBERS if model._meta.app_label == "ladder" else {"mark"} if model._meta.label == "duels.Turn" else ()
    # Nothing makes an opened seed secret again: a battle that continues after its end has a new one.
    new = OPENED if model._meta.label == "duels.Battle" else new
    return [item for item in row.items() if item[0] not in new]


def end_in_surrender(scene):
    scene.duel.turn("F/F", "P/P")
    return {}


def rewind(scene):
    return end_in_surrender(scene) | {"turn": "1", "without_consent": "both are away"}


def excuse(scene):
    bung = scene.duel.combatant("Bung")
    missed = MissedTurn.objects.create(combatant=bung, user=bung.mage.user, stage=Stage.objects.last(), missed_at=NOW)
    return {"missed": str(missed.pk)}


def pause(scene):
    pause_for_janitor(battle=scene.duel.battle, **scene.details())
    return {}


def write_line(scene):
    line = ChatLine.objects.create(
        battle=scene.duel.battle, user=scene.jon, room="spectators", text="Boo!", once="1", created_at=NOW
    )
    return {"line": str(line.pk)}


def get_stuck(scene):
    scene.break_rules(lambda: scene.duel.turn("F/F", "P/P"))
    assert scene.duel.battle.status == "stuck"
    return {}


def go_away(scene):
    start_vacation_for_janitor(user=scene.jon, days=9, **scene.details())
    return {}


def be_suspended(scene):
    suspend_user(user=scene.jon, ends_at=None, **scene.details())
    return {}


def be_warned(scene):
    warning = warn_user(user=scene.jon, by=scene.janitor, text="Mind your words.", now=NOW)
    return {"warning": str(warning.pk)}


def have_fought(scene):
    crom = make_mage("Crom")
    for one, other in ((make_mage("Ayla", scene.jon), crom), (make_mage("Boldo", scene.twin), crom)):
        start_fight(one, other).turn("-/-", "P/P")
    block_user(user=scene.twin, blocked=crom.user, now=NOW)
    return {"other": "twin"}


def be_merged(scene):
    have_fought(scene)
    merge_users(kept=scene.jon, merged=scene.twin, **scene.details())
    return {}


def share_words(scene):
    collection = make_collection(owner=scene.jon, name="Bad words", now=NOW)
    change_collection(collection=collection, user=scene.jon, name="Bad words", words="Worse", access="public")
    return {"address": f"https://site.example/collections/{collection.slug}/"}


def write_room_line(scene):
    line = RoomLine.objects.create(writer=scene.jon, text="Boo!", once="1", written_at=NOW)
    return {"line": str(line.pk)}


def offer_hosting(scene):
    offer_to_host(user=scene.jon, now=NOW)
    return {}


def be_host(scene):
    offer_hosting(scene)
    mark_host(user=scene.jon, now=NOW)
    return {}


# The data for the form of each action, after its preparation.
BATTLE_SCENES = {
    "look": lambda scene: {"mage": "Bung"},
    "ask": lambda scene: {"turn": "1"},
    "rewind": rewind,
    "order": lambda scene: {"mage": "Bung", "orders": "LH P\nRH D", "ready": "on", "stage": "2.0.0"},
    "extend": lambda scene: {"mage": "Bung", "hours": "24"},
    "excuse": excuse,
    "pause": lambda scene: {},
    "resume": pause,
    "result": lambda scene: {"winners": ["Bung"], "dead": ["Froodal"]},
    "annul": end_in_surrender,
    "compare": lambda scene: {},
    "play-on": get_stuck,
    "void": get_stuck,
    "remove-line": write_line,
    "week": end_in_surrender,
}
USER_SCENES = {
    "rename": lambda scene: {"name": "Jonas"},
    "vacation": lambda scene: {"days": "10"},
    "back": go_away,
    "suspend": lambda scene: {"days": "3"},
    "lift": be_suspended,
    "warn": lambda scene: {},
    "withdraw": be_warned,
    "merge": have_fought,
    "take-apart": be_merged,
    "take-down": share_words,
    "remove-line": write_room_line,
    "mute": lambda scene: {"days": "3"},
    "host": offer_hosting,
    "no-host": be_host,
}
CHANGES_NOTHING = {"look", "compare", "ask"}
# Another action of the desk undoes these.
UNDONE_BY = {"merge": ("take-apart", {}), "take-apart": ("merge", {"other": "twin"})}


def undo(scene, about, slug):
    if slug in UNDONE_BY:
        other, data = UNDONE_BY[slug]
        scene.do(about, other, **data)
    elif about == scene.jon:
        scene.do(about, "undo", entry=JournalEntry.objects.latest("pk").pk)
    elif slug not in {"look", "compare"}:
        scene.do(about, "undo", entry=about.journal.latest("number").number)


@pytest.mark.parametrize(
    ("kind", "slug"), [("battle", slug) for slug in BATTLE_SCENES] + [("user", slug) for slug in USER_SCENES]
)
def test_an_undone_action_leaves_every_row_unchanged(scene, kind, slug):
    data = (BATTLE_SCENES if kind == "battle" else USER_SCENES)[slug](scene)
    about = scene.duel.battle if kind == "battle" else scene.jon
    settle()
    before = picture()
    scene.do(about, slug, **data)
    settle()
    assert (picture() == before) == (slug in CHANGES_NOTHING)
    undo(scene, about, slug)
    settle()
    assert picture() == before


def warn_and_list(scene):
    be_warned(scene)
    return AccountWarning.objects.get()


def suspend_and_list(scene):
    be_suspended(scene)
    return Sanction.objects.get()


def report(scene):
    return make_report(reporter=scene.twin, about_user=scene.jon, text="Late.", now=NOW)


def report_in_hand(scene):
    assign_report(report=report(scene), by=scene.janitor)
    return Report.objects.get()


LIST_SCENES = {
    "accountwarning.withdraw": (warn_and_list, lambda scene, row: undo(scene, scene.jon, "withdraw")),
    "sanction.lift": (suspend_and_list, lambda scene, row: undo(scene, scene.jon, "lift")),
    "report.assign": (report, lambda scene, row: scene.act_on_list(row, "unassign")),
    "report.unassign": (report_in_hand, lambda scene, row: scene.act_on_list(row, "assign")),
}
# docs/janitors.md says what to do instead of undoing.
NOT_UNDONE = {
    "announcement.withdraw",
    "maintenance.end_maintenance",
    "heartbeat.watch_no_more",
    "inboundmail.process_again",
    "emailaddress.make_verified",
    "report.read_messages",
    "mailaddress.resume",
}


@pytest.mark.parametrize("name", LIST_SCENES)
def test_an_action_on_a_list_is_undone_too(scene, name):
    arrange, take_back = LIST_SCENES[name]
    row = arrange(scene)
    before = picture()
    scene.act_on_list(row, name.partition(".")[2])
    assert picture() != before
    take_back(scene, row)
    assert picture() == before


def test_every_action_of_the_desk_is_tested():
    row_actions, list_actions = set(), set()
    for model, table in admin.site._registry.items():
        row_actions |= {(model._meta.model_name, action.slug) for action in getattr(table, "row_actions", ())}
        list_actions |= {f"{model._meta.model_name}.{action}" for action in table.actions}
        assert isinstance(table, AdminWithActions) == bool(getattr(table, "row_actions", ())), model
    scenes = {("battle", slug) for slug in BATTLE_SCENES} | {("user", slug) for slug in USER_SCENES}
    # Undoing an undo repeats the action; nobody can undo that an account is closed or erased, or that data was sent.
    never = {("battle", "undo"), ("user", "undo"), *(("user", slug) for slug in ("close", "erase", "export"))}
    assert row_actions - never == scenes
    assert list_actions == set(LIST_SCENES) | NOT_UNDONE
