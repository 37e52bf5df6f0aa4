"""Inactive mages: FM-ORDUSR-12 and FM-ORDUSR-13, with a warning first, and FM-ORDUSR-9 for those who stay."""

import os
from dataclasses import dataclass
from datetime import timedelta

import pytest
from django.db.models import Min
from hypothesis import given, settings
from hypothesis import strategies as st

from accounts.absence import Verdict
from accounts.models import AbsenceWarning, Engagement, Mage
from accounts.services.mages import keep_mage_active, register_mage, touch_activity, wake_mage
from accounts.services.users import create_user
from accounts.services.vacations import end_vacation, start_vacation
from challenges.inactivity import MageFacts, judge_mage
from challenges.models import Seat
from challenges.services.create import create_challenge
from challenges.services.retire_mages import sweep_idle_mages
from duels.terms import Terms
from ladder.models import ScoreEntry
from notifications.models import Delivery, Notice
from operations.models import Heartbeat, Outage
from operations.policy import Policy
from operations.selectors import list_outages_to_give_back
from operations.services.outages import mark_outage_given_back, watch_parts
from tests.scenes import DAY, NOW

pytestmark = pytest.mark.once
SECOND = timedelta(seconds=1)


def give_score(mage, points):
    if points:
        ScoreEntry.objects.create(
            mage=mage, kind="duel", battle=ScoreEntry.objects.count() + 1000, before=0, due=points, change=points,
            after=points, reason="won", created_at=NOW,
        )  # fmt: skip


def make_idle_mage(name, *, score=0, retired=False):
    user = create_user(name=f"U{name}", email=f"{name}@example.org", now=NOW, email_verified=True)
    mage = register_mage(user=user, name=name, now=NOW)
    give_score(mage, score)
    if retired:
        Mage.objects.filter(pk=mage.pk).update(retired_at=NOW)
    return mage


def sweep_until(start, end):
    """Sweep as beat would, jumping from one due time to the next."""
    now = start
    while now <= end:
        sweep_idle_mages(now=now)
        # The email worker runs: sweeps do nothing if email is not moving.
        Delivery.objects.update(state=Delivery.State.SENT, sealed_mail="")
        due = Mage.objects.filter(died_at=None).aggregate(due=Min("idle_check_at"))["due"]
        if due is None:
            return
        # A mage who stays due is checked once a day.
        now = due if due > now else now + DAY


def tell(mage):
    mage = Mage.objects.get(pk=mage.pk)
    if not mage.is_alive:
        return "gone"
    return "retired" if mage.is_retired else "awake"


def mails(mage):
    return list(Notice.objects.filter(user=mage.user_id).order_by("created_at").values_list("kind", "created_at"))


@pytest.mark.django_db
def test_a_mage_without_a_score_is_warned_after_three_weeks_and_leaves_a_week_later():
    """FM-ORDUSR-12; FM-ORDUSR-11 applies whether the site or the user retires the mage."""
    mage = make_idle_mage("Froodal")
    sweep_until(NOW, NOW + 28 * DAY - SECOND)
    assert (tell(mage), mails(mage)) == ("awake", [("mage_idle_warning", NOW + 21 * DAY)])
    sweep_until(NOW + 28 * DAY, NOW + 90 * DAY)
    assert tell(mage) == "gone"
    assert mails(mage)[1:] == [("mage_was_removed", NOW + 28 * DAY)]
    assert AbsenceWarning.objects.get().end == "done"


@pytest.mark.django_db
def test_a_mage_with_a_score_is_retired_and_leaves_after_times_that_depend_on_it():
    """FM-ORDUSR-12, FM-ORDUSR-13: seven days times the score and one more, then 28 times as much."""
    mage, champion = make_idle_mage("Bung", score=3), make_idle_mage("Merlyn", score=8, retired=True)
    sweep_until(NOW, NOW + 400 * DAY)
    sent = mails(mage)
    assert [kind for kind, _ in sent] == [
        "mage_idle_warning",
        "mage_was_retired",
        "mage_retired_warning",
        "mage_was_removed",
    ]
    assert [(at - NOW).days for _, at in sent] == [29, 36, 28 * 4 + 1, 28 * 4 + 8]
    # FM-ORDUSR-9: the best retired mages stay.
    assert (tell(mage), tell(champion), mails(champion)) == ("gone", "retired", [])


