"""Scenes for the sweeps: for each, rows of which some are due and some are not, and the results.

A scene may be set up any number of times in one database; its results contain no names, so that scenes can be compared.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any

from allauth.account.models import EmailAddress

from accounts.models import AbsenceWarning, Engagement, Mage, Sanction, User, Vacation
from accounts.services.absence import sweep_absent_users, sweep_vacations
from accounts.services.mages import register_mage
from accounts.services.users import create_user
from accounts.services.vacations import start_vacation
from challenges.models import Challenge, Seat
from challenges.services.answers import accept_challenge, decline_elsewhere
from challenges.services.close_stale import sweep_stale_challenges
from challenges.services.create import create_challenge
from challenges.services.retire_mages import sweep_idle_mages
from challenges.services.tell_of_seeks import tell_of_seeks
from duels.models import Battle, ClockStop, Deadline, MissedTurn, OrderSheet
from duels.services.clocks.deadlines import process_deadlines
from duels.services.clocks.outages import give_back_outages
from duels.services.clocks.sweep import start_missing_clocks, sweep_deadlines
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.deliver.prune import prune_copies, prune_mails
from email_gateway.models import InboundMail
from ladder.models import ScoreEntry
from moderation.services.reports import suspend_user, sweep_sanctions
from notifications.models import Delivery, Notice
from notifications.services.deliveries import prune_notices
from notifications.services.outbox import write_notice
from notifications.services.preferences import set_preference
from operations.models import Outage
from tests.scenes import DAY, NOW

# When the sweeps run.
THEN = NOW + 60 * DAY
numbers = count(1)


@dataclass
class Scene:
    """Users and what they own, in order of creation."""

    users: list[User] = field(default_factory=list)
    battles: list[Battle] = field(default_factory=list)
    challenges: list[Challenge] = field(default_factory=list)

    def add_user(self, *, now: datetime = NOW) -> User:
        name = f"Sleeper{next(numbers)}"
        self.users.append(create_user(name=name, email=f"{name}@example.org", now=now, email_verified=True))
        return self.users[-1]

    def add_mage(self, *, now: datetime = NOW, user: User | None = None) -> Mage:
        return register_mage(user=user or self.add_user(now=now), name=f"Mage{next(numbers)}", now=now)

    def add_retired_mage(self, *, score: int) -> Mage:
        mage = self.add_mage()
        Mage.objects.filter(pk=mage.pk).update(retired_at=NOW)
        points = {"before": 0, "due": score, "change": score, "after": score}
        ScoreEntry.objects.create(mage=mage, kind="duel", battle=next(numbers), reason="won", **points)
        return mage

    def add_battle(self, *, days_ago: float, ready: Sequence[int] = (), mages: int = 2) -> Battle:
        """Add a battle that began so many days before THEN, with the mages at these indexes ready."""
        began = THEN - days_ago * DAY
        players = [self.add_mage() for _ in range(mages)]
        battle = start_battle(number=take_number(), terms=Terms(), mages=players, now=began)
        for place in ready:
            combatant = battle.combatants.select_related("mage__user").get(position=place)
            submit_orders(combatant=combatant, text="LH W\nRH S", via="web", now=began, ready=True)
        self.battles.append(battle)
        return battle

    def read(self) -> list[Any]:
        """The result, without names, numbers or keys."""
        return [
            [_read_user(user) for user in self.users],
            [_read_battle(battle) for battle in self.battles],
            [_read_challenge(challenge) for challenge in self.challenges],
        ]


def _read_user(user: User) -> Any:
    mages = Mage.objects.filter(user=user).order_by("pk")
    return (
        User.objects.values_list("is_active", "is_held").get(pk=user.pk),
        list(Sanction.objects.filter(user=user).values_list("expired_at", flat=True)),
        sorted(Counter(Notice.objects.filter(user=user).values_list("kind", flat=True)).items()),
        sorted(Delivery.objects.filter(notice__user=user).values_list("notice__kind", flat=True)),
        list(AbsenceWarning.objects.filter(user=user).order_by("pk").values_list("kind", "end")),
        list(Vacation.objects.filter(user=user).values_list("starts_at", "ended_at")),
        [(mage.is_alive, mage.is_retired, mage.died_at, mage.retired_at) for mage in mages],
        list(ScoreEntry.objects.filter(mage__user=user).values_list("kind", "change", "reason")),
        sorted(Engagement.objects.filter(mage__user=user).values_list("kind", flat=True)),
        list(Seat.objects.filter(mage__user=user).values_list("state", flat=True)),
        list(InboundMail.objects.filter(user=user).values_list("scrubbed", flat=True)),
    )


def _read_battle(battle: Battle) -> Any:
    row = Battle.objects.get(pk=battle.pk)
    clocks = Deadline.objects.filter(battle=battle).order_by("combatant__position")
    return (
        (row.status, row.seq, row.result["reason"] if row.result else None),
        list(clocks.values_list("combatant__position", "step", "reminders", "used", "due_at", "forfeit_at")),
        list(MissedTurn.objects.filter(combatant__battle=battle).values_list("combatant__position", "missed_at")),
        sorted(OrderSheet.objects.filter(stage__battle=battle).values_list("combatant__position", "ready", "via")),
        sorted(ClockStop.objects.filter(battle=battle).values_list("combatant__position", "reason", "since")),
    )


def _read_challenge(challenge: Challenge) -> Any:
    row = Challenge.objects.get(pk=challenge.pk)
    return row.status, row.reminded_at, row.seats_taken


@dataclass(frozen=True)
class Trial:
    """A sweep and the scene that it finds."""

    name: str
    set_up: Callable[[Scene], object]
    sweep: Callable[..., int]

    def prepare(self) -> Scene:
        scene = Scene()
        self.set_up(scene)
        # The email worker ran: sweeps do nothing if email is not moving.
        Delivery.objects.update(state=Delivery.State.SENT, sealed_mail="")
        return scene

    def run(self) -> int:
        return self.sweep(now=THEN)


def late_mages(scene: Scene) -> None:
    """Everything that a clock triggers, and mages who are not late."""
    scene.add_battle(days_ago=7, ready=[0])
    scene.add_battle(days_ago=17)
    scene.add_battle(days_ago=19, ready=[1])
    for ready, mages in (([0], 2), ([2], 3)):
        battle = scene.add_battle(days_ago=21, ready=ready, mages=mages)
        process_deadlines(battle_id=battle.pk, now=THEN - 2 * DAY)
    scene.add_battle(days_ago=3)
    away = scene.add_battle(days_ago=21, ready=[0])
    start_vacation(user=scene.users[-1], days=9, now=THEN - 12 * DAY)
    process_deadlines(battle_id=away.pk, now=THEN - 12 * DAY)


def clocks_of_an_outage(scene: Scene) -> None:
    for days in (20, 4, 1):
        scene.add_battle(days_ago=days, ready=[0])
    # Outages do not overlap, so all scenes share one.
    span = {"started_at": THEN - 6 * DAY, "ended_at": THEN - 3 * DAY}
    Outage.objects.update_or_create(part="beat", **span, defaults={"given_back_at": None})


def battles_without_clocks(scene: Scene) -> None:
    for ready in ([], [0]):
        battle = scene.add_battle(days_ago=2, ready=ready)
        Deadline.objects.filter(battle=battle).delete()


def idle_mages(scene: Scene) -> None:
    """Active and retired mages: of each, one due for a warning and one already warned. And a retired one who
    stays, one whose user is busy, and one who is not idle."""
    warned = scene.add_mage()
    for score in (9, 0):
        scene.add_retired_mage(score=score)
    sweep_idle_mages(now=NOW + 30 * DAY)
    scene.add_mage()
    scene.add_retired_mage(score=0)
    busy = scene.add_mage()
    scene.add_mage(user=busy.user)
    Engagement.objects.create(mage=busy, kind="battle", number=next(numbers))
    scene.add_mage(now=THEN - DAY)
    host = scene.add_mage(now=THEN - DAY)
    scene.challenges.append(create_challenge(challenger=host, terms=Terms(), invited=[warned], now=THEN - DAY))


def sweep_idle_mages_and_invitations(*, now: datetime) -> int:
    """A sweep that is killed before it declines a mage's invitations leaves them to their own sweep."""
    return sweep_idle_mages(now=now) + decline_elsewhere(now=now)


