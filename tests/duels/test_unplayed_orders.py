"""The orders of a turn that the players ended before it was played: nobody ever learns them.

Two worlds differ only in them, and after the end every byte that anyone can fetch is the same in both.
"""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from duels.models import OrderSheet, TurnEvent
from duels.services.clocks.call_off import call_off_battle
from duels.services.draws import accept_draw, offer_draw
from email_gateway.compose.notices import compose_notice
from fm_site.pages.export import export_user
from notifications.models import Notice
from rules_engine.records import describe_battle, import_battle, parse_record, play_record, verify_record, write_record
from studies.selectors.dump import read_month
from tests.duels.fights import Fight
from tests.duels.janitors import make_janitor
from tests.duels.test_draws import play_to
from tests.duels.test_secrecy import differences, take_down, taken_back
from tests.scenes import DAY, NOW, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ONE, OTHER = "LH W\nRH F\nSAY one", "LH P\nRH D\nSAY other"
PAGES = ["", "table/", "story/", "transcript/", "record.txt", "record.json", "proof/", "board.svg", "replay/"]
PAGES += ["analysis/", "replay/1/", "replay/1/?eyes=Froodal", "notes/"]
CALLS = ("", "events/", "table/", "story/", "record/", "proof/")


def end_by_call(fight: Fight) -> None:
    call_off_battle(combatant=fight.combatant("Froodal"), now=NOW + DAY)


def end_by_draw(fight: Fight) -> None:
    offer_draw(combatant=fight.combatant("Bung"), now=NOW)
    accept_draw(combatant=fight.combatant("Froodal"), now=NOW)


def read_everything(fight: Fight) -> dict[object, object]:
    """All bytes about the battle, by reader and address, with its emails and the copies that its users can take."""
    page, api = f"/battles/{fight.number}/", f"/api/battles/{fight.number}/"
    paths = ["/", "/news/", *(page + each for each in PAGES), *(api + each for each in CALLS)]
    readers = {name: log_in(fight.user(name)) for name in fight.names}
    readers |= {"janitor": log_in(make_janitor()), "nobody": Client()}
    found: dict[object, object] = {
        (name, path): take_down(client.get(path)) for name, client in readers.items() for path in paths
    }
    found["events"] = list(TurnEvent.objects.order_by("n").values("kind", "facts", "audience"))
    found["state"] = fight.battle.state
    found["dump"] = list(read_month(f"{NOW:%Y-%m}"))
    for name in fight.names:
        user = fight.user(name)
        found[name, "export"] = json.dumps(export_user(user, now=NOW), default=str)
        told = Notice.objects.get(user=user, kind="battle_finished")
        mail = compose_notice(kind=told.kind, facts=told.facts, user=user)
        found[name, "email"] = (mail.subject, mail.text.split("\nHashes")[0])
    return found


def check_alike(fight: Fight, order: Callable[[str], object], end: Callable[[Fight], None]) -> None:
    seen = []
    for orders in (ONE, OTHER):
        with taken_back():
            order(orders)
            end(fight)
            fight.battle.refresh_from_db()
            assert fight.battle.is_over
            seen.append(read_everything(fight))
            unplayed = OrderSheet.objects.filter(stage__turn__resolved_at=None)
            assert not unplayed.exclude(lines=[], text="", draft="", commitments=None).exists()
    assert differences(*seen) == []


@pytest.mark.parametrize(("turn", "end"), [(1, end_by_call), (5, end_by_draw)])
def test_orders_of_a_turn_that_was_never_played_are_in_no_byte(duel, turn, end):
    play_to(duel, turn)
    check_alike(duel, lambda orders: duel.order("Froodal", orders), end)


def test_nor_are_those_of_a_turn_that_had_stopped_for_a_question(duel):
    """Froodal's gestures are in the state by then, and what both have seen of them in its events."""
    duel.turns([("D/-", "D/-"), ("D/-", "D/-"), ("F/-", "-/-"), ("F/-", "W/-"), ("F/-", "W/-")])

    def stop(orders: str) -> None:
        gesture, *_, speech = orders.splitlines()
        duel.order("Froodal", f"LH -\nRH {gesture[-1]}\n{speech}\nPARALYZE LH Bung")
        duel.order("Bung", "-/-")
        assert duel.key() == (6, 0, 1), "Bung's palm ends two spells, and he must choose"

    check_alike(duel, stop, end_by_draw)


def test_the_record_of_an_agreed_draw_plays_as_it_was_played(duel):
    play_to(duel, 5)
    duel.order("Froodal", ONE)
    end_by_draw(duel)
    text = Client().get(f"/battles/{duel.number}/record.txt").content.decode()
    record = parse_record(text)
    assert verify_record(record) == () and parse_record(write_record(record)) == record
    assert (record.outcome.reason, record.outcome.by, record.outcome.turn) == ("agreed", "Bung", "5")
    assert [turn.label for turn in record.turns] == ["1", "2", "3", "4"] and "SAY" not in text
    assert (
        import_battle(Client().get(f"/battles/{duel.number}/record.json").content.decode()).record.outcome
        == record.outcome
    )
    story = describe_battle(play_record(record))
    assert story.endswith("In Round 5:\nBung offers a draw, and both mages agree on it. Nobody wins or loses.\n")
