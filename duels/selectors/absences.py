"""How long players have been absent from a battle with their clocks stopped (FM-SLOW-7)."""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.db.models import Q

from accounts.selectors.absence import find_users_away
from duels.clock import NOTHING, Span
from duels.models import Battle, ClockStop, Combatant, Deadline, OrderSheet
from duels.paces import FIRST_WAIT, FIRST_WAIT_LIVE, is_live
from duels.terms import Terms, read_stakes
from ladder.stakes import STAKES
from operations.selectors import read_policy

ABSENCES = (ClockStop.Reason.VACATION, ClockStop.Reason.BOUNCE)
# Nobody is absent from a battle that is paused.
PAUSES = (ClockStop.Reason.PAUSE, ClockStop.Reason.JANITOR)


@dataclass(frozen=True)
class Absence:
    """A current absence: since when, the length of earlier ones in this battle, and the site's limit for one battle.

    The battle's `pauses`, all of them over, don't count.
    """

    since: datetime.datetime
    before: datetime.timedelta
    most: datetime.timedelta
    pauses: tuple[Span, ...] = ()

    @property
    def used_up_at(self) -> datetime.datetime:
        """When the other players can choose what to do about it, unless the player returns first."""
        at, left = self.since, max(self.most - self.before, NOTHING)
        for start, end in sorted(self.pauses):
            counted = max(start - at, NOTHING)
            if counted >= left:
                break
            at, left = max(at, end), left - counted
        return at + left

    def used_at(self, now: datetime.datetime) -> datetime.timedelta:
        return self.before + _measure([(self.since, max(self.since, now))], self.pauses)


def read_absences(battle: Battle) -> dict[int, Absence]:
    """Return the current absence of each absent combatant; nobody is absent while the battle is paused."""
    spans: dict[int, list[Span]] = defaultdict(list)
    since: dict[int, datetime.datetime] = {}
    stops = list(ClockStop.objects.filter(battle=battle, reason__in=(*ABSENCES, *PAUSES)))
    pauses = _list_pauses(stops)
    if pauses is None:
        return {}
    for stop in stops:
        if stop.combatant_id is not None and stop.ended_at is None:
            since[stop.combatant_id] = min(stop.since, since.get(stop.combatant_id, stop.since))
        elif stop.combatant_id is not None and stop.ended_at is not None:
            spans[stop.combatant_id].append((stop.since, stop.ended_at))
    if not since:
        return {}
    most = datetime.timedelta(days=read_policy().absence_most_days)
    return {
        combatant: Absence(
            begun, _measure([(start, min(end, begun)) for start, end in spans[combatant]], pauses), most, pauses
        )
        for combatant, begun in since.items()
    }


def _list_pauses(stops: Iterable[ClockStop]) -> tuple[Span, ...] | None:
    """Return the pauses among these stops of a battle, or None if one lasts."""
    pauses = [(stop.since, stop.ended_at) for stop in stops if stop.combatant_id is None]
    over = tuple((since, ended_at) for since, ended_at in pauses if ended_at is not None)
    return over if len(over) == len(pauses) else None


def measure_absences(battle: Battle, now: datetime.datetime) -> dict[int, datetime.timedelta]:
    """Return the total absence in this battle of each combatant who is absent at `now`."""
    return {combatant: absence.used_at(now) for combatant, absence in read_absences(battle).items()}


def find_long_absence(battle: Battle, combatant: Combatant, since: datetime.datetime) -> datetime.datetime:
    """Return when an absence that begins at `since`, added to earlier ones, reaches the site's limit, unless a pause
    comes in between."""
    own = Q(combatant=combatant, reason__in=ABSENCES) | Q(combatant=None, reason__in=PAUSES)
    before = list(ClockStop.objects.filter(own, battle=battle, since__lt=since))
    absent, paused = (
        [(stop.since, min(stop.ended_at or since, since)) for stop in before if stop.reason in reasons]
        for reasons in (ABSENCES, PAUSES)
    )
    return since + max(find_most_absence() - _measure(absent, paused), NOTHING)


