"""A user's own mistakes: moves that lost chance in battles that are over and analysed, each to be solved again."""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from accounts.models import User
from duels.models import Battle, Combatant, Turn, TurnEvent
from duels.selectors.battle_rows import read_state_of
from duels.selectors.stories import read_stored_event
from rules_engine import Event
from rules_engine.bots.findings import grade_of
from rules_engine.bots.review import Facts, Mark, mark_move
from rules_engine.bots.second_try import find_least_kept
from studies.errors import StudyRefused
from studies.models import AnalysedTurn, OwnMistake
from studies.selectors.analyses import find_analysis_of_battle, find_withheld, list_states
from studies.selectors.positions import Position
from studies.selectors.puzzles import TURNS_WITH_EVENTS

# How old a battle may be for the puzzle of the week.
WEEKS_BACK = datetime.timedelta(weeks=4)


@dataclass(frozen=True)
class Mistake:
    """A move of `mage` that lost chance, with the facts of its turn; `is_solved` by the user."""

    battle: Battle
    seq: int
    label: str
    mage: str
    facts: Facts
    is_solved: bool = False

    @property
    def gestures(self) -> str:
        gestures: str = self.facts["moves"][self.mage]["gestures"]
        return gestures

    @property
    def best(self) -> float:
        return float(grade_of(self.facts["moves"][self.mage])["best"])

    @property
    def lost(self) -> float:
        return self.best - float(grade_of(self.facts["moves"][self.mage])["chance"])

    @property
    def least(self) -> float:
        """The chance that a better move has to keep."""
        return find_least_kept(self.facts["moves"][self.mage])


def list_mistakes(*, battle: Battle, user: User) -> list[Mistake]:
    """Return the user's mistakes in a battle, in the order of the turns; none while no analysis is done, and without
    turns that would help the user in a running battle."""
    analysis = find_analysis_of_battle(battle.number)
    mages = list(Combatant.objects.filter(battle=battle, mage__user=user).values_list("mage__name", flat=True))
    if analysis is None or not mages:
        return []
    rows = {row.seq: row for row in OwnMistake.objects.filter(user=user, battle=battle)}
    facts = analysis.turns.order_by("seq").values_list("facts", flat=True)
    found = [(each, mage) for each in facts if (mage := _find_mistaken(each, mages))]
    withheld = find_withheld(list_states(battle), user) if found else {}
    return [
        Mistake(
            battle,
            each["seq"],
            each["label"],
            mage,
            each,
            is_solved=each["seq"] in rows and rows[each["seq"]].solved_at is not None,
        )
        for each, mage in found
        if each["seq"] not in withheld
    ]


def get_mistake(*, battle: Battle, user: User, seq: int) -> Mistake:
    """Return the user's mistake in this turn. Raises StudyRefused."""
    found = next((each for each in list_mistakes(battle=battle, user=user) if each.seq == seq), None)
    if found is None:
        raise StudyRefused("no_mistake_there")
    return found


def _find_mistaken(facts: Facts, mages: Iterable[str]) -> str | None:
    """Return the first of these mages whose move lost much; analyses of the first edition can grade no other move."""
    if "mixes" not in facts:
        return None
    marks = {mage: mark_move(facts["moves"][mage]) for mage in mages if mage in facts["moves"]}
    return next((mage for mage, mark in marks.items() if mark in (Mark.BLUNDER, Mark.MISTAKE)), None)


def read_position_before(battle: Battle, seq: int) -> Position:
    """Return the position before a turn of a battle that is over, with the events of the last turns before it."""
    turns = list(
        Turn.objects.filter(battle=battle, taken_back_by=None, resolved_at__isnull=False, seq__lte=seq).order_by("seq")
    )
    if not turns or turns[-1].seq != seq:
        raise StudyRefused("no_such_turn")
    *before, turn = turns
    events: dict[int, list[Event]] = {}
    for row in TurnEvent.objects.filter(battle=battle, turn__in=before[-TURNS_WITH_EVENTS:]).order_by("n"):
        events.setdefault(row.turn_id, []).append(read_stored_event(row))
    return Position(
        read_state_of(battle, turn.before),
        tuple(tuple(events.get(each.pk, ())) for each in before),
        tuple({} for _ in before),
        tuple((each.seq, each.label) for each in before),
        seed="mistake",
    )


def find_mistake_of_week(user: User, *, today: datetime.date) -> OwnMistake | None:
    """Return the mistake that was chosen for the user this week, if they have not solved it yet."""
    chosen = OwnMistake.objects.filter(user=user, week=begin_week(today), solved_at=None)
    return chosen.select_related("battle").first()


def begin_week(day: datetime.date) -> datetime.date:
    """Return the Monday of the week."""
    return day - datetime.timedelta(days=day.weekday())


def list_users_to_choose_for(*, now: datetime.datetime) -> Iterator[User]:
    """Yield the users with battles that ended lately and were analysed, for whom nothing was chosen this week."""
    chosen = OwnMistake.objects.filter(week=begin_week(now.date())).values("user")
    users = User.objects.filter(
        is_active=True,
        is_guest=False,
        is_bot=False,
        mages__combatants__battle__analyses__done_at__isnull=False,
        mages__combatants__battle__finished_at__gt=now - WEEKS_BACK,
    )
    yield from users.exclude(pk__in=chosen).distinct().order_by("pk").iterator(chunk_size=200)


def find_worst_mistake(user: User, *, now: datetime.datetime) -> Mistake | None:
    """Return the mistake that lost most in the user's battles of the last weeks, and that they were never shown."""
    battles = Battle.objects.filter(
        combatants__mage__user=user,
        status=Battle.Status.FINISHED,
        finished_at__gt=now - WEEKS_BACK,
        pk__in=AnalysedTurn.objects.filter(analysis__done_at__isnull=False).values("analysis__battle"),
    ).distinct()
    known = set(OwnMistake.objects.filter(user=user).values_list("battle", "seq"))
    found = [mistake for battle in battles for mistake in list_mistakes(battle=battle, user=user)]
    new = [each for each in found if (each.battle.pk, each.seq) not in known]
    return max(new, key=lambda each: each.lost, default=None)