@pytest.mark.django_db
@pytest.mark.parametrize(("score", "fate"), [(4, "retired"), (3, "gone")])
def test_the_best_retired_mages_stay_down_to_four_points_below(score, fate):
    make_idle_mage("Merlyn", score=8, retired=True)
    mage = make_idle_mage("Bung", score=score, retired=True)
    sweep_until(NOW, NOW + 300 * DAY)
    assert tell(mage) == fate


@pytest.mark.django_db
def test_after_new_activity_a_mage_gets_a_new_warning():
    mage = make_idle_mage("Froodal")
    sweep_until(NOW, NOW + 25 * DAY)
    back = NOW + 25 * DAY
    touch_activity(user=mage.user, mage=mage, now=back)
    sweep_until(back, back + 27 * DAY)
    assert tell(mage) == "awake"
    assert [kind for kind, _ in mails(mage)] == ["mage_idle_warning"] * 2
    assert list(AbsenceWarning.objects.order_by("pk").values_list("end", flat=True)) == ["came_back", ""]


@pytest.mark.django_db
def test_only_its_own_user_can_keep_a_mage_and_that_is_activity():
    mage, other = make_idle_mage("Froodal"), make_idle_mage("Bung")
    sweep_until(NOW, NOW + 25 * DAY)
    assert keep_mage_active(user=other.user, mage_id=mage.pk, now=NOW + 26 * DAY) is None
    assert keep_mage_active(user=mage.user, mage_id=mage.pk, now=NOW + 26 * DAY) == mage
    sweep_until(NOW + 26 * DAY, NOW + 40 * DAY)
    assert (tell(mage), tell(other)) == ("awake", "gone")


@pytest.mark.django_db
def test_no_mage_is_retired_while_another_of_the_user_is_busy():
    mage = make_idle_mage("Froodal")
    busy = register_mage(user=mage.user, name="Bung", now=NOW)
    Engagement.objects.create(mage=busy, kind="battle", number=1)
    sweep_until(NOW, NOW + 60 * DAY)
    assert (tell(mage), mails(mage)) == ("awake", [])
    Engagement.objects.all().delete()
    sweep_until(NOW + 61 * DAY, NOW + 63 * DAY)
    assert [kind for kind, _ in mails(mage)] == ["mage_idle_warning"] * 2


@pytest.mark.django_db
def test_a_vacation_does_not_count_and_what_comes_after_it_counts_from_its_end():
    """FM-SLOW-7, FM-ORDUSR-6: all the mages of a user are on vacation."""
    mage = make_idle_mage("Froodal")
    start_vacation(user=mage.user, days=30, now=NOW + 10 * DAY)
    sweep_until(NOW, NOW + 60 * DAY)
    assert mails(mage) == []
    sweep_until(NOW + 61 * DAY, NOW + 61 * DAY)
    assert [kind for kind, _ in mails(mage)] == ["mage_idle_warning"]


@pytest.mark.django_db
def test_orders_end_a_vacation_and_its_protection():
    """FM-ORDUSR-7"""
    mage = make_idle_mage("Froodal")
    start_vacation(user=mage.user, days=30, now=NOW)
    end_vacation(user=mage.user, now=NOW + DAY)
    sweep_until(NOW, NOW + 23 * DAY)
    assert [kind for kind, _ in mails(mage)] == ["mage_idle_warning"]


@pytest.mark.django_db
def test_a_mage_back_from_retirement_becomes_idle_like_any_other():
    """FM-ORDUSR-10, and FM-ORDUSR-12 again."""
    mage = make_idle_mage("Froodal", score=1, retired=True)
    sweep_until(NOW, NOW + DAY)
    back = NOW + 10 * DAY
    assert wake_mage(mage=mage)
    touch_activity(user=mage.user, mage=mage, now=back)
    sweep_until(back, back + 22 * DAY)
    assert mails(mage) == [("mage_idle_warning", back + 21 * DAY)]


@pytest.mark.django_db
def test_an_outage_does_not_count_as_inactivity():
    mage = make_idle_mage("Froodal")
    Outage.objects.create(part="beat", started_at=NOW + DAY, ended_at=NOW + 11 * DAY, given_back_at=NOW + 11 * DAY)
    sweep_until(NOW, NOW + 31 * DAY - SECOND)
    assert mails(mage) == []
    sweep_until(NOW + 31 * DAY, NOW + 31 * DAY)
    assert len(mails(mage)) == 1


@pytest.mark.django_db
def test_a_site_in_doubt_retires_nobody():
    mage = make_idle_mage("Froodal")
    sweep_until(NOW, NOW + 27 * DAY)
    Outage.objects.create(part="site", started_at=NOW + 27 * DAY)
    sweep_until(NOW + 28 * DAY, NOW + 40 * DAY)
    assert tell(mage) == "awake"