def find_undelivered_time_left(battle: Battle, combatant: Combatant) -> datetime.timedelta:
    """Return for how long undelivered email can still stop the clock of a mage in this battle."""
    stops = ClockStop.objects.filter(battle=battle, combatant=combatant, reason=ClockStop.Reason.BOUNCE)
    spent = _join([(stop.since, stop.ended_at) for stop in stops.exclude(ended_at=None) if stop.ended_at])
    return max(datetime.timedelta(days=read_policy().undelivered_mail_days) - spent, NOTHING)


def is_at_stake(battle: Battle) -> bool:
    """Return whether a battle counts for scores or ratings."""
    stake = Terms.from_json(battle.terms).stake
    return not battle.practice and (stake.scores or stake.is_rated)


def find_most_absence() -> datetime.timedelta:
    """Return how long a player can be absent from one battle before the others choose what to do about it."""
    return datetime.timedelta(days=read_policy().absence_most_days)


def _measure(spans: Iterable[Span], pauses: Iterable[Span]) -> datetime.timedelta:
    """Return the total length of spans that can overlap, without pauses."""
    pauses = list(pauses)
    return _join([*spans, *pauses]) - _join(pauses)


def _join(spans: list[Span]) -> datetime.timedelta:
    """Return the total length of spans that can overlap."""
    total, reached = NOTHING, None
    for start, end in sorted(spans):
        begin = start if reached is None else max(start, reached)
        total += max(end - begin, NOTHING)
        reached = end if reached is None else max(end, reached)
    return total


# For how long the others wait for the consent of a player who has done nothing on the site since the choice began.
SILENCE = datetime.timedelta(days=7)
# What players can choose together about an absent player, besides waiting: the field of a combatant with their wish.
WISHES = ("calls_off_at", "offers_seat_at", "claims_at")


@dataclass(frozen=True)
class Consent:
    """Permission to act because these mages are `absent`: to call the battle off, let a bot play, or claim it.

    `has_agreed` is about the reader. Of the other players who are present, the mages in `agreed` have agreed and those
    in `missing` have not. If none is missing, the reader can do it alone. `is_at_start`: they are not absent, but the
    first turn has waited too long for their orders.
    """

    absent: tuple[str, ...]
    has_agreed: bool
    agreed: tuple[str, ...]
    missing: tuple[str, ...]
    is_at_start: bool = False


def read_call_off(battle: Battle, combatant: Combatant, now: datetime.datetime) -> Consent | None:
    """Return the consent that the user of `combatant` still needs to call the battle off; None if no other player has
    been absent for as long as the limit, and the first turn has not waited too long for one; None too in a duel of a
    league or cup: its table needs a result, so the duel can be claimed but not called off.

    Consent from before that moment does not count.
    """
    if Terms.from_json(battle.terms).stake.is_event:
        return None
    consent = _read_consent(battle, combatant, _find_long_absent(battle, now), "calls_off_at", now)
    if consent is not None or not has_waited_at_start(battle, now):
        return consent
    late = _find_late_at_start(battle, combatant)
    consent = _read_consent(battle, combatant, late, "calls_off_at", now, are_bots_waited_for=True)
    return None if consent is None else replace(consent, is_at_start=True)


def read_claim(battle: Battle, combatant: Combatant, now: datetime.datetime) -> Consent | None:
    """Return the consent that the user of `combatant` still needs to claim the battle, as in `read_call_off`."""
    return _read_consent(battle, combatant, _find_long_absent(battle, now), "claims_at", now)


def read_seat_offer(battle: Battle, combatant: Combatant, now: datetime.datetime) -> Consent | None:
    """Return the consent that the user of `combatant` still needs to let a bot play for players who have left: absent
    for as long as the limit or, where no scores are at stake, out of time. None if nobody has left, and in a duel of a
    league or cup, in which no bot stands in."""
    stake = Terms.from_json(battle.terms).stake
    if stake.is_event:
        return None
    left = _find_long_absent(battle, now)
    if not stake.scores:
        late = Deadline.objects.filter(battle=battle, step=Deadline.Step.FORFEIT, ends_at__isnull=False)
        left |= {row.combatant_id: row.ends_at for row in late if row.ends_at is not None}
    return _read_consent(battle, combatant, left, "offers_seat_at", now)


