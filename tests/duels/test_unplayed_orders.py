"""The orders of a turn that the players ended before it was played: nobody ever learns them.

Two worlds differ only in them, and after the end every byte that anyone can fetch is the same in both.
"""

import json

import pytest
from django.test import Client

from duels.models import OrderSheet, TurnEvent
from duels.services.clocks.call_off import call_off_battle
from email_gateway.compose.notices import compose_notice
from fm_site.pages.export import export_user
from notifications.models import Notice
from studies.selectors.dump import read_month
from tests.duels.fights import Fight
from tests.duels.janitors import make_janitor
from tests.duels.test_secrecy import differences, take_down, taken_back
from tests.scenes import DAY, NOW, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.once]
ONE, OTHER = "LH W\nRH F\nSAY one", "LH P\nRH D\nSAY other"
PAGES = ["", "table/", "story/", "transcript/", "record.txt", "record.json", "proof/", "board.svg", "replay/"]
PAGES += ["analysis/", "replay/1/", "replay/1/?eyes=Froodal", "notes/"]
CALLS = ("", "events/", "table/", "story/", "record/", "proof/")


def end_by_call(fight: Fight) -> None:
    call_off_battle(combatant=fight.combatant("Froodal"), now=NOW + DAY)


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


@pytest.mark.parametrize("end", [end_by_call])
def test_orders_of_a_turn_that_was_never_played_are_in_no_byte(duel, end):
    seen = []
    for orders in (ONE, OTHER):
        with taken_back():
            duel.order("Froodal", orders)
            end(duel)
            duel.battle.refresh_from_db()
            assert duel.battle.is_over
            seen.append(read_everything(duel))
            assert not OrderSheet.objects.exclude(lines=[], text="", draft="", commitments=None).exists()
    assert differences(*seen) == []
