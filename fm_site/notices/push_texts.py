"""What a notification on a device says about a turn: its summary, as the player may know it."""

from collections.abc import Mapping
from typing import Any

from accounts.models import User
from duels.errors import BattleNotFound, UnreadableBattle
from duels.selectors.battle_view import Window
from duels.selectors.viewer import get_battle_for_viewer
from notifications.push_texts import writes_push

# Devices show a few lines.
MOST_SENTENCES = 4
LATEST = Window(latest=3)


@writes_push("turn_resolved", "battle_finished")
def write_turn_push(facts: Mapping[str, Any], user: User) -> str:
    """Return the first sentences of the turn's summary; "" if the turn cannot be read."""
    try:
        view = get_battle_for_viewer(number=facts["battle"], user=user, draft="", window=LATEST)
    except (BattleNotFound, UnreadableBattle):
        return ""
    key = (facts.get("seq"), facts.get("attempt"))
    story = next((story for story in view.stories if (story.seq, story.attempt) == key), None)
    return " ".join(line.text for line in story.summary.open_lines[:MOST_SENTENCES]) if story else ""
