"""The replay of a battle: the position after each turn, through one pair of eyes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from duels.keys import StageKey
from duels.models import Battle, Combatant, OrderSheet, Turn
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_rows import read_fighting, read_state_of
from duels.selectors.battle_view import BattleView, OwnCombatant, ShownCombatant, ShownTurn
from duels.selectors.stories import NarratedTurn, join_casts, list_turns, narrate_turns
from duels.selectors.viewer import MaybeUser, find_battle, is_own_combatant
from duels.terms import Terms
from rules_engine import Sheet, View, Viewer, look

Written = dict[str, Any]
# No mage can have such a name.
ALL_SEEING, LOOKING_ON = "all-seeing", "looking-on"
# The number of columns on the board, and one for a second pair of gestures.
COLUMNS = 8


class PastView(BattleView):
    """A battle as it was after a turn, for one viewer, without orders to give."""

    @property
    def over(self) -> bool:
        return True


@dataclass(frozen=True)
class StageOrders:
    """A mage's orders in one stage of the turn, as lines of the order grammar."""

    mage: str
    stage: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Replay:
    """A turn of the replay: the positions after it (`past`) and before it (`before`), as the same eyes saw them.

    `eyes` is a mage's name, ALL_SEEING or LOOKING_ON; `choices` are those that the reader may choose. `orders` are
    those that these eyes may see. `turns` are all turns of the battle that have a replay.
    """

    past: BattleView
    before: View
    turn: ShownTurn
    turns: tuple[ShownTurn, ...]
    eyes: str
    choices: tuple[str, ...]
    orders: tuple[StageOrders, ...]


def list_replay_turns(*, number: int) -> tuple[ShownTurn, ...]:
    """Return the turns of a battle that have a replay. Raises BattleNotFound."""
    return _list_finished(find_battle(number=number))


def find_replay_for_viewer(*, number: int, user: MaybeUser, seq: int, eyes: str = "") -> Replay | None:
    """Return turn `seq` of battle `number` through the requested `eyes`; None if there is no replay of that turn.

    While the battle runs, everyone sees with their own eyes: players what their mages saw, others what all mages saw.
    After the end the reader may choose, and by default sees everything. Unavailable eyes are ignored.
    Raises BattleNotFound, UnreadableBattle.
    """
    battle = find_battle(number=number)
    fighting = read_fighting(battles=[battle.pk])
    mine = [combatant for combatant in fighting if is_own_combatant(combatant, user)]
    turns = _list_finished(battle)
    turn = next((turn for turn in turns if turn.seq == seq), None)
    if turn is None:
        return None
    choices = _list_choices(battle, fighting, mine)
    chosen = next((name for name in choices if name.lower() == eyes.strip().lower()), choices[0])
    viewer = _open_eyes(battle, mine, chosen)
    before, after = (look(read_state_of(battle, state), viewer) for state in _read_states(battle, turn, turns))
    me = _choose_mine(mine, chosen)
    return Replay(
        past=_look_back(battle, fighting, me, mine, viewer, after, turn, turns),
        before=before,
        turn=turn,
        turns=turns,
        eyes=chosen,
        choices=choices,
        orders=_read_orders(turn, viewer),
    )


def find_replay_for_anyone(*, number: int, seq: int) -> Replay | None:
    """Return turn `seq` as pictures show it, the same for every reader: what all mages saw, and everything after the
    end.

    None if there is no replay of that turn. Raises BattleNotFound, UnreadableBattle.
    """
    return find_replay_for_viewer(number=number, user=None, seq=seq)


def get_whole_replay_for_anyone(*, number: int) -> tuple[Replay, ...]:
    """Return every turn of a battle that is over, as pictures show them; none while it runs.

    It takes as many queries as a single turn. Raises BattleNotFound, UnreadableBattle.
    """
    battle = find_battle(number=number)
    turns = _list_finished(battle) if battle.is_over else ()
    if not turns:
        return ()
    fighting = read_fighting(battles=[battle.pk])
    viewer = Viewer.all_seeing()
    rows = Turn.objects.filter(battle=battle, taken_back_by=None).order_by("attempt")
    written = dict(rows.values_list("seq", "before"))
    states = [*(written[turn.seq] for turn in turns), battle.state]
    views = [look(read_state_of(battle, state), viewer) for state in states]
    narrated = narrate_turns(battle, viewer, None, turns, turns)
    return tuple(
        Replay(
            past=_make_past(battle, fighting, None, (), viewer, views[at + 1], turns[: at + 1], narrated[: at + 1]),
            before=views[at],
            turn=turn,
            turns=turns,
            eyes=ALL_SEEING,
            choices=(ALL_SEEING,),
            orders=(),
        )
        for at, turn in enumerate(turns)
    )


