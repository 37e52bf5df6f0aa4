"""Recorded battles as rows: what the other services would have written turn by turn, written at once.

The rules play every record again, so the rows hold what the present rules make of it. Scores and news come from the
services that every battle uses. Only the demonstration has such battles: none of them was played here.
"""

from __future__ import annotations

import datetime
import random
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from accounts.models import Engagement, Mage
from duels.commitments import draw_seal, seal_orders
from duels.models import Battle, Combatant, OrderSheet, Stage, Turn, TurnEvent
from duels.selectors.stage_keys import key_of
from duels.services.finish import count_result
from duels.services.news import write_news_of_result
from duels.services.orders import submit_orders
from duels.services.start import take_number
from duels.services.turns import open_turn, record_penalties
from duels.terms import Terms
from ladder.stakes import STAKES
from rules_engine import (
    Done,
    KeyedDice,
    Outcome,
    Sheet,
    State,
    Viewer,
    advance,
    get_ruleset,
    look,
    new_duel,
    write_outcome,
    write_state,
)
from rules_engine.records import Place, Record, RecordedTurn, commit_battle, write_terms

# So many spectators the most watched of them had.
MOST_SPECTATORS = 7
MINUTE = datetime.timedelta(minutes=1)


@dataclass(frozen=True)
class RecordedBattle:
    """A battle to be written: its record, its terms, when it began, and when its last resolved turn was over.

    With `turns` it is still running, so many turns were played, and the record holds the orders of one more.
    """

    record: Record
    stakes: str
    pace: str
    begin: datetime.datetime
    end: datetime.datetime
    turns: int = 0


@dataclass
class WrittenBattle:
    """A battle whose rows are about to be written, and what the services need to go on with it."""

    recorded: RecordedBattle
    battle: Battle
    combatants: list[Combatant]
    state: State
    turns: list[Turn] = field(default_factory=list)
    stages: list[Stage] = field(default_factory=list)
    sheets: list[OrderSheet] = field(default_factory=list)
    events: list[TurnEvent] = field(default_factory=list)
    outcome: Outcome | None = None
    # Who surrendered, in the order of time.
    penalties: list[str] = field(default_factory=list)
    # In a running battle, the orders that were given for the open turn.
    open_orders: dict[str, tuple[str, ...]] = field(default_factory=dict)


def write_recorded_battles(*, battles: Collection[RecordedBattle], mages: Mapping[str, Mage]) -> list[WrittenBattle]:
    """Write the battles as far as they have been played, numbered in the order in which they began; return them in the
    order given.

    The rows of a finished battle are complete except for what `count_recorded_battle` adds; the open turn of a running
    one is left to `go_on_with_recorded_battle`. The mages have been read with their users.
    """
    numbers = {id(each): take_number() for each in sorted(battles, key=lambda each: each.begin)}
    written = [_play(each, numbers[id(each)], mages) for each in battles]
    Battle.objects.bulk_create(each.battle for each in written)
    Combatant.objects.bulk_create(row for each in written for row in each.combatants)
    Turn.objects.bulk_create(row for each in written for row in each.turns)
    Stage.objects.bulk_create(row for each in written for row in each.stages)
    OrderSheet.objects.bulk_create(row for each in written for row in each.sheets)
    TurnEvent.objects.bulk_create(row for each in written for row in each.events)
    return written


def count_recorded_battle(*, written: WrittenBattle, is_news: bool) -> None:
    """Do what the end of a battle does, as of then, but send no notice except lines of news."""
    battle, outcome = written.battle, written.outcome
    assert battle.finished_at is not None
    assert outcome is not None
    record_penalties(battle, written.penalties, now=battle.finished_at)
    count_result(battle=battle, outcome=outcome, now=battle.finished_at)
    if is_news:
        write_news_of_result(battle, outcome, key_of(battle), battle.label, followers=[], now=battle.finished_at)


def go_on_with_recorded_battle(*, written: WrittenBattle, missing: Collection[str]) -> None:
    """Open the turn that a running battle is in, and give the recorded orders of all but the `missing` mages."""
    battle, at = written.battle, written.recorded.end
    if STAKES[written.recorded.stakes].engages:
        Engagement.objects.bulk_create(
            Engagement(mage=row.mage, kind=Engagement.Kind.BATTLE, number=battle.number) for row in written.combatants
        )
    open_turn(battle, written.state, now=at)
    for row in Combatant.objects.filter(battle=battle).select_related("mage__user", "battle"):
        lines = written.open_orders.get(row.mage.name)
        if lines and row.mage.name not in missing:
            submit_orders(combatant=row, text="\n".join([*lines, "END"]), via="web", now=at + MINUTE)


def _play(recorded: RecordedBattle, number: int, mages: Mapping[str, Mage]) -> WrittenBattle:
    record = recorded.record
    written = _begin(recorded, number, mages)
    played = record.turns[: recorded.turns or len(record.turns)]
    moments = _spread(str(record.seed), recorded.begin, recorded.end, len(played))
    for turn, opened_at, closed_at in zip(played, [recorded.begin, *moments], moments, strict=False):
        _play_turn(written, turn, opened_at, closed_at)
    if recorded.turns:
        written.open_orders = dict(record.turns[recorded.turns].stages[0])
    else:
        _end(written, recorded.end)
    standings = {mage.name: mage.standing for mage in look(written.state, Viewer.all_seeing()).mages}
    for row in written.combatants:
        row.standing = standings[row.mage.name]
    written.battle.state = write_state(written.state)
    return written


