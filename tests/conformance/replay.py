"""Plays a recorded game through the engine, turn by turn, until it ends or differs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ladder.rating import RatedBattle, rate
from ladder.scoring import Settlement, penalize, settle
from rules_engine import Asks, Done, Outcome, RulesError, Ruleset, Sheet, advance, get_ruleset, new_duel
from rules_engine.dice import Dice
from rules_engine.state import State
from tests.conformance.comparison import Difference, Tally, compare_facts, weigh
from tests.conformance.engine_facts import read_state_facts, read_turn_facts
from tests.conformance.recorded_dice import RecordedDice, StartingDice
from tests.conformance.records import LateOrders, RecordedGame, RecordedTurn

# A recorded turn stops for answers at most a few times; more means that the engine never stops asking.
MOST_STAGES = 20


@dataclass(frozen=True)
class Verdict:
    """The result of one game; `turns` is how many there are to play."""

    game: str
    difference: Difference | None
    turns: int
    excepted: str | None = None
    left_out: tuple[str, ...] = ()
    tally: Tally = field(default_factory=Tally)

    @property
    def passed(self) -> bool:
        return self.difference is None


class Departed(Exception):
    """The replay cannot follow the record."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(str(difference))
        self.difference = difference


def replay_game(game: RecordedGame, ruleset: Ruleset, make_replay: "type[Replay] | None" = None) -> Verdict:
    """One verdict: the first difference, or none. An engine error fails only its own game."""
    if game.excepted:
        return Verdict(game.id, None, len(game.turns), excepted=game.excepted)
    replay: Replay | None = None
    difference: Difference | None
    try:
        replay = (make_replay or Replay)(game, ruleset)
        difference = replay.play_all()
    except Exception as breakdown:
        label = replay.label if replay else "0"
        difference = Difference(label, "the engine", "plays on", f"breaks down: {breakdown!r}")
    tally = replay.tally if replay else Tally()
    if difference:
        later = _count_facts(game) - tally.compared - tally.excused.total() - tally.skipped.total()
        tally.skipped["facts after the first difference"] += max(later, 0)
    tally.skipped.update(game.skipped)
    left_out = (*game.left_out, *(replay.guessed() if replay else ()))
    return Verdict(game.id, difference, len(game.turns), left_out=left_out, tally=tally)


def _count_facts(game: RecordedGame) -> int:
    """How many facts a game has to compare."""
    turns = sum(1 + len(turn.late) + sum(map(weigh, turn.facts.values())) for turn in game.turns)
    return turns + sum(map(weigh, game.ending.values()))


