"""Small boards: battles of a list, each as its reader sees it, with the gestures of the last turns.

What a reader sees of a stage never changes, so it is cached under the stage and the reader's eyes: what the key does
not name cannot be in the board. Who is ready comes from the row, as it does in lists.
"""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, FilteredRelation, Q
from django.utils.translation import gettext as _

from accounts.arms.blazons import State, change_state, is_of_bot
from accounts.models import User
from duels.board.columns import BOW, UNSEEN, list_made, list_shown, read_hands
from duels.board.spell_sheets import WAITED
from duels.errors import UnreadableBattle
from duels.models import Battle, Turn
from duels.rules_release import current_rules_release
from duels.selectors.battle_lists import ShownBattle, list_battles_by_number
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.battle_view import ShownTurn
from operations.immutable_cache import ImmutableCache
from rules_engine import MageView, View, Viewer, look, read_event

# Five turns that are over and the one in play.
COLUMNS = 6
# A turn takes two columns at most, and some columns are marks only.
TURNS_READ = 2 * COLUMNS
# Increment this when the shape of SeenMage or SeenBoard changes.
SCHEMA = 1


@dataclass(frozen=True)
class SmallBead:
    """A gesture; `is_cast` if it completed a spell."""

    letter: str
    is_cast: bool = False


# A bead for each column; None where the mage did not move.
Beads = tuple[SmallBead | None, ...]


@dataclass(frozen=True)
class SmallMage:
    """A mage: their arms as the reader knows them, hit points (None if not seen), the beads of both hands, whether they
    are "thinking" or "ready", and the turn in which they fell."""

    name: str
    arms: str
    hp: int | None
    left: Beads
    right: Beads
    standing: str
    fell: str = ""
    now: str = ""

    @property
    def is_dead(self) -> bool:
        return self.standing == "dead"

    @property
    def spoken_name(self) -> str:
        """The name for those who do not see a bot's hexagon."""
        return _("%(name)s (bot)") % {"name": self.name} if is_of_bot(self.arms) else self.name


@dataclass(frozen=True)
class SmallBoard:
    """A battle for one reader, whose own mage comes last. `has_now`: the last column is for the turn in play, whether
    its gestures are known yet or not."""

    number: int
    title: str
    turn: str
    is_over: bool
    has_now: bool
    mages: tuple[SmallMage, ...]

    @property
    def caption(self) -> str:
        """Return ``Duel 12, turn 6``, or ``Duel 12, over``."""
        if self.is_over:
            return _("%(battle)s, over") % {"battle": self.title}
        return _("%(battle)s, turn %(turn)s") % {"battle": self.title, "turn": self.turn}


@dataclass(frozen=True)
class SeenMage:
    """What eyes see of a mage in one stage."""

    name: str
    hp: int | None
    standing: str
    left: Beads
    right: Beads
    fell: str


@dataclass(frozen=True)
class SeenBoard:
    """What eyes see in one stage."""

    mages: tuple[SeenMage, ...]


seen_boards: ImmutableCache[SeenBoard] = ImmutableCache()


def read_small_boards(rows: Iterable[ShownBattle]) -> dict[int, SmallBoard]:
    """Return the boards of these battles by number, for the reader of the rows; none of a battle that this release
    cannot read. Takes two queries, however many rows there are, and none for what is cached."""
    rows = list(rows)
    keys = {row.number: _make_key(row) for row in rows}
    kept = seen_boards.recall(set(keys.values()))
    missing = [row for row in rows if keys[row.number] not in kept]
    if missing:
        fresh = {keys[number]: seen for number, seen in _look_at(missing).items()}
        seen_boards.store(fresh)
        kept |= fresh
    return {row.number: _join(row, kept[keys[row.number]]) for row in rows if keys[row.number] in kept}


def list_boards_numbered(numbers: Iterable[int], user: User | None) -> list[SmallBoard]:
    """Return the boards of the battles with these numbers, newest first, as `user` sees them."""
    wanted = list(numbers)
    return list(read_small_boards(list_battles_by_number(wanted, user)).values()) if wanted else []


def _make_key(row: ShownBattle) -> str:
    battle = row.battle
    stage = (battle.number, battle.started_at, battle.seq, battle.attempt, battle.stage, battle.status, row.mages)
    eyes = None if battle.is_over else sorted(row.mine)
    parts = (SCHEMA, current_rules_release(), stage, eyes)
    return f"small_board:{hashlib.sha256(repr(parts).encode()).hexdigest()}"


def _look_at(rows: Sequence[ShownBattle]) -> dict[int, SeenBoard]:
    numbers = [row.number for row in rows]
    read = Battle.objects.filter(number__in=numbers).only("number", "ruleset", "edition", "state", "status", "seq")
    battles = {battle.number: battle for battle in read}
    turns = _read_turns(numbers)
    seen = {}
    for row in rows:
        viewer = Viewer.all_seeing() if row.battle.is_over else Viewer.of(*row.mine)
        try:
            view = look(read_battle_state(battles[row.number]), viewer)
        except UnreadableBattle:
            continue
        seen[row.number] = _see(view, turns[row.number], viewer)
    return seen


