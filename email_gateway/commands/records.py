"""SHOW, DESCRIBE, REPLAY and WHY: a battle as a table, as a story, one turn again, and the reasons for its events.

SHOW and DESCRIBE are open to anyone, without a USER line (FM-ORDINF-16 to 18). None of them changes anything.
"""

import re
from collections.abc import Callable
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from challenges.errors import ChallengeNotFound
from challenges.selectors.lists import get_challenge_for_user
from duels.errors import BattleNotFound, DuelsError, UnknownSubject, UnknownTurn
from duels.models import Combatant
from duels.selectors.battle_view import TurnStory
from duels.selectors.stage_keys import find_stage_key, key_of
from duels.selectors.viewer import find_battle, get_battle_for_viewer
from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import read_number, read_numbers, split_words
from email_gateway.compose.parts import write_challenge_status
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.layout import wrap
from email_gateway.text.lines import Line
from notifications.selectors.notices import zone_of
from studies.selectors.explanations import Explanation, explain_turn_to_owner
from studies.selectors.records import get_story_for_anyone, get_table_for_anyone

MOST_BATTLES = 5
TURN = re.compile(r"\d+[HT]?(?:/\d+)?", re.I)
REPLAY_CLAUSE = "FM-ORDINF-15"


def handle_show(talk: Conversation, rest: str) -> list[str]:
    """SHOW numbers: each battle as a table, or the state of the challenge."""
    return _report(talk, "SHOW", "FM-ORDINF-16", get_table_for_anyone, rest)


def handle_describe(talk: Conversation, rest: str) -> list[str]:
    """DESCRIBE numbers: everything that happened in each battle, as far as everyone knows it."""
    return _report(talk, "DESCRIBE", "FM-ORDINF-18", get_story_for_anyone, rest)


def _report(talk: Conversation, order: str, clause: str, write: Callable[..., str], rest: str) -> list[str]:
    numbers, missing = read_numbers(order, rest, most=MOST_BATTLES, clause=clause)
    written = {}
    rejection = None
    for number in numbers:
        try:
            written[number] = _write(talk, number, order, clause, write)
        except OrderRejected as error:
            rejection = error
            missing.append(error.reason)
    if rejection is not None and not written:
        raise OrderRejected(" ".join(missing), nearest=rejection.nearest, clause=rejection.clause) from rejection
    for number, text in written.items():
        talk.report(f"{order} {number}", partial(str, text))
    return missing


def _write(talk: Conversation, number: int, order: str, clause: str, write: Callable[..., str]) -> str:
    try:
        return write(number=number).rstrip("\n")
    except BattleNotFound:
        return _write_challenge(talk, number, order, clause)
    except DuelsError as error:
        raise OrderRejected(str(error), clause=clause) from error


def _write_challenge(talk: Conversation, number: int, order: str, clause: str) -> str:
    try:
        return write_challenge_status(
            get_challenge_for_user(number=number, user=talk.state.user), zone_of(talk.state.user)
        )
    except ChallengeNotFound as error:
        reason = _("There is no battle or challenge %(number)s.") % {"number": number}
        raise OrderRejected(reason, nearest=f"{order} <number>", clause=clause) from error


def answer_why(talk: Conversation, line: Line, shown: str, rest: str) -> None:
    """WHY {turn} {spell or name}."""
    words = split_words(rest)
    turn = words[0] if words and TURN.fullmatch(words[0]) else ""
    about = " ".join(words[1:] if turn else words)
    try:
        explanation = _explain(talk, turn, about)
    except OrderRejected as rejection:
        talk.reject(line, shown, rejection)
        return
    talk.report(f"why {turn} {about}".casefold(), lambda: write_explanation(explanation))
    talk.accept(line, shown)


def _explain(talk: Conversation, turn: str, about: str) -> Explanation:
    combatant = talk.combatant
    if combatant is None:
        raise OrderRejected(
            _("We don't know which mage it is for."), nearest="GAME <number> <mage>", clause="FM-ORDGEN-14"
        )
    try:
        _reject_open_turn(combatant, turn, about)
        return explain_turn_to_owner(combatant=combatant, turn=turn, about=about)
    except UnknownSubject as error:
        nearest = " ".join(["WHY", *([turn] if turn else []), error.nearest]) if error.nearest else None
        raise OrderRejected(str(error), nearest=nearest) from error
    except UnknownTurn as error:
        raise OrderRejected(str(error), nearest="WHY {turn} {spell or name}", clause="FM-ORDMOVE-6") from error
    except DuelsError as error:
        raise OrderRejected(str(error)) from error


