"""For how long mages were absent from a battle while its clocks stood still for them (FM-SLOW-7)."""

import datetime
from collections import defaultdict
from dataclasses import dataclass

from duels.models import Battle, ClockStop, Combatant
from fm_site.operations.selectors import read_policy

ABSENCES = (ClockStop.Reason.VACATION, ClockStop.Reason.BOUNCE)
Span = tuple[datetime.datetime, datetime.datetime]


@dataclass(frozen=True)
class Absence:
    """An absence of one mage that goes on: since when, for how long he was absent in this battle before, and how much
    of that the house allows for one battle in all."""

    since: datetime.datetime
    before: datetime.timedelta
    most: datetime.timedelta

    @property
    def used_up_at(self) -> datetime.datetime:
        """From when on the others may end the battle, unless he comes back."""
        return self.since + max(self.most - self.before, datetime.timedelta(0))

    def used_at(self, now: datetime.datetime) -> datetime.timedelta:
        """How long he was absent in all at `now`."""
        return self.before + max(now - self.since, datetime.timedelta(0))


def read_absences(battle: Battle) -> dict[int, Absence]:
    """Return the absence of each combatant who is absent now."""
    spans: dict[int, list[Span]] = defaultdict(list)
    since: dict[int, datetime.datetime] = {}
    for stop in ClockStop.objects.filter(battle=battle, reason__in=ABSENCES, combatant__isnull=False):
        if stop.combatant_id is not None and stop.ended_at is None:
            since[stop.combatant_id] = min(stop.since, since.get(stop.combatant_id, stop.since))
        elif stop.combatant_id is not None and stop.ended_at is not None:
            spans[stop.combatant_id].append((stop.since, stop.ended_at))
    if not since:
        return {}
    most = datetime.timedelta(days=read_policy().battle_pause_most_days)
    return {
        combatant: Absence(begun, _join([(start, min(end, begun)) for start, end in spans[combatant]]), most)
        for combatant, begun in since.items()
    }


def measure_absences(battle: Battle, now: datetime.datetime) -> dict[int, datetime.timedelta]:
    """Return for each combatant who is absent at `now` how long he was in this battle, in all."""
    return {combatant: absence.used_at(now) for combatant, absence in read_absences(battle).items()}


def find_long_absence(battle: Battle, combatant: Combatant, since: datetime.datetime) -> datetime.datetime:
    """Return when an absence that begins at `since` will have used up, with those before, what the house allows."""
    before = ClockStop.objects.filter(battle=battle, combatant=combatant, reason__in=ABSENCES, since__lt=since)
    spent = _join([(stop.since, min(stop.ended_at or since, since)) for stop in before])
    return since + max(find_most_absence() - spent, datetime.timedelta(0))


def find_most_absence() -> datetime.timedelta:
    """Return for how long clocks stand still in one battle for one who is absent, before others may call it off."""
    return datetime.timedelta(days=read_policy().battle_pause_most_days)


def _join(spans: list[Span]) -> datetime.timedelta:
    """The length of spans that may overlap."""
    total, reached = datetime.timedelta(0), None
    for start, end in sorted(spans):
        begin = start if reached is None else max(start, reached)
        total += max(end - begin, datetime.timedelta(0))
        reached = end if reached is None else max(end, reached)
    return total


@dataclass(frozen=True)
class CallOff:
    """Leave to end a battle for the absence of the `absent`: whether the reader `has_agreed`, which mages of others who
    are here `agreed`, and which are `missing`. With none missing, the reader ends it alone."""

    absent: tuple[str, ...]
    has_agreed: bool
    agreed: tuple[str, ...]
    missing: tuple[str, ...]


def read_call_off(battle: Battle, combatant: Combatant, now: datetime.datetime) -> CallOff | None:
    """Return what stands between the user of `combatant` and the end of the battle; None where nobody else in it has
    been absent for as long as the house allows.

    Who agreed before the present absence was so long has agreed to nothing.
    """
    most = find_most_absence()
    long = {pk: absence.used_up_at for pk, absence in read_absences(battle).items() if absence.used_at(now) >= most}
    if not long:
        return None
    user = combatant.mage.user_id
    fighting = battle.combatants.filter(standing="in").select_related("mage").order_by("position")
    others = [each for each in fighting if each.mage.user_id != user]
    away = {each.mage.user_id for each in others if each.pk in long}
    if not away:
        return None
    since = min(long[each.pk] for each in others if each.pk in long)
    here = [each for each in others if each.mage.user_id not in away]
    wishes = {each.pk for each in fighting if each.calls_off_at is not None and each.calls_off_at >= since}
    return CallOff(
        absent=tuple(each.mage.name for each in others if each.pk in long),
        has_agreed=combatant.pk in wishes,
        agreed=tuple(each.mage.name for each in here if each.pk in wishes),
        missing=tuple(each.mage.name for each in here if each.pk not in wishes),
    )
