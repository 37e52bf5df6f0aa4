"""The engine's sentences follow the language that is active where a page, a call or a mail is made."""

from django.utils import translation

from rules_engine import Event, narrate

HURT = Event("hurt", {"who": "Crom", "by": "Fireball", "points": 5}, None, "")


def test_sentences_are_made_in_the_active_language():
    with translation.override("de"):
        assert narrate(HURT) == "Crom verliert 5 Lebenspunkte durch Feuerball."
        with translation.override(None):
            assert narrate(HURT) == "Crom loses 5 hit points to Fireball."
    assert narrate(HURT) == "Crom loses 5 hit points to Fireball."
