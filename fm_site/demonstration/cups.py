"""The cups of the demonstration: a knock-out that has just begun, and the next ones, with entrants."""

import datetime
from collections.abc import Iterable, Mapping

from accounts.models import Mage
from league.models import Cup
from league.rules.cup_calendar import KNOCKOUT_HOUR
from league.services.cup_places import join_cup
from league.services.run_cups import begin_cup, make_next_cups
from operations.selectors import read_policy

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)
# The highest seeds first, if nobody has a rating. Those as whom nobody can log in, because they play on.
IN_CUP = ("Cinderwick", "Alderbane", "Kestrelle", "Eglantine", "Ironquill", "Umbriel", "Vellicore", "Yarrowby")
NEXT_IN_CUP, NEXT_IN_EVENING = IN_CUP[:5], IN_CUP[4:]


def load_cups(*, mages: Mapping[str, Mage], now: datetime.datetime) -> None:
    """Let people play the knock-out of this month or the last one, begun two hours ago, and join the next cups.

    Call it in the transaction of `load_life`. Does nothing if there is a cup.
    """
    if Cup.objects.exists():
        return
    begins_at = _find_last_knockout(now)
    cup = Cup.objects.create(kind=Cup.Kind.KNOCKOUT, key=f"{begins_at:%Y-%m}", size=16, begins_at=begins_at)
    _join(cup, IN_CUP, mages, begins_at - 3 * DAY)
    cup.confirmed_at = begins_at - DAY
    cup.save(update_fields=["confirmed_at"])
    begin_cup(cup=cup, now=now - 2 * HOUR)
    make_next_cups(now=now)
    for kind, names in ((Cup.Kind.KNOCKOUT, NEXT_IN_CUP), (Cup.Kind.EVENING, NEXT_IN_EVENING)):
        _join(Cup.objects.get(kind=kind, started_at=None), names, mages, now - DAY)


def _join(cup: Cup, names: Iterable[str], mages: Mapping[str, Mage], since: datetime.datetime) -> None:
    for place, name in enumerate(names):
        join_cup(user=mages[name].user, cup_id=cup.pk, mage=mages[name], now=since + place * HOUR)


def _find_last_knockout(now: datetime.datetime) -> datetime.datetime:
    """Return when the last knock-out of the schedule began, at least a day ago."""
    day = read_policy().knockout_day
    begins_at = (now - DAY).astimezone(datetime.UTC).replace(hour=KNOCKOUT_HOUR, minute=0, second=0, microsecond=0)
    while begins_at.day != day or begins_at > now - DAY:
        begins_at -= DAY
    return begins_at