def _list_finished(battle: Battle) -> tuple[ShownTurn, ...]:
    """Return the turns that are over: resolved, or cut short by the end of the battle."""
    return tuple(turn for turn in list_turns(battle) if turn.resolved_at is not None or battle.is_over)


def _list_choices(battle: Battle, fighting: Sequence[Combatant], mine: Sequence[Combatant]) -> tuple[str, ...]:
    """Return the eyes that the reader may choose; the first is the default."""
    if battle.is_over:
        own_first = sorted(fighting, key=lambda combatant: combatant not in mine)
        return (ALL_SEEING, *(combatant.mage.name for combatant in own_first), LOOKING_ON)
    return tuple(combatant.mage.name for combatant in mine) or (LOOKING_ON,)


def _open_eyes(battle: Battle, mine: Sequence[Combatant], chosen: str) -> Viewer:
    if not battle.is_over:
        return Viewer.of(*(combatant.mage.name for combatant in mine))
    if chosen == ALL_SEEING:
        return Viewer.all_seeing()
    return Viewer.spectator() if chosen == LOOKING_ON else Viewer.of(chosen)


def _choose_mine(mine: Sequence[Combatant], chosen: str) -> Combatant | None:
    """Return the reader's own mage, at the bottom of the board and called "you": the one whose eyes they use, or
    their first."""
    return next((combatant for combatant in mine if combatant.mage.name == chosen), mine[0] if mine else None)


def _read_states(battle: Battle, turn: ShownTurn, turns: Sequence[ShownTurn]) -> tuple[Written, Written]:
    """Return the stored states before and after a turn."""
    rows = Turn.objects.filter(battle=battle, taken_back_by=None, seq__in=(turn.seq, turn.seq + 1))
    before = dict(rows.order_by("attempt").values_list("seq", "before"))
    last = battle.is_over and turn == turns[-1]
    return before[turn.seq], battle.state if last else before.get(turn.seq + 1, battle.state)


def _look_back(
    battle: Battle,
    fighting: Sequence[Combatant],
    me: Combatant | None,
    mine: Sequence[Combatant],
    viewer: Viewer,
    view: View,
    turn: ShownTurn,
    turns: tuple[ShownTurn, ...],
) -> PastView:
    until = turns[: turns.index(turn) + 1]
    narrated = narrate_turns(battle, viewer, me.mage.name if me else None, until, until[-COLUMNS:])
    return _make_past(battle, fighting, me, mine, viewer, view, until, narrated)


def _make_past(
    battle: Battle,
    fighting: Sequence[Combatant],
    me: Combatant | None,
    mine: Sequence[Combatant],
    viewer: Viewer,
    view: View,
    until: tuple[ShownTurn, ...],
    narrated: Sequence[NarratedTurn],
) -> PastView:
    """Return the battle after the last of the turns `until`; the last of `narrated` is the story of that turn."""
    turn, story = until[-1], narrated[-1].story
    return PastView(
        battle=BattleFacts.of(battle),
        terms=Terms.from_json(battle.terms),
        viewer=viewer,
        view=view,
        combatants=tuple(ShownCombatant.of(combatant, None, mine=combatant in mine) for combatant in fighting),
        mine=tuple(mine),
        stage_key=StageKey(turn.seq, turn.attempt, 0),
        opened_at=None,
        stories=(story,) if story else (),
        turns=until,
        casts=join_casts(narrated_turn.casts for narrated_turn in narrated[-COLUMNS:]),
        results=join_casts(narrated_turn.results for narrated_turn in narrated[-COLUMNS:]),
        causes=join_casts(narrated_turn.causes for narrated_turn in narrated[-COLUMNS:]),
        own=OwnCombatant(me, Sheet(), "", ready=False, asked=False) if me else None,
    )


def _read_orders(turn: ShownTurn, viewer: Viewer) -> tuple[StageOrders, ...]:
    """Return the orders of the mages with these eyes (all mages, if the eyes see everything); SAY is in the story."""
    if not viewer.sees_all and not viewer.mages:
        return ()
    sheets = OrderSheet.objects.filter(stage__turn=turn.pk).order_by("stage__number", "combatant__position")
    if not viewer.sees_all:
        sheets = sheets.filter(combatant__mage__name__in=viewer.mages)
    rows = sheets.values_list("combatant__mage__name", "stage__number", "lines")
    quiet = ((mage, stage, [line for line in lines if not line.startswith("SAY")]) for mage, stage, lines in rows)
    return tuple(StageOrders(mage, stage, tuple(lines)) for mage, stage, lines in quiet if lines)
