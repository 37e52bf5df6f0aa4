"""The thoughts of computer opponents: hints and reasons in practice, and reasons after the battle."""

from dataclasses import dataclass

from duels.errors import NoHint
from duels.keys import StageKey
from duels.models import Battle, Combatant, OrderSheet, Turn
from duels.selectors.battle_rows import read_battle_state, read_state_of
from duels.selectors.bot_sheets import name_strength, seed_of
from duels.selectors.fair_play import refuse_near_running
from duels.selectors.stories import list_past_turns
from duels.selectors.viewer import MaybeUser
from duels.terms import Terms
from rules_engine import Viewer, look
from rules_engine.bots import explain, hint, see
from rules_engine.bots.advice import Hint
from rules_engine.gestures import UNSEEN


@dataclass(frozen=True)
class BotReason:
    """Why a bot's mage gave its last gestures, in the turn `label`: two sentences."""

    mage: str
    label: str
    text: str


def list_hints(*, combatant: Combatant) -> tuple[Hint, ...]:
    """Return up to three moves that a Magus would consider, each with its threats and risks.

    It uses only what the mage sees. Raises NoHint if the battle is not practice, the mage has no gestures to give, or
    the position is like that of a running battle of its player.
    """
    battle = combatant.battle
    if not battle.practice or battle.status != Battle.Status.RUNNING:
        raise NoHint("no_hint")
    state = read_battle_state(battle)
    name = combatant.mage.name
    if name not in state.owing or state.stage:
        raise NoHint("no_hint")
    refuse_near_running(state, combatant.mage.user)
    return hint(see(state, name, list_past_turns(battle)), mage=name)


def refuse_reasons_near_running(*, battle: Battle, reader: MaybeUser) -> None:
    """Raise NoHint if the last turn of the battle, or its position now, is like one of a running battle of `reader`."""
    played = Turn.objects.filter(battle=battle, taken_back_by=None, resolved_at__isnull=False)
    last = played.order_by("seq", "attempt").values_list("before", flat=True).last()
    for stored in (last, battle.state):
        if stored:
            refuse_near_running(read_state_of(battle, stored), reader)


def list_bot_reasons(*, battle: Battle, asker: Combatant | None = None) -> tuple[BotReason, ...]:
    """Return the reasons of each bot for its last gestures that were played.

    Anyone may read them once the battle is over. In running practice, only the player of the mage `asker` may, and
    only for a turn in which that mage saw all gestures; otherwise there are none.
    """
    if not (battle.is_over or (battle.practice and asker is not None)):
        return ()
    found = []
    for combatant in battle.combatants.exclude(mage__user__bot_strength="").select_related("mage__user"):
        sheets = OrderSheet.objects.filter(combatant=combatant, stage__number=0, via="bot", ready=True)
        counted = sheets.filter(stage__turn__taken_back_by=None, stage__turn__resolved_at__isnull=False)
        sheet = counted.select_related("stage__turn").order_by("stage__turn__seq", "stage__turn__attempt").last()
        if sheet is None or not (battle.is_over or (asker and _has_seen(battle, sheet.stage.turn, asker))):
            continue
        turn, mage = sheet.stage.turn, combatant.mage
        state = read_state_of(battle, turn.before)
        seed = seed_of(battle, mage.name, StageKey(turn.seq, turn.attempt, 0))
        strength = name_strength(Terms.from_json(battle.terms), mage.user.bot_strength)
        seen = see(state, mage.name, list_past_turns(battle, before=turn.seq))
        explanation = explain(seen, mage=mage.name, strength=strength, seed=seed, lines=sheet.lines)
        if explanation is not None:
            found.append(BotReason(mage.name, turn.label, explanation.text()))
    return tuple(found)


def _has_seen(battle: Battle, turn: Turn, asker: Combatant) -> bool:
    """Return whether the mage could see before this turn, and saw what everyone did in it."""
    viewer = Viewer.of(asker.mage.name)
    before = look(read_state_of(battle, turn.before), viewer)
    following = Turn.objects.filter(battle=battle, seq__gt=turn.seq, taken_back_by=None).order_by("seq", "attempt")
    after = look(read_state_of(battle, following.values_list("before", flat=True).first() or battle.state), viewer)
    done = len(before.columns)
    return not before.blind and all(
        mage.seen and UNSEEN not in mage.left[done:] + mage.right[done:] for mage in (*before.mages, *after.mages)
    )