def _reject_open_turn(combatant: Combatant, turn: str, about: str) -> None:
    """Raise OrderRejected for a turn that has not resolved: nothing has happened in it that could be explained."""
    battle = combatant.battle
    if not turn or battle.is_over or find_stage_key(battle=battle, turn=turn)[:2] != key_of(battle)[:2]:
        return
    try:
        nearest = f"WHY {explain_turn_to_owner(combatant=combatant).label} {about}".rstrip()
    except DuelsError:
        nearest = None
    raise OrderRejected(_("Turn %(turn)s has not resolved yet.") % {"turn": turn}, nearest=nearest)


def write_explanation(explanation: Explanation) -> str:
    """Write each answer, with its causes indented below it."""
    rows = [_("Why, turn %(turn)s") % {"turn": explanation.label}]
    for answer in explanation.answers:
        first, *others = answer
        rows += ["", f"  {first.text}{_rule(first.text, first.clause)}"]
        rows += [f"    {each.text}{_rule(each.text, each.clause)}" for each in others]
    return "\n".join(rows if explanation.answers else [*rows, "", ("  " + _("Only this turn's orders led to it."))])


def _rule(text: str, clause: str) -> str:
    return f" [{clause}]" if clause and f"({clause})" not in text else ""


def handle_replay(talk: Conversation, rest: str) -> list[str]:
    """REPLAY battle {turn}: that turn, or the last one."""
    user = talk.require_user("REPLAY")
    words = split_words(rest)
    number = read_number(words[0]) if words else None
    if number is None or len(words) > 2:
        raise OrderRejected(
            _("REPLAY needs a battle's number, and optionally a turn."),
            nearest="REPLAY <number> {turn}",
            clause=REPLAY_CLAUSE,
        )
    turn = words[1] if len(words) == 2 else ""
    try:
        battle = find_battle(number=number)
        if battle.is_over:
            raise OrderRejected(
                _("%(battle)s is over.") % {"battle": battle}, nearest=f"DESCRIBE {number}", clause=REPLAY_CLAUSE
            )
        key = find_stage_key(battle=battle, turn=turn)[:2] if turn else None
        stories = get_battle_for_viewer(number=number, user=user, draft="").stories
    except DuelsError as error:
        raise OrderRejected(
            str(error), nearest=f"REPLAY {number}" if turn else "GAMES", clause=REPLAY_CLAUSE
        ) from error
    # Events of the open turn wait for its own report.
    played = [story for story in stories if story.resolved_at is not None]
    story = next((one for one in reversed(played) if key is None or (one.seq, one.attempt) == key), None)
    if story is None:
        reason = _("No turn has resolved yet.")
        if turn:
            reason = _("Turn %(turn)s has not resolved yet.") % {"turn": turn}
        raise OrderRejected(reason, nearest=f"GAME {number} <mage>", clause=REPLAY_CLAUSE)
    talk.report(f"replay {number} {story.seq}", partial(write_story, f"{battle}", story))
    return []


def write_story(battle: str, story: TurnStory) -> str:
    lines = [wrap(line.text) for line in story.lines if line.text and line.kind != "turn_begins"]
    head = _("%(battle)s, turn %(turn)s (replay)") % {"battle": battle, "turn": story.label}
    return "\n".join([head, "", *(lines or [_("Your mage saw nothing happen.")])])


ORDERS: tuple[Order, ...] = (
    Order(
        "SHOW",
        "SHOW <numbers>",
        "anyone",
        "studies.selectors.records.get_table_for_anyone",
        gettext_lazy(
            "Shows battles as tables, with a line for each turn, and challenges with their terms. During "
            "a battle, anything that some mage could not see is hidden from everyone."
        ),
        "FM-ORDINF-16",
        handle_show,
        example="SHOW 12",
    ),
    Order(
        "DESCRIBE",
        "DESCRIBE <numbers>",
        "anyone",
        "studies.selectors.records.get_story_for_anyone",
        gettext_lazy(
            "Sends battles as stories, turn by turn. During a battle, a story contains only what all its mages know."
        ),
        "FM-ORDINF-18",
        handle_describe,
        example="DESCRIBE 12",
    ),
    Order(
        "REPLAY",
        "REPLAY <number> {turn}",
        "player",
        "duels.selectors.viewer.get_battle_for_viewer",
        gettext_lazy("Sends a turn of a current battle again, as your mage saw it. The default is the latest turn."),
        "FM-ORDINF-15",
        handle_replay,
        example="REPLAY 54 9T",
    ),
)
