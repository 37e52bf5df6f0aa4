"""The engine's sentences follow the language that is active where a page, a call or a mail is made."""

import pytest
from django.utils import translation

from duels.board.labels import label_question
from duels.board.signs import SHORT, short_name
from duels.terms import name_spells
from rules_engine import Event, Question, narrate

HURT = Event("hurt", {"who": "Crom", "by": "Fireball", "points": 5}, None, "")


def test_sentences_are_made_in_the_active_language():
    with translation.override("de"):
        assert narrate(HURT) == "Crom verliert 5 Lebenspunkte durch Feuerball."
        with translation.override(None):
            assert narrate(HURT) == "Crom loses 5 hit points to Fireball."
    assert narrate(HURT) == "Crom loses 5 hit points to Fireball."


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_two_spells_have_the_same_short_name(language):
    with translation.override(language):
        short = [short_name(spell) for spell in SHORT]
    assert len(set(short)) == len(short)


def test_a_spell_without_a_short_name_has_its_name_in_the_readers_language():
    with translation.override("de"):
        assert [short_name(spell) for spell in ("Paralysis", "Shield", "Magic Missile")] == [
            "Lähmung",
            "Schild",
            "Geschoss",
        ]
    assert short_name("Shield") == "Shield"


def test_terms_name_their_spells_in_the_readers_language():
    with translation.override("de"):
        assert name_spells("firetop-standard") != name_spells("firetop-classic") != "classic spells"
    assert name_spells("firetop-classic") == "classic spells"
    assert name_spells("unknown-to-this-release") == "unknown-to-this-release"


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