# The last turns of a battle, each with its events in which spells are completed.
TurnCasts = dict[ShownTurn, list[dict[str, Any]]]


def _read_turns(numbers: list[int]) -> Mapping[int, TurnCasts]:
    """Return the last turns of each battle. What is in them is not filtered yet."""
    spell = FilteredRelation("events", condition=Q(events__kind="casts"))
    last = Turn.objects.filter(battle__number__in=numbers, taken_back_by=None, seq__gt=F("battle__seq") - TURNS_READ)
    fields = ("battle__number", *ShownTurn._fields, "spell__facts", "spell__audience", "spell__clause", "spell__cause")
    found: dict[int, TurnCasts] = defaultdict(dict)
    for number, *row in last.alias(spell=spell).order_by("seq", "attempt", "spell__n").values_list(*fields):
        *turn, facts, audience, clause, cause = row
        events = found[number].setdefault(ShownTurn(*turn), [])
        if facts is not None:
            events.append({"kind": "casts", "facts": facts, "audience": audience, "clause": clause, "cause": cause})
    return found


@dataclass(frozen=True)
class _Columns:
    """What `read_hands` asks for."""

    view: View
    turns: tuple[ShownTurn, ...]
    casts: Mapping[str, Mapping[int, Mapping[str, str]]]
    results: Mapping[str, Mapping[int, Mapping[str, Any]]]
    causes: Mapping[str, Mapping[int, Mapping[str, str]]]


def _see(view: View, turns: TurnCasts, viewer: Viewer) -> SeenBoard:
    casts: dict[str, dict[int, dict[str, str]]] = {}
    for turn, written in turns.items():
        for event in map(read_event, written):
            if viewer.sees(event) and not event.facts["fired"]:
                who, hand, spell = (str(event.facts[name]) for name in ("who", "hand", "spell"))
                casts.setdefault(who, {}).setdefault(turn.seq, {})[hand] = spell
    columns = _Columns(view, tuple(turns), casts, {}, {})
    placed = _place(view, columns.turns)
    # Without the bow, which is no turn.
    drawn = [column for column in list_shown(view) if all(mage.left[column : column + 1] != BOW for mage in view.mages)]
    is_made = bool(list_made(view, drawn, placed))
    shown = drawn[-(COLUMNS if is_made or view.over else COLUMNS - 1) :]
    return SeenBoard(tuple(_see_mage(mage, columns, placed, shown) for mage in view.mages))


def _place(view: View, turns: Sequence[ShownTurn]) -> dict[int, int]:
    """Return the column of each of the last turns, found from the end: labels can occur twice."""
    free: dict[str, list[int]] = {}
    for column, label in enumerate(view.columns):
        free.setdefault(label, []).append(column)
    placed = {}
    for turn in reversed(turns):
        is_open = turn.seq == view.seq and not view.stage and not view.over
        if not is_open and free.get(turn.label):
            placed[turn.seq] = free[turn.label].pop()
    return placed


def _see_mage(mage: MageView, columns: _Columns, placed: Mapping[int, int], shown: Sequence[int]) -> SeenMage:
    casts = read_hands(columns, mage.name, placed).casts
    moved = [column for column, letter in enumerate(mage.left) if letter != WAITED]
    has_fallen = mage.standing not in ("in", "victorious")
    return SeenMage(
        mage.name,
        mage.hp,
        mage.standing,
        _beads("LH", mage.left, casts, shown),
        _beads("RH", mage.right, casts, shown),
        columns.view.columns[moved[-1]] if has_fallen and moved else "",
    )


def _beads(hand: str, letters: str, casts: Mapping[int, Mapping[str, str]], shown: Sequence[int]) -> Beads:
    beads: list[SmallBead | None] = []
    for column in shown:
        letter = letters[column] if column < len(letters) else WAITED
        here = casts.get(column, {})
        is_cast = letter != UNSEEN and (hand in here or "BH" in here)
        beads.append(None if letter == WAITED else SmallBead(letter, is_cast))
    return tuple(beads)


def _join(row: ShownBattle, seen: SeenBoard) -> SmallBoard:
    arms = dict(zip(row.mages, row.arms, strict=True))
    mages = [
        SmallMage(
            name=each.name,
            arms=change_state(arms[each.name], State.DEAD) if each.standing == "dead" else arms[each.name],
            hp=each.hp,
            left=each.left,
            right=each.right,
            standing=each.standing,
            fell=each.fell,
            now=_name_now(row, each.name),
        )
        for each in seen.mages
    ]
    mages.sort(key=lambda mage: mage.name in row.mine)
    return SmallBoard(
        number=row.number,
        title=str(row.battle),
        turn=row.label,
        is_over=row.battle.is_over,
        has_now=not row.battle.is_over,
        mages=tuple(mages),
    )


def _name_now(row: ShownBattle, name: str) -> str:
    if name not in row.asked:
        return ""
    return "thinking" if name in row.waiting_for else "ready"