@pytest.mark.django_db
@pytest.mark.parametrize("jump", [DAY, -DAY])
def test_a_clock_that_jumps_by_a_day_costs_nobody_a_day(jump):
    """It jumps at noon on day twenty and back an hour later: nobody is warned early or forgotten."""
    mage = make_idle_mage("Froodal")
    before = NOW + 20 * DAY
    for now in (before, before + jump, before + timedelta(hours=1)):
        sweep_idle_mages(now=now)  # in doubt
        watch_parts(now=now)
        for outage in list_outages_to_give_back():
            mark_outage_given_back(outage=outage, now=now)
        sweep_idle_mages(now=now)
    for now in (before + timedelta(hours=23, minutes=59), before + 3 * DAY):
        Heartbeat.objects.update(beat_at=now)
        sweep_idle_mages(now=now)
        assert (mails(mage) == []) == (now < before + DAY)


@pytest.mark.django_db(transaction=True)
def test_a_retired_mages_invitations_are_declined():
    mage, bung = make_idle_mage("Froodal", score=1), make_idle_mage("Bung")
    sweep_until(NOW, NOW + 21 * DAY)
    create_challenge(challenger=bung, terms=Terms(), invited=[mage], now=NOW + 22 * DAY)
    sweep_until(NOW + 22 * DAY, NOW + 29 * DAY)
    assert tell(mage) == "retired"
    assert Seat.objects.get(mage=mage).state == Seat.State.DECLINED


@dataclass
class PlainMage:
    """The expected fate of one mage, day by day."""

    score: int
    retired: bool
    idle_for: int = 0
    user_idle_for: int = 0
    warned: int | None = None
    fate: str = "awake"

    def live(self, *, acts, mage_acts, busy, best, policy=None):
        policy = policy or Policy()
        if self.fate == "gone":
            return
        self.idle_for += 1
        self.user_idle_for += 1
        if self.warned is not None:
            self.warned += 1
        if acts or mage_acts:
            self.user_idle_for, self.warned = 0, None
        if mage_acts:
            self.idle_for = 0
        span = (policy.retired_days if self.retired else policy.idle_week_days) * (self.score + 1)
        immune = self.retired and self.score >= best - policy.immune_points
        if self.user_idle_for < policy.idle_user_days or self.idle_for <= span or busy or immune:
            return
        if self.warned is None:
            self.warned = 0
        elif self.warned >= policy.warning_days:
            self.warned = None
            if self.retired or self.score == 0:
                self.fate = "gone"
            else:
                self.retired, self.fate = True, "retired"


@settings(max_examples=1000 if os.environ.get("FM_TEST_LONG") == "1" else 25)
@given(
    score=st.integers(0, 4),
    retired=st.booleans(),
    best=st.integers(0, 9),
    days=st.lists(st.sampled_from("....................................................ambb"), max_size=300),
)
def test_every_decision_is_that_of_a_simple_day_by_day_model(score, retired, best, days):
    """FM-ORDUSR-12, FM-ORDUSR-13: `judge_mage`, called only at its due times, misses nothing."""
    best = max(best, score)
    model = PlainMage(score, retired, fate="retired" if retired else "awake")
    idle_for = user_idle_for = 0
    warned, look, fate, is_retired = None, 0, model.fate, retired
    for day, what in enumerate(days, start=1):
        idle_for, user_idle_for = idle_for + 1, user_idle_for + 1
        warned = warned + 1 if warned is not None else None
        if what in "am":
            user_idle_for, warned = 0, None
        if what == "m":
            idle_for = 0
        if day >= look and fate != "gone":
            facts = MageFacts(
                is_retired, score, idle_for * DAY, user_idle_for * DAY, what == "b", best, None if warned is None
                else warned * DAY,
            )  # fmt: skip
            verdict = judge_mage(facts, Policy())
            assert verdict.recheck_in >= timedelta(0)
            look = day + max(verdict.recheck_in // DAY, 1)
            if verdict == Verdict("retire"):
                fate, is_retired, warned = "retired", True, None
            elif verdict == Verdict("remove"):
                fate = "gone"
            elif verdict.action == "warn":
                warned = 0
        model.live(acts=what == "a", mage_acts=what == "m", busy=what == "b", best=best)
        # A busy mage is checked again the next day, so nobody is later than in the model, nor earlier.
        if "b" not in days:
            assert (fate, warned) == (model.fate, model.warned), day
