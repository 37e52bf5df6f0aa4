"""How long players have been absent from a battle with their clocks stopped (FM-SLOW-7)."""

import datetime
from collections import defaultdict
from dataclasses import dataclass

from duels.models import Battle, ClockStop, Combatant
from fm_site.operations.selectors import read_policy

ABSENCES = (ClockStop.Reason.VACATION, ClockStop.Reason.BOUNCE)
Span = tuple[datetime.datetime, datetime.datetime]


@dataclass(frozen=True)
class Absence:
    """A current absence: since when, the length of earlier ones in this battle, and the site's limit for one battle."""

    since: datetime.datetime
    before: datetime.timedelta
    most: datetime.timedelta

    @property
    def used_up_at(self) -> datetime.datetime:
        """When the other players may call the battle off, unless the player returns first."""
        return self.since + max(self.most - self.before, datetime.timedelta(0))

    def used_at(self, now: datetime.datetime) -> datetime.timedelta:
        """Return the total absence at `now`."""
        return self.before + max(now - self.since, datetime.timedelta(0))


def read_absences(battle: Battle) -> dict[int, Absence]:
    """Return the current absence of each absent combatant."""
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
    """Return the total absence in this battle of each combatant who is absent at `now`."""
    return {combatant: absence.used_at(now) for combatant, absence in read_absences(battle).items()}


def find_long_absence(battle: Battle, combatant: Combatant, since: datetime.datetime) -> datetime.datetime:
    """Return when an absence that begins at `since`, added to earlier ones, reaches the site's limit."""
    before = ClockStop.objects.filter(battle=battle, combatant=combatant, reason__in=ABSENCES, since__lt=since)
    spent = _join([(stop.since, min(stop.ended_at or since, since)) for stop in before])
    return since + max(find_most_absence() - spent, datetime.timedelta(0))


def find_most_absence() -> datetime.timedelta:
    """Return how long a player can be absent from one battle before the others may call it off."""
    return datetime.timedelta(days=read_policy().battle_pause_most_days)


def _join(spans: list[Span]) -> datetime.timedelta:
    """Return the total length of spans that can overlap."""
    total, reached = datetime.timedelta(0), None
    for start, end in sorted(spans):
        begin = start if reached is None else max(start, reached)
        total += max(end - begin, datetime.timedelta(0))
        reached = end if reached is None else max(end, reached)
    return total


@dataclass(frozen=True)
class CallOff:
    """Permission to call a battle off because these mages are `absent`.

    `has_agreed` is about the reader. Of the other players who are present, the mages in `agreed` have agreed and those
    in `missing` have not. If none is missing, the reader can end the battle alone.
    """

    absent: tuple[str, ...]
    has_agreed: bool
    agreed: tuple[str, ...]
    missing: tuple[str, ...]


def read_call_off(battle: Battle, combatant: Combatant, now: datetime.datetime) -> CallOff | None:
    """Return what the user of `combatant` still needs to call the battle off; None if no other player has been absent
    for longer than the limit.

    Consent from before the absence reached the limit does not count.
    """
    most = find_most_absence()
    long = {pk: absence.used_up_at for pk, absence in read_absences(battle).items() if absence.used_at(now) >= most}
    if not long:
        return None
    user = combatant.mage.user_id
    fighting = battle.combatants.filter(standing="in").select_related("mage__user").order_by("position")
    others = [each for each in fighting if each.mage.user_id != user]
    away = {each.mage.user_id for each in others if each.pk in long}
    if not away:
        return None
    since = min(long[each.pk] for each in others if each.pk in long)
    # Bots agree to whatever the people agree on.
    here = [each for each in others if each.mage.user_id not in away and not each.mage.user.is_bot]
    wishes = {each.pk for each in fighting if each.calls_off_at is not None and each.calls_off_at >= since}
    return CallOff(
        absent=tuple(each.mage.name for each in others if each.pk in long),
        has_agreed=combatant.pk in wishes,
        agreed=tuple(each.mage.name for each in here if each.pk in wishes),
        missing=tuple(each.mage.name for each in here if each.pk not in wishes),
    )
