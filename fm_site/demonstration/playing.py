"""The people of the demonstration play in the background, against each other and against anyone who logs in."""

import datetime
import random

from django.db.models import Count, Q, QuerySet

from accounts.demonstration import DEMONSTRATION_DOMAIN
from accounts.models import Mage, User
from duels.models import Battle, OrderSheet
from duels.services.bot_orders import give_orders_like_a_bot
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from fm_site.demonstration.cast import FINISHED, RUNNING
from fm_site.demonstration.people import DEMONSTRATION
from fm_site.demonstration.records import IN_MELEE
from ladder.stakes import EVENT_STAKES

# So many duels are played in the background, so many of them at once, besides those that wait for somebody.
MORE, AT_ONCE = 30, 2
# Nobody answers faster.
THINKING = datetime.timedelta(seconds=15)
MOST_SHEETS = 8
# The weaker player of a duel that goes on for ever gives up.
LONGEST = 40
RULESETS = ("warlocks", "firetop-standard", "waving-hands")


def play_on(*, now: datetime.datetime) -> int:
    """Give the orders that people of the demonstration owe, a few at a time, and begin a duel if few are running.

    Return how many gave theirs. It may run at any time, and twice at once: a sheet that is ready stays as it is.
    """
    given = sum(
        give_orders_like_a_bot(sheet=sheet, strength=IN_MELEE, most_turns=LONGEST, now=now) for sheet in _list_owed(now)
    )
    _begin_duel(now)
    return given


def list_actors() -> QuerySet[User]:
    """Return the users of the demonstration as whom nobody can log in."""
    known = [who.email for who in DEMONSTRATION]
    return User.objects.filter(email__endswith=f"@{DEMONSTRATION_DOMAIN}", is_active=True).exclude(email__in=known)


def _list_owed(now: datetime.datetime) -> list[OrderSheet]:
    owed = OrderSheet.objects.filter(
        ready=False,
        stage__closed_at=None,
        stage__opened_at__lte=now - THINKING,
        stage__battle__status=Battle.Status.RUNNING,
        combatant__mage__user__in=list_actors(),
    )
    return list(
        owed.select_related("stage", "combatant__mage__user", "combatant__battle").order_by("stage__opened_at", "pk")[
            :MOST_SHEETS
        ]
    )


def _begin_duel(now: datetime.datetime) -> None:
    """Begin a duel between two of them who are free, unless enough have been played or are running."""
    of_actors = Battle.objects.annotate(
        mages=Count("combatants"), actors=Count("combatants", filter=Q(combatants__mage__user__in=list_actors()))
    )
    among_them = of_actors.filter(mages=2, actors=2).exclude(terms__stakes__in=EVENT_STAKES)
    recorded = sum(1 for each in (*FINISHED, *RUNNING) if len(each.mages) == 2)
    if among_them.count() >= recorded + MORE or among_them.filter(finished_at=None).count() >= AT_ONCE:
        return
    free = list(
        Mage.objects.filter(user__in=list_actors(), died_at=None, retired_at=None, engagement=None).select_related(
            "user"
        )
    )
    number = take_number()
    random.Random(number).shuffle(free)
    pair = next(([one, other] for one in free[:1] for other in free if other.user_id != one.user_id), None)
    if pair is not None:
        terms = Terms(ruleset=RULESETS[number % len(RULESETS)], stakes="friendly", pace="fast")
        start_battle(number=number, terms=terms, mages=pair, now=now)