class Replay:
    """A game in progress: the engine's state, the current scores, and what was compared."""

    def __init__(self, game: RecordedGame, ruleset: Ruleset) -> None:
        self.game = game
        self.state: State = new_duel(ruleset, game.mages, dice=StartingDice(game.colours))
        if game.hit_points:
            self.state = self.state.copy()
            for mage, points in game.hit_points.items():
                self.state.wizards[mage].hp = points
        kind = self.state.kind
        self.scores: dict[str, int] = dict(game.scores.duel if kind == "duel" else game.scores.melee)
        self.tally = Tally()
        self.label = "0"

    def play_all(self) -> Difference | None:
        """Play every turn and the end; return the first difference, or none."""
        try:
            for turn in self.game.turns:
                self.label = turn.label
                self.play(turn)
        except Departed as departed:
            return departed.difference
        return self.compare_ending()

    def compare_ending(self) -> Difference | None:
        """The first difference in how it ended."""
        self.label = "end"
        return compare_facts("end", self.game.ending, dict(self.read_ending()), self.tally)

    def guessed(self) -> Iterator[str]:
        """The guessed orders, for the verdict."""
        return iter(())

    def play(self, turn: RecordedTurn) -> None:
        """Play one turn with its answers; raises Departed at the first fact that differs."""
        if self.state.label != turn.label:
            raise Departed(Difference(turn.label, "turn label", turn.label, self.state.label))
        before = self.state
        done = self._resolve(turn)
        self.state = done.state
        if not self.game.practice:
            self.scores |= {mage: penalize(mage, self.scores[mage]).after for mage in done.penalties}
        facts = dict(self._read_facts(before, turn, done))
        self.tally.compared += 1  # its label
        self.tally.skipped.update(turn.skipped)
        difference = compare_facts(turn.label, turn.facts, facts, self.tally, turn.excuses)
        if difference:
            raise Departed(difference)

    def read_ending(self) -> Iterator[tuple[str, object]]:
        """How the game ended for the engine."""
        outcome = self.state.outcome
        yield "type", self.state.kind
        yield "finished", outcome is not None
        if outcome is None:
            yield "winners", frozenset()
            yield "draw", False
            yield "reason", "unfinished"
            return
        yield "winners", frozenset(outcome.winners)
        yield "draw", not outcome.winners
        yield "reason", outcome.reason
        scores = add_changes(self.scores, self._settle(outcome))
        yield (
            "scores",
            {mage: self._score_of(mage, scores[mage]) if mage in scores else None for mage in self.game.mages},
        )

        yield "battles survived", {mage: int(not self.game.practice) for mage in scores}
        if self.state.kind == "duel" and not self.game.practice:
            yield "elo", self._rate_duel(outcome)

    def _rate_duel(self, outcome: Outcome) -> dict[str, int]:
        """The classic server's rating after a first duel; records with one started from the first rating."""
        users = dict(enumerate(self.game.mages))
        won = frozenset(user for user, mage in users.items() if mage in outcome.winners)
        result = RatedBattle(1, "duel", datetime(1998, 1, 1, tzinfo=UTC), won, frozenset(users) - won)
        return {users[user]: figures.elo or 0 for user, figures in rate(result, {}).items()}

    def _settle(self, outcome: Outcome) -> Settlement:
        return settle(
            players=self.game.mages,
            winners=outcome.winners,
            dead=outcome.dead,
            scores=self.scores,
            practice=self.game.practice,
            practice_deaths_are_real=True,  # as on the recorded server
        )

    def _score_of(self, mage: str, score: int) -> dict[str, int]:
        starting = self.game.scores
        return {"duel": starting.duel[mage], "melee": starting.melee[mage], self.state.kind: score}

    def _resolve(self, turn: RecordedTurn) -> Done:
        """Give the orders, then the answers to questions, until the turn is over."""
        dice = self._make_dice(turn)
        late = list(turn.late)
        sheets = {mage: self._read_orders(mage, lines) for mage, lines in turn.orders.items()}
        for _ in range(MOST_STAGES):
            try:
                answer = advance(self.state, {m: s for m, s in sheets.items() if m in self.state.owing}, dice)
            except RulesError as refusal:
                raise Departed(Difference(turn.label, "the turn itself", "played", f"refused: {refusal}")) from refusal
            if isinstance(answer, Done):
                break
            self.state = answer.state
            sheets = self._answer(turn, answer, late)
        else:
            raise Departed(Difference(turn.label, "questions", "answered", f"asked {MOST_STAGES} times"))
        if late:
            left = tuple(f"{answer.mage}: {'; '.join(answer.lines) or 'END'}" for answer in late)
            raise Departed(Difference(turn.label, "questions in the turn", left, "not asked"))
        self.tally.compared += len(turn.late)
        return answer

    def _answer(self, turn: RecordedTurn, asks: Asks, late: list[LateOrders]) -> dict[str, Sheet]:
        """The next recorded answer of each mage who is asked, removed from `late`."""
        sheets = {}
        for mage in asks.state.owing:
            found = next((answer for answer in late if answer.mage == mage), None)
            if found is None:
                raise Departed(Difference(turn.label, "questions in the turn", "no more", f"{mage} is asked"))
            late.remove(found)
            sheets[mage] = self._read_sheet(found.lines)
        return sheets

    def _read_facts(self, before: State, turn: RecordedTurn, done: Done) -> Iterator[tuple[str, object]]:
        yield from read_turn_facts(before, done)
        yield from read_state_facts(done.state)

    def _make_dice(self, turn: RecordedTurn) -> Dice:
        return RecordedDice(turn.chance)

    def _read_orders(self, mage: str, lines: Sequence[str]) -> Sheet:
        return self._read_sheet(lines)

    def _read_sheet(self, lines: Sequence[str]) -> Sheet:
        return Sheet.from_lines([self._name_monsters(line) for line in lines])

    def _name_monsters(self, line: str) -> str:
        """`@Goblin` becomes the name of the only living monster of that kind."""
        for monster in self.state.monsters.values():
            line = line.replace(f"@{monster.kind}", monster.name)
        return line


# A record may name its spell book separately: (ruleset, book) -> the ruleset with that book.
BOOKS = {
    ("firetop-server", "Classic"): "firetop-server-classic",
    ("firetop-server", "NoMonster"): "firetop-server-nomonsters",
    ("firetop-standard", "Classic"): "firetop-classic",
    ("firetop-standard", "NoMonster"): "firetop-nomonsters",
}


def ruleset_for(game: RecordedGame, name: str | None) -> Ruleset:
    """The ruleset of the replay: the requested one, or the game's own, with the book that the game used."""
    asked = name or game.ruleset
    return get_ruleset(BOOKS.get((asked, game.book or ""), asked))


def add_changes(scores: Mapping[str, int], settlement: Settlement) -> dict[str, int]:
    """Return the scores after the battle of the mages who survived it."""
    changed = {change.mage: change.after for change in settlement.changes}
    return {mage: changed.get(mage, score) for mage, score in scores.items() if mage not in settlement.deaths}
