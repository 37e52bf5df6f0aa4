"""The engine's sentences follow the language that is active where a page, a call or a mail is made."""

from datetime import UTC, datetime

import pytest
from django.utils import translation
from django.utils.formats import date_format

from duels.board.labels import label_question
from duels.terms import name_spells
from rules_engine import Event, Question, narrate

HURT = Event("hurt", {"who": "Crom", "by": "Fireball", "points": 5}, None, "")


def test_sentences_are_made_in_the_active_language():
    with translation.override("de"):
        assert narrate(HURT) == "Crom verliert 5 Lebenspunkte durch Feuerball."
        with translation.override(None):
            assert narrate(HURT) == "Crom loses 5 hit points to Fireball."
    assert narrate(HURT) == "Crom loses 5 hit points to Fireball."


def test_terms_name_their_spells_in_the_readers_language():
    with translation.override("de"):
        assert name_spells("firetop-standard") != name_spells("firetop-classic") != "classic spells"
    assert name_spells("firetop-classic") == "classic spells"
    assert name_spells("unknown-to-this-release") == "unknown-to-this-release"


@pytest.mark.parametrize(("month", "short"), [(8, "22. Aug. 2026"), (5, "22. Mai 2026"), (11, "22. Nov. 2026")])
def test_german_dates_have_their_full_stops(month, short):
    with translation.override("de"):
        assert date_format(datetime(2026, month, 22, tzinfo=UTC), translation.gettext("j M Y")) == short


@pytest.mark.parametrize(
    ("spell", "asked"),
    [
        ("Magic Missile", "Magic Missile at"),
        ("Summon Goblin", "Summon Goblin for"),
        ("Cure Light Wounds", "Cure Light Wounds on"),
    ],
)
def test_only_thrown_spells_go_at_their_target(spell, asked):
    assert (
        label_question(
            Question("TARGET RH", "Ayla", "target", spell, (), None, required=False, answered=None, clause="")
        )
        == asked
    )
