"""Explanations of a turn for the owner of a mage: the answers to WHY."""

from dataclasses import dataclass

from duels.errors import DuelRefused, UnknownSubject
from duels.models import Combatant, Turn
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.stage_keys import describe_current_stage, find_stage_key
from duels.selectors.stories import SeenEvents, recall_events
from duels.selectors.viewer import get_viewer
from rules_engine import Reason, State, Viewer, explain_spell, explain_turn, explain_uncast, look
from rules_engine.glossary import use_pronouns


@dataclass(frozen=True)
class Explanation:
    """A turn and an answer for each thing that happened in it. The first sentence of an answer sums up the others."""

    label: str
    answers: tuple[tuple[Reason, ...], ...]


def explain_turn_to_owner(*, combatant: Combatant, turn: str = "", about: str = "") -> Explanation:
    """Explain a turn to the owner of `combatant`, as far as their mages may know; after the end, everything.

    `turn` is a label, or empty for the last resolved turn. `about` is a spell of the mage (cast or not), a mage, a
    creature, or empty for the mage itself. Raises UnknownTurn, UnknownSubject, DuelRefused, UnreadableBattle.
    """
    battle, me = combatant.battle, combatant.mage.name
    viewer = Viewer.all_seeing() if battle.is_over else get_viewer(battle, combatant.mage.user)
    state = read_battle_state(battle)
    played = _find_turn(combatant, turn)
    label = played.label
    seen = recall_events(battle, viewer)
    subject = _find_subject(seen, state, about) if about else me
    with use_pronouns(battle.pronouns):
        if subject not in state.ruleset.spells:
            return Explanation(label, explain_turn(seen.memory, played.seq, subject, me))
        answers = explain_spell(seen.memory, played.seq, me, subject, me)
        if not answers:
            view = look(state, viewer)
            answers = (explain_uncast(seen.memory, view, state.ruleset, label, me, subject, me),)
        return Explanation(label, answers)


def _find_turn(combatant: Combatant, turn: str) -> Turn:
    battle = combatant.battle
    if turn:
        key = find_stage_key(battle=battle, turn=turn)
        return Turn.objects.get(battle=battle, seq=key.seq, attempt=key.attempt)
    played = Turn.objects.filter(battle=battle, resolved_at__isnull=False, taken_back_by=None)
    last = played.order_by("seq", "attempt").last()
    if last is None:
        raise DuelRefused("nothing_played", now=describe_current_stage(battle))
    return last


def _find_subject(seen: SeenEvents, state: State, about: str) -> str:
    """Return the spell of the ruleset, mage, or creature known to the viewer that has this name, in any case."""
    heard = {str(v) for each in seen.events for k, v in each.event.facts.items() if k in ("who", "target", "creature")}
    known = (*state.ruleset.series.values(), *state.mages, *sorted(heard))
    for name in known:
        if name.casefold() == " ".join(about.split()).casefold():
            return name
    raise UnknownSubject(about, known)