def is_in_first_turn(battle: Battle) -> bool:
    """Return whether no turn of the battle has ever been resolved."""
    return (battle.seq, battle.attempt) == (1, 0)


def find_first_wait(battle: Battle) -> datetime.timedelta:
    """Return how long after its start a battle can be called off by a player who is ready."""
    return FIRST_WAIT_LIVE if is_live(battle.terms.get("pace")) else FIRST_WAIT


def has_waited_at_start(battle: Battle, now: datetime.datetime) -> bool:
    """Return whether a player who is ready may call the battle off because its first turn still waits for others.

    Vacations don't matter: nobody loses anything. Leagues and cups have their own rules.
    """
    return (
        battle.status == Battle.Status.RUNNING
        and is_in_first_turn(battle)
        and now >= battle.started_at + find_first_wait(battle)
        and not STAKES[read_stakes(battle.terms)].is_event
    )


def _find_late_at_start(battle: Battle, combatant: Combatant) -> dict[int, datetime.datetime]:
    """Return the combatants for whose orders the first turn waits, with the moment since when others may call the
    battle off; none if the user of `combatant` is one of them, or the battle is paused."""
    if ClockStop.objects.filter(battle=battle, reason__in=PAUSES, ended_at=None).exists():
        return {}
    owing = OrderSheet.objects.filter(stage__battle=battle, stage__closed_at__isnull=True, ready=False)
    users = dict(owing.values_list("combatant_id", "combatant__mage__user_id"))
    if combatant.mage.user_id in users.values():
        return {}
    return dict.fromkeys(users, battle.started_at + find_first_wait(battle))


def _find_long_absent(battle: Battle, now: datetime.datetime) -> dict[int, datetime.datetime]:
    """Return the combatants who are absent and have been for as long as the limit, with the moment they reached it."""
    most = find_most_absence()
    return {pk: absence.used_up_at for pk, absence in read_absences(battle).items() if absence.used_at(now) >= most}


def _read_consent(
    battle: Battle,
    combatant: Combatant,
    left: Mapping[int, datetime.datetime],
    wish: str,
    now: datetime.datetime,
    *,
    are_bots_waited_for: bool = False,
) -> Consent | None:
    """Return who of the others has left (combatants, and since when), and who has agreed on what to do about it."""
    if not left:
        return None
    user = combatant.mage.user_id
    fighting = battle.combatants.filter(standing="in").select_related("mage__user").order_by("position")
    others = [
        each
        for each in fighting
        if each.mage.user_id != user and ((are_bots_waited_for and each.pk in left) or not _is_played_by_bot(each))
    ]
    away = {each.mage.user_id for each in others if each.pk in left}
    if not away:
        return None
    since = min(left[each.pk] for each in others if each.pk in left)
    # Bots agree to anything the people agree on. Nobody waits for a player who cannot or does not answer.
    on_vacation = find_users_away(now=now)
    is_late = now - since >= SILENCE
    moments = {each.pk: getattr(each, wish) for each in fighting}
    wishes = {pk for pk, moment in moments.items() if moment is not None and moment >= since}
    here = [each for each in others if each.mage.user_id not in away]
    return Consent(
        absent=tuple(each.mage.name for each in others if each.pk in left),
        has_agreed=combatant.pk in wishes,
        agreed=tuple(each.mage.name for each in here if each.pk in wishes),
        missing=tuple(
            each.mage.name
            for each in here
            if each.pk not in wishes
            and not each.mage.user.is_held
            and each.mage.user_id not in on_vacation
            and not (is_late and each.mage.user.last_active_at < since)
        ),
    )


def _is_played_by_bot(combatant: Combatant) -> bool:
    return bool(combatant.stand_in) or combatant.mage.user.is_bot