def _begin(recorded: RecordedBattle, number: int, mages: Mapping[str, Mage]) -> WrittenBattle:
    record = recorded.record
    assert record.seed is not None
    rules = get_ruleset(record.ruleset, record.edition)
    terms = Terms(ruleset=record.ruleset, edition=record.edition, stakes=recorded.stakes, pace=recorded.pace).to_json()
    state = new_duel(rules, record.mages, dice=KeyedDice(record.seed, 0, 0))
    battle = Battle(
        number=number,
        kind=Battle.Kind.DUEL if len(record.mages) == 2 else Battle.Kind.MELEE,
        terms=terms,
        ruleset=record.ruleset,
        edition=record.edition,
        practice=False,
        seed=record.seed,
        commitment=commit_battle(
            number=number,
            seed=record.seed,
            ruleset=record.ruleset,
            edition=record.edition,
            terms=write_terms(terms),
        ),
        label=state.label,
        started_at=recorded.begin,
        most_spectators=random.Random(record.seed).randrange(MOST_SPECTATORS + 1),
    )
    combatants = [
        Combatant(battle=battle, mage=mages[name], position=position) for position, name in enumerate(record.mages)
    ]
    return WrittenBattle(recorded, battle, combatants, state)


def _spread(key: str, begin: datetime.datetime, end: datetime.datetime, count: int) -> list[datetime.datetime]:
    """Return when each of so many turns was over: unevenly spread, the last one at the end."""
    dice = random.Random(key)
    lengths = [0.3 + dice.random() for _ in range(count)]
    passed, moments = 0.0, []
    for length in lengths:
        passed += length
        moments.append(begin + (end - begin) * (passed / sum(lengths)))
    moments[-1] = end
    return moments


def _play_turn(
    written: WrittenBattle, recorded: RecordedTurn, opened_at: datetime.datetime, closed_at: datetime.datetime
) -> None:
    battle, state = written.battle, written.state
    turn = Turn(
        battle=battle,
        seq=state.seq,
        label=state.label,
        before=write_state(state),
        closed_by="orders",
        resolved_at=closed_at,
        mark=secrets.token_urlsafe(12),
    )
    battle.seq, battle.label = state.seq, state.label
    dice = KeyedDice(battle.seed, state.seq, 0)
    for number, orders in enumerate(recorded.stages):
        battle.stage = number
        stage = Stage(battle=battle, turn=turn, number=number, opened_at=opened_at, closed_at=closed_at)
        written.stages.append(stage)
        for row in written.combatants:
            if row.mage.name in orders:
                sheet = _make_sheet(stage, row, orders[row.mage.name], closed_at)
                if STAKES[written.recorded.stakes].is_event:
                    _use_time(sheet, row, (closed_at - opened_at) / len(recorded.stages))
                written.sheets.append(sheet)
        step = advance(written.state, {mage: Sheet.from_lines(lines) for mage, lines in orders.items()}, dice)
        for event in step.events:
            battle.event_count += 1
            written.events.append(
                TurnEvent(
                    battle=battle,
                    turn=turn,
                    stage=number,
                    n=battle.event_count,
                    kind=event.kind,
                    facts=dict(event.facts),
                    audience=None if event.audience is None else list(event.audience),
                    clause=event.clause,
                    cause=list(event.cause),
                )
            )
        written.state = step.state
        if isinstance(step, Done):
            written.penalties += step.penalties
            written.outcome = step.outcome
    turn.throws = list(dice.rolls)
    written.turns.append(turn)


def _make_sheet(stage: Stage, row: Combatant, lines: tuple[str, ...], closed_at: datetime.datetime) -> OrderSheet:
    place = Place(stage.battle.number, stage.turn.seq, 0, stage.number)
    return OrderSheet(
        stage=stage,
        combatant=row,
        lines=list(lines),
        text="\n".join([*lines, "END"]),
        ready=True,
        via=OrderSheet.Via.WEB,
        submitted_at=closed_at,
        commitments=seal_orders(
            draw_seal(), place=place, position=row.position + 1, before=(), after=lines, was_ready=False, ready=True
        ),
    )


def _use_time(sheet: OrderSheet, row: Combatant, length: datetime.timedelta) -> None:
    """Let the mage's player have used a share of a stage's length, the same in all stages."""
    used = length * round(0.2 + random.Random(f"{row.battle.seed} {row.position}").random() / 3, 2)
    sheet.clock = {"used": used.total_seconds()}
    row.time_used += used


def _end(written: WrittenBattle, at: datetime.datetime) -> None:
    assert written.outcome is not None
    written.battle.status = Battle.Status.FINISHED
    written.battle.finished_at = at
    written.battle.result = write_outcome(written.outcome)
    for row in written.combatants:
        row.result_seen = at
