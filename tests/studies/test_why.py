"""Why: page, API and email show the rules and events behind what happened, to each reader what they may know."""

import re

import pytest
from django.test import Client

from duels.errors import UnknownSubject, UnknownTurn
from duels.models import TurnEvent
from duels.selectors.events import events_after
from rules_engine.events import event_key
from studies.selectors.explanations import explain_turn_to_owner
from tests.duels.fights import start_fight
from tests.refusals import refused
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.once

SHIELDED = (
    "Your Magic Missile did nothing: a shield surrounded Bung (FM-MISSILE-3), because of the Shield that Bung cast "
    "on turn 2."
)


@pytest.fixture
def shielded(db):
    """Froodal's missile meets Bung's shield on turn 2; on turn 3 nothing happens."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("S/-", "-/-"), ("D/-", "P/-"), ("-/-", "-/-")])
    return fight


def page_of(fight, name):
    client = log_in(fight.user(name))
    return " ".join(client.get(f"/battles/{fight.number}/").content.decode().split())


def texts(told):
    return [" ".join(reason.text for reason in answer) for answer in told.answers]


def test_the_page_explains_each_sentence_without_scripts(shielded):
    html = page_of(shielded, "Froodal")
    chain = next(
        part for part in re.findall(r"<details class=\"whys\">.*?</details>", html) if "shield surrounded" in part
    )
    plain = re.sub(r"<[^>]+>", "", chain)
    assert "Your Magic Missile did nothing: a shield surrounded Bung (FM-MISSILE-3" in plain
    assert "because of the Shield that Bung cast on turn 2." in plain
    assert "Turn 2: Bung casts Shield on themself." in plain
    assert 'href="/rules/firetop-standard/#fm-missile"' in chain
    assert "because of the Shield that you cast on turn 2." in re.sub(r"<[^>]+>", "", page_of(shielded, "Bung"))


def test_the_page_of_a_spectator_speaks_of_nobody_as_you(shielded):
    plain = re.sub(r"<[^>]+>", "", Client().get(f"/battles/{shielded.number}/").content.decode())
    assert "Froodal&#x27;s Magic Missile did nothing: a shield surrounded Bung" in plain


def test_the_api_gives_the_readers_numbers_of_the_causes(shielded, client):
    told = client.get(f"/api/battles/{shielded.number}/events/").json()["events"]
    by_number = {each["number"]: each for each in told}
    absorbed = next(each for each in told if each["kind"] == "absorbed")
    assert absorbed["clause"] == "FM-MISSILE-3"
    assert [by_number[n]["kind"] for n in absorbed["because"]] == ["spell", "spell"]
    assert all(n < absorbed["number"] for n in absorbed["because"])
    assert absorbed["unseen_cause"] is False
    assert absorbed["why"][0]["event"] == absorbed["number"]
    later = client.get(f"/api/battles/{shielded.number}/events/?after={absorbed['number'] - 1}").json()["events"]
    assert later[0] == absorbed


def test_the_owner_asks_about_a_turn_a_spell_or_a_being(shielded):
    combatant = shielded.combatant("Froodal")
    assert explain_turn_to_owner(combatant=combatant).label == "3"
    for turn, about in (("2", ""), ("2", "magic  MISSILE"), ("2", "Froodal")):
        told = explain_turn_to_owner(combatant=combatant, turn=turn, about=about)
        assert told.label == "2"
        assert any(SHIELDED in text for text in texts(told)), (turn, about)
    about_bung = explain_turn_to_owner(combatant=combatant, turn="2", about="Bung")
    assert any("Bung's Shield worked." in text for text in texts(about_bung))


def test_a_spell_that_was_not_cast_is_explained_from_the_gestures(shielded):
    told = explain_turn_to_owner(combatant=shielded.combatant("Froodal"), turn="3", about="Fireball")
    assert texts(told) == [
        "You did not cast Fireball on turn 3: neither of your hands had completed F S S D D (FM-GEST-7)."
    ]


def test_an_unknown_subject_is_rejected_with_the_nearest_name(shielded):
    combatant = shielded.combatant("Froodal")
    with pytest.raises(UnknownSubject) as refusal:
        explain_turn_to_owner(combatant=combatant, about="Firebal")
    assert refusal.value.nearest == "Fireball"
    with pytest.raises(UnknownTurn):
        explain_turn_to_owner(combatant=combatant, turn="77")
    fresh = start_fight(make_mage("Ada"), make_mage("Bert"))
    with refused("nothing_played"):
        explain_turn_to_owner(combatant=fresh.combatant("Ada"))


def test_a_cause_that_the_reader_did_not_see_is_something_unseen(shielded):
    """The castings of the second turn become Froodal's own secret."""
    TurnEvent.objects.filter(battle=shielded.battle, kind__in=("casts", "spell")).update(audience=["Froodal"])
    bung, froodal = (events_after(battle=shielded.battle, user=shielded.user(name)) for name in ("Bung", "Froodal"))
    unseen = next(each for each in bung if each.kind == "absorbed")
    assert (unseen.because, unseen.unseen_cause) == ((), True)
    assert [reason.text for reason in unseen.reasons][1:] == ["Something you could not see."]
    seen = next(each for each in froodal if each.kind == "absorbed")
    assert len(seen.because) == 2 and not seen.unseen_cause
    assert [each.number for each in bung] == list(range(1, len(bung) + 1))
    assert "Shield" not in " ".join(reason.text for reason in unseen.reasons)


def test_causes_are_stored_by_turn_and_place_and_every_one_of_them_is_a_row(shielded):
    rows = list(TurnEvent.objects.filter(battle=shielded.battle).select_related("turn").order_by("n"))
    places, keys = {}, set()
    for row in rows:
        place = places.get(row.turn.seq, 0)
        places[row.turn.seq] = place + 1
        assert set(row.cause) <= keys
        keys.add(event_key(row.turn.seq, place))
    assert any(row.cause for row in rows)


def test_events_stored_before_causes_are_shown_without_them(shielded):
    TurnEvent.objects.filter(battle=shielded.battle).update(cause=[])
    told = events_after(battle=shielded.battle, user=None)
    assert told and all(not each.because and not each.unseen_cause for each in told)
    assert "a shield surrounded Bung (FM-MISSILE-3" in re.sub(r"<[^>]+>", "", page_of(shielded, "Froodal"))