def mageless_users(scene: Scene) -> None:
    scene.add_user()
    sweep_absent_users(now=THEN - 10 * DAY)
    scene.add_user(now=THEN - 30 * DAY)
    scene.add_user(now=THEN - 2 * DAY)
    scene.add_mage()
    for user in (scene.add_user(now=THEN - 15 * DAY), scene.add_user(now=THEN - 13 * DAY)):
        EmailAddress.objects.filter(user=user).update(verified=False)


def old_rows(scene: Scene) -> None:
    """Notices and emails that are old enough to delete, and some that are not."""
    for days in (200, 181, 40, 1):
        user, now = scene.add_user(now=NOW), THEN - days * DAY
        write_notice(key=f"old/{user.pk}", user=user, kind="message", facts={}, now=now)
        mail = {"size": 1, "state": "processed", "received_at": now, "due_at": now, "processed_at": now}
        InboundMail.objects.create(fingerprint=f"old/{user.pk}", scrubbed="SCORES", user=user, **mail)


def tidy(*, now: datetime) -> int:
    return prune_notices(now=now) + prune_copies(now=now) + prune_mails(now=now)


def vacations_over(scene: Scene) -> None:
    for days in (5, 20, 35):
        start_vacation(user=scene.add_user(), days=days, now=THEN - 21 * DAY)


