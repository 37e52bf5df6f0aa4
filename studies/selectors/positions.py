"""Positions outside battles: the first turn on the front page, the tasks of the lessons, and what-if studies.

They are seen through the same view as battles, so that the same board shows them; no row is read or written.
"""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from accounts.arms.blazons import blazon_mage
from accounts.models import Mage, User
from duels.keys import StageKey
from duels.models import Battle, Combatant
from duels.paces import OWN
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_view import BattleView, OwnCombatant, ShownCombatant, ShownTurn
from duels.selectors.stories import SeenEvent, SeenEvents, Sights, join_casts, narrate_events
from duels.terms import Terms
from ladder.stakes import FRIENDLY
from rules_engine import (
    Asks,
    Event,
    KeyedDice,
    Memory,
    Sheet,
    State,
    Viewer,
    advance,
    get_ruleset,
    look,
    new_duel,
    open_questions,
    preview,
    read_orders,
)
from rules_engine.puzzles import complete_sheet

# A battle needs a beginning, which nothing shows.
LONG_AGO = datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True)
class Position:
    """A point of a battle, with what happened in each turn that led to it. Each turn's orders are in `played`.

    `labels` are the (seq, label) of these turns, and `befores` the states before them by seq, as far as they are known.
    `bot` is the mage marked as a bot on the board, or "".
    """

    state: State
    events: tuple[tuple[Event, ...], ...] = ()
    played: tuple[Mapping[str, Sheet], ...] = ()
    labels: tuple[tuple[int, str], ...] = ()
    seed: str = ""
    bot: str = ""
    befores: Mapping[int, State] = field(default_factory=dict)

    @property
    def mages(self) -> tuple[str, ...]:
        return tuple(self.state.wizards)


def begin_position(
    *mages: str, ruleset: str = "firetop-standard", seed: str = "", bot: str = "", hit_points: Sequence[int] = ()
) -> Position:
    """Return the first turn of a duel between `mages`."""
    dice = KeyedDice(seed, 0, 0)
    return Position(new_duel(get_ruleset(ruleset), list(mages), dice=dice, hit_points=hit_points), seed=seed, bot=bot)


def play_on(position: Position, orders: Mapping[str, str]) -> Position:
    """Return the position after a turn of these orders, by mage; open questions get their first allowed answer."""
    state = position.state
    read = {name: read_orders(state, name, text).sheet for name, text in orders.items()}
    seq, label, events, answers = state.seq, state.label, [], dict(read)
    while True:
        sheets = {name: complete_sheet(state, name, answers.get(name, Sheet())) for name in state.owing}
        done = advance(state, sheets, KeyedDice(position.seed, seq, state.stage))
        events += list(done.events)
        state, answers = done.state, {}
        if not isinstance(done, Asks):
            return replace(
                position,
                state=state,
                events=(*position.events, tuple(events)),
                played=(*position.played, read),
                labels=(*position.labels, (seq, label)),
                befores={**position.befores, seq: position.state},
            )


def see_position(
    position: Position,
    *,
    mage: str,
    draft: str = "",
    waits: bool = True,
    sees_all: bool = False,
    eyes: Viewer | None = None,
    terms: Terms | None = None,
) -> BattleView:
    """Return the position as `mage` sees it, with a draft of orders. `waits`: orders are asked for.

    `sees_all`: nothing of the position is secret; `eyes`: only what these eyes see is shown. Without a mage ("") the
    reader is a spectator. `terms` are practice by default.
    """
    state, viewer = position.state, eyes or (Viewer.all_seeing() if sees_all else Viewer.of(mage))
    turns = tuple(ShownTurn(seq, seq, 0, label, None, "") for seq, label in position.labels)
    memory = Memory(viewer)
    for turn, events in zip(turns, position.events, strict=True):
        memory.learn(turn.seq, turn.label, list(events))
    by_seq = {turn.seq: turn for turn in turns}
    seen = SeenEvents(tuple(SeenEvent(by_seq[each.seq], each) for each in memory), memory)
    narrated = narrate_events(seen, turns, mage or None, sights=_look_around(position, viewer))
    battle = Battle(
        number=0,
        kind=state.kind,
        terms=(terms or Terms(ruleset=state.ruleset.name, pace=OWN, stakes=FRIENDLY)).to_json(),
        ruleset=state.ruleset.name,
        edition=state.ruleset.edition,
        practice=True,
        seq=state.seq,
        label=state.label,
        status=Battle.Status.FINISHED if state.over else Battle.Status.RUNNING,
        started_at=LONG_AGO,
    )
    combatant = Combatant(battle=battle, mage=Mage(name=mage, user=User(username=mage)), position=0)
    read = read_orders(state, mage, draft) if draft and not state.over else None
    sheet = read.sheet if read else Sheet()
    asked = waits and mage in state.owing and not state.over
    own = OwnCombatant(combatant, sheet, draft, ready=False, asked=asked) if mage else None
    if asked and own:
        own = replace(
            own,
            questions=tuple(open_questions(state, mage, sheet)),
            preview=preview(state, mage, sheet),
            problems=tuple(read.problems) if read else (),
        )
    view = look(state, viewer)
    return BattleView(
        battle=BattleFacts.of(battle),
        terms=Terms.from_json(battle.terms),
        viewer=viewer,
        view=view,
        combatants=tuple(_row(each.name, position, asked=asked, me=mage) for each in view.mages),
        mine=(combatant,) if mage else (),
        stage_key=StageKey(state.seq, 0, state.stage),
        opened_at=None,
        stories=tuple(story for turn in turns if (story := narrated[turn].story) is not None),
        turns=turns,
        casts=join_casts(narrated[turn].casts for turn in turns),
        results=join_casts(narrated[turn].results for turn in turns),
        causes=join_casts(narrated[turn].causes for turn in turns),
        own=own,
        changing=True,
    )


def _look_around(position: Position, viewer: Viewer) -> dict[int, Sights]:
    """Return what the viewer saw around each turn that is over."""
    state = position.state
    seen = {seq: look(before, viewer) for seq, before in position.befores.items()}
    seqs = [seq for seq, _ in position.labels]
    sights = {seq: Sights(seen.get(seq), seen.get(after)) for seq, after in pairwise(seqs)}
    if seqs and (seqs[-1] != state.seq or state.over):
        sights[seqs[-1]] = Sights(seen.get(seqs[-1]), look(state, viewer))
    return sights


def _row(name: str, position: Position, *, asked: bool, me: str) -> ShownCombatant:
    mine = name == me
    return ShownCombatant(
        name=name,
        user=name,
        mage_id=0,
        standing="in",
        asked=asked,
        ready=not mine,
        mine=mine,
        is_bot=name == position.bot,
        arms=blazon_mage(name),
    )
