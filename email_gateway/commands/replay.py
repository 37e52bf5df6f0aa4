"""REPLAY: a turn once more, as it happened and as this user saw it. Nothing is played or thrown anew."""

from functools import partial

from duels.errors import DuelsError
from duels.selectors import TurnStory, find_battle, find_stage_key, get_battle_for_viewer
from email_gateway.commands.words import split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.wrapping import wrap

LONGEST_NUMBER = 12
CLAUSE = "FM-ORDINF-15"


def handle_replay(talk: Conversation, rest: str) -> list[str]:
    """REPLAY battle {turn}: that turn, or the last one."""
    user = talk.require_user("REPLAY")
    words = split_words(rest)
    if not 0 < len(words) < 3 or not words[0].isdecimal() or len(words[0]) > LONGEST_NUMBER:
        raise OrderRejected("REPLAY takes a battle and a turn.", nearest="REPLAY <number> {turn}", clause=CLAUSE)
    number, turn = int(words[0]), words[1] if len(words) == 2 else ""
    try:
        battle = find_battle(number=number)
        if battle.is_over:
            raise OrderRejected(f"{battle} is over.", nearest=f"DESCRIBE {number}", clause=CLAUSE)
        key = find_stage_key(battle=battle, turn=turn)[:2] if turn else None
        stories = get_battle_for_viewer(number=number, user=user, draft="").stories
    except DuelsError as error:
        raise OrderRejected(str(error), nearest=f"REPLAY {number}" if turn else "GAMES", clause=CLAUSE) from error
    # What has begun to be told of the open turn is for its own report.
    played = [story for story in stories if story.resolved_at is not None]
    story = next((one for one in reversed(played) if key is None or (one.seq, one.attempt) == key), None)
    if story is None:
        reason = f"Turn {turn} is not played yet." if turn else "No turn is played yet."
        raise OrderRejected(reason, nearest=f"GAME {number} <mage>", clause=CLAUSE)
    talk.report(f"replay {number} {story.seq}", partial(write_story, f"{battle}", story))
    return []


def write_story(battle: str, story: TurnStory) -> str:
    lines = [wrap(line.text) for line in story.lines if line.kind != "turn_begins"]
    return "\n".join([f"{battle}, turn {story.label} (replay)", "", *(lines or ["Nothing that you could see."])])