def suspensions_over(scene: Scene) -> None:
    keeper = scene.add_user()
    User.objects.filter(pk=keeper.pk).update(is_staff=True, is_superuser=True)
    keeper.refresh_from_db()
    for days in (1, 3, 5):
        ends_at = THEN + (days - 4) * DAY
        suspend_user(user=scene.add_user(), by=keeper, reason="Enough.", ends_at=ends_at, now=THEN - 9 * DAY)


def stale_challenges(scene: Scene) -> None:
    for days in (14, 6, 1):
        hosts = [scene.add_mage(now=THEN - DAY) for _ in range(3)]
        began = THEN - days * DAY
        made = create_challenge(challenger=hosts[0], terms=Terms(), invited=hosts[1:], now=began)
        accept_challenge(number=made.number, mage=hosts[1], now=began)
        if days > 10:
            Challenge.objects.filter(pk=made.pk).update(reminded_at=THEN - 8 * DAY)
        scene.challenges.append(made)


def open_duels(scene: Scene) -> None:
    """Two who look for a duel, and three who want to be told of one; each is told of one of the two."""
    for _ in range(2):
        seeker = scene.add_mage(now=THEN - DAY)
        made = create_challenge(
            challenger=seeker, terms=Terms(), open_to_all=True, limit=2, now=THEN - timedelta(minutes=5)
        )
        scene.challenges.append(made)
    for _ in range(3):
        set_preference(user=scene.add_mage(now=THEN - DAY).user, key="mail_seeks", value="yes")


TRIALS = [
    Trial("late orders", late_mages, sweep_deadlines),
    Trial("the time of an outage", clocks_of_an_outage, give_back_outages),
    Trial("clocks that are missing", battles_without_clocks, start_missing_clocks),
    Trial("idle mages", idle_mages, sweep_idle_mages_and_invitations),
    Trial("users without a mage", mageless_users, sweep_absent_users),
    Trial("vacations", vacations_over, sweep_vacations),
    Trial("suspensions", suspensions_over, sweep_sanctions),
    Trial("old notices and mails", old_rows, tidy),
    Trial("stale challenges", stale_challenges, sweep_stale_challenges),
    Trial("open duels", open_duels, tell_of_seeks),
]
