"""Accepting, declining, withdrawing, starting."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import Engagement, Mage
from accounts.selectors.absence import find_vacation
from accounts.services.mages import engage_mage, kill_mage, release_mage
from accounts.services.vacations import start_vacation
from challenges.errors import ChallengeNotFound, ChallengeOver, ChallengeRefused
from challenges.models import Challenge, Seat
from challenges.services.answers import accept_challenge, decline_challenge, decline_elsewhere, withdraw_challenge
from challenges.services.create import create_challenge
from challenges.services.play_now import play_bot
from challenges.services.proposals import start_challenge
from duels.models import Battle, ClockStop, Combatant
from duels.terms import Terms
from notifications.models import Notice
from tests.bots import bring_bots
from tests.challenges.conftest import make_challenge
from tests.refusals import refused
from tests.scenes import DAY, NOW, make_mage, make_user

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=1)


def accept(challenge: Challenge, mage: Mage) -> Challenge:
    return accept_challenge(number=challenge.number, mage=mage, now=LATER)


def decline(challenge: Challenge, mage: Mage) -> Challenge:
    return decline_challenge(number=challenge.number, mage=mage, now=LATER)


def state_of(challenge: Challenge, mage: Mage) -> str:
    return Seat.objects.get(challenge=challenge, mage=mage).state


def notified(kind: str) -> dict[str, dict[str, Any]]:
    return {notice.user.username: notice.facts for notice in Notice.objects.filter(kind=kind)}


def test_the_accepted_challenge_is_a_duel_of_the_same_number(froodal: Mage, bung: Mage) -> None:
    """FM-CHAL-3, FM-ORDACC-1, and FM-ORDNEW-2: the notice of the battle's start tells the challenger."""
    challenge = make_challenge(froodal, bung, terms=Terms(stakes="friendly"))
    assert accept(challenge, bung).status == "started"

    battle = Battle.objects.get(number=challenge.number)
    assert (battle.kind, battle.terms) == ("duel", challenge.terms)
    fighters = Combatant.objects.filter(battle=battle).order_by("position")
    assert [fighter.mage.name for fighter in fighters] == ["Froodal", "Bung"]
    assert {(each.mage.name, each.kind, each.number) for each in Engagement.objects.all()} == {
        ("Froodal", "battle", challenge.number),
        ("Bung", "battle", challenge.number),
    }
    assert "Froodal_user" in notified("battle_started")
    assert not notified("challenge_accepted")


def test_an_open_challenge_starts_at_its_limit_as_a_melee(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-11."""
    challenge = make_challenge(froodal, limit=3)
    assert accept(challenge, bung).status == "open"
    assert accept(challenge, ayla).status == "started"
    assert Battle.objects.get(number=challenge.number).kind == "melee"


def test_waiting_mages_are_notified_who_joined(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-13: without a limit, the challenge waits for everyone who was challenged."""
    challenge = make_challenge(froodal, bung, ayla)
    assert accept(challenge, bung).status == "open" and not Battle.objects.exists()
    accepted = notified("challenge_accepted")
    assert set(accepted) == {"Froodal_user", "Ayla_user"}
    assert (accepted["Ayla_user"]["mage"], accepted["Ayla_user"]["waiting_for"]) == ("Bung", ["Ayla"])


def test_a_closed_challenge_with_a_limit_leaves_out_late_mages(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(froodal, bung, ayla, limit=2)
    accept(challenge, ayla)
    assert state_of(challenge, bung) == "left_out"
    assert set(notified("challenge_excluded")) == {"Bung_user"}
    with pytest.raises(ChallengeOver) as caught:
        accept(challenge, bung)
    assert str(caught.value) == f"Challenge {challenge.number} has become battle {challenge.number}."


def test_an_open_challenge_without_limit_never_starts_by_itself(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-13, FM-ORDNEW-14."""
    challenge = make_challenge(froodal)
    with pytest.raises(ChallengeRefused) as caught:
        start_challenge(number=challenge.number, mage=froodal, now=LATER)
    assert caught.value.code == "too_few"
    assert accept(challenge, bung).status == "open"
    with pytest.raises(ChallengeRefused) as caught:
        start_challenge(number=challenge.number, mage=ayla, now=LATER)
    assert caught.value.code == "not_joined"
    assert not Battle.objects.exists()
    assert start_challenge(number=challenge.number, mage=froodal, now=LATER).status == "started"
    assert Battle.objects.get().number == challenge.number


def test_the_last_mage_to_decline_starts_the_battle_of_the_others(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """The old server left such a challenge stuck (3.9). The battle's start tells the others."""
    challenge = make_challenge(froodal, bung, ayla)
    accept(challenge, bung)
    assert decline(challenge, ayla).status == "started"
    assert not notified("challenge_declined")
    assert Combatant.objects.filter(battle__number=challenge.number).count() == 2


def test_a_melee_of_three_does_not_become_a_duel_because_one_declines(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-11."""
    challenge = make_challenge(froodal, bung, ayla, limit=3)
    accept(challenge, bung)
    assert decline(challenge, ayla).status == "open" and not Battle.objects.exists()
    assert set(notified("challenge_declined")) == {"Froodal_user", "Bung_user"}
    assert start_challenge(number=challenge.number, mage=froodal, now=LATER).status == "started"


def test_a_challenger_is_not_called_alone_while_anyone_may_join(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, open_to_all=True, limit=3)
    accept(challenge, bung)
    decline(challenge, bung)
    assert notified("challenge_declined")["Froodal_user"]["alone"] is False


def test_a_lone_challenger_is_notified_that_nobody_is_left(froodal: Mage, bung: Mage) -> None:
    """FM-ORDACC-4."""
    challenge = make_challenge(froodal, bung)
    assert decline(challenge, bung).status == "open"
    assert notified("challenge_declined")["Froodal_user"]["alone"] is True
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, bung)
    assert caught.value.code == "declined_before"


def test_a_joined_mage_leaves_and_is_free(froodal: Mage, bung: Mage) -> None:
    """FM-ORDACC-5; an open challenge takes the mage back."""
    challenge = make_challenge(froodal, limit=3)
    accept(challenge, bung)
    decline(challenge, bung)
    challenge.refresh_from_db()
    assert challenge.seats_taken == 1
    assert not Engagement.objects.filter(mage=bung).exists()
    accept(challenge, bung)
    assert len(notified("challenge_accepted")) == 1
    assert Notice.objects.filter(kind="challenge_accepted").count() == 2, "each time is told"


@pytest.mark.parametrize(
    ("who", "open_to_all", "code"),
    [("Froodal", False, "own_challenge"), ("Ulf", False, "not_invited"), ("Ulf", True, "no_need_to_decline")],
)
def test_declining_without_an_invitation_is_an_error(
    froodal: Mage, bung: Mage, who: str, open_to_all: bool, code: str
) -> None:
    make_mage("Ulf")
    challenge = make_challenge(froodal, bung, open_to_all=open_to_all, limit=3 if open_to_all else None)
    with pytest.raises(ChallengeRefused) as caught:
        decline(challenge, Mage.objects.get(name=who))
    assert caught.value.code == code
    challenge.refresh_from_db()
    assert (challenge.seats_taken, challenge.revision, challenge.status) == (1, 0, "open")


def test_withdrawing_frees_and_notifies_everyone(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDACC-7."""
    challenge = make_challenge(froodal, bung, ayla)
    accept(challenge, bung)
    withdraw_challenge(number=challenge.number, mage=froodal, now=LATER)
    assert not Engagement.objects.exists()
    assert set(notified("challenge_withdrawn")) == {"Bung_user", "Ayla_user"}
    with pytest.raises(ChallengeOver) as caught:
        accept(challenge, ayla)
    assert str(caught.value) == f"Challenge {challenge.number} was withdrawn."


def test_only_joining_counts_as_activity(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDUSR-10; server 3.9: declining or withdrawing is not activity, and ends no retirement."""

    def rests(mage: Mage) -> tuple[bool, bool]:
        mage.refresh_from_db()
        mage.user.refresh_from_db()
        return mage.is_retired, LATER in (mage.last_active_at, mage.user.last_active_at)

    first, second = make_challenge(froodal, bung), make_challenge(ayla, bung)
    Mage.objects.filter(pk=bung.pk).update(retired_at=NOW)
    decline_challenge(number=first.number, mage=bung, now=LATER)
    withdraw_challenge(number=first.number, mage=froodal, now=LATER)
    assert (rests(bung), rests(froodal)) == ((True, False), (False, False))
    with refused("not_invited"):
        accept(second, froodal)
    assert rests(froodal) == (False, False)
    accept(second, bung)
    assert rests(bung) == (False, True)


def test_withdrawing_does_not_free_invited_mages_from_other_battles(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """The old server freed every mage who was named (section 10, item 27)."""
    challenge = make_challenge(froodal, bung, ayla)
    engage_mage(mage=ayla, kind="battle", number=99)
    withdraw_challenge(number=challenge.number, mage=froodal, now=LATER)
    assert Engagement.objects.get().mage == ayla


def test_only_the_challenger_withdraws(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, bung)
    with refused("not_the_challenger"):
        withdraw_challenge(number=challenge.number, mage=bung, now=LATER)
    challenge.refresh_from_db()
    assert challenge.status == "open"
    assert Engagement.objects.get().mage == froodal


@pytest.mark.parametrize("service", [accept_challenge, decline_challenge, withdraw_challenge, start_challenge])
def test_an_unknown_number_is_not_found(froodal: Mage, service: Any) -> None:
    with pytest.raises(ChallengeNotFound):
        service(number=4711, mage=froodal, now=LATER)


@pytest.mark.parametrize("hindrance", ["dead", "busy_battle", "busy_challenge", "shut_out"])
def test_a_busy_mage_cannot_join(froodal: Mage, bung: Mage, hindrance: str) -> None:
    challenge = make_challenge(froodal)
    if hindrance == "dead":
        kill_mage(mage=bung, now=NOW)
    elif hindrance == "shut_out":
        type(bung.user).objects.filter(pk=bung.user_id).update(is_active=False)
    else:
        engage_mage(mage=bung, kind=hindrance.removeprefix("busy_"), number=99)
    before = bung.user.last_active_at
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, bung)
    assert caught.value.code == hindrance
    assert not Seat.objects.filter(mage=bung).exists()
    bung.user.refresh_from_db()
    assert bung.user.last_active_at == before, "a refused order is no activity (section 10, item 23)"


def test_one_user_brings_as_many_mages_as_the_challenge_allows(froodal: Mage) -> None:
    """FM-ORDNEW-4."""
    user = make_user("Rinn")
    first, second, third = (make_mage(name, user) for name in ("Pip", "Dawn", "Merlyn"))
    challenge = make_challenge(froodal, mages_per_user=2)
    accept(challenge, first)
    accept(challenge, second)
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, third)
    assert caught.value.code == "enough_of_yours"


def test_open_to_any_number_of_mages_of_a_user(froodal: Mage) -> None:
    """FM-ORDNEW-6."""
    challenge = make_challenge(froodal, mages_per_user=0, limit=5)
    for name in ("Pip", "Dawn", "Merlyn"):
        accept(challenge, make_mage(name, froodal.user))
    challenge.refresh_from_db()
    assert challenge.seats_taken == 4


def test_mages_of_one_user_fight_for_practice(db: None) -> None:
    user = make_user("Rinn")
    first, second = make_mage("Pip", user), make_mage("Dawn", user)
    challenge = make_challenge(first, second)
    accept(challenge, second)
    assert Battle.objects.get(number=challenge.number).practice


def test_the_same_click_twice_seats_once(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(froodal, limit=3)
    accept(challenge, bung)
    with pytest.raises(ChallengeRefused) as caught:
        accept(challenge, bung)
    assert str(caught.value) == f"Bung has already joined challenge {challenge.number}."
    assert Notice.objects.filter(kind="challenge_accepted").count() == 1


def test_joining_declines_the_other_challenges_that_name_the_mage(
    froodal: Mage, bung: Mage, ayla: Mage, django_capture_on_commit_callbacks: Any
) -> None:
    """3.9."""
    closed, opened = make_challenge(froodal, bung), make_challenge(ayla, limit=3)
    with django_capture_on_commit_callbacks(execute=True):
        accept(opened, bung)
    assert state_of(closed, bung) == "declined"
    assert notified("challenge_declined")["Froodal_user"]["mage"] == "Bung"


def test_challenging_declines_the_other_challenges_that_name_the_mage(
    froodal: Mage, bung: Mage, django_capture_on_commit_callbacks: Any
) -> None:
    closed = make_challenge(froodal, bung)
    with django_capture_on_commit_callbacks(execute=True):
        make_challenge(bung)
    assert state_of(closed, bung) == "declined"


def test_the_sweep_declines_once_for_mages_who_joined_elsewhere(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """As if the process died after the seat was taken and before the other challenges were declined."""
    closed = make_challenge(froodal, bung, ayla)
    accept(closed, ayla)
    engage_mage(mage=bung, kind="battle", number=99)
    assert decline_elsewhere(now=LATER) == 1
    assert decline_elsewhere(now=LATER) == 0
    closed.refresh_from_db()
    assert (state_of(closed, bung), closed.status) == ("declined", "started")


def test_the_sweep_ignores_mages_who_are_free_again(froodal: Mage, bung: Mage) -> None:
    closed = make_challenge(froodal, bung)
    engage_mage(mage=bung, kind="battle", number=99)
    release_mage(mage=bung, kind="battle", number=99)
    assert decline_elsewhere(now=LATER) == 0
    assert state_of(closed, bung) == "invited"


def test_the_challenge_stays_unchanged_if_the_engine_cannot_start_the_battle(
    froodal: Mage, bung: Mage, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge = make_challenge(froodal, bung)

    def fail(**_: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setattr("challenges.services.start_battle.start_battle", fail)
    with pytest.raises(RuntimeError):
        accept(challenge, bung)
    challenge.refresh_from_db()
    assert (challenge.status, challenge.seats_taken, state_of(challenge, bung)) == ("open", 1, "invited")
    assert {each.mage.name for each in Engagement.objects.all()} == {"Froodal"}


@pytest.mark.django_db(transaction=True)
def test_failures_after_the_answer_do_not_undo_it(monkeypatch) -> None:
    """Work after an answer may fail without the broker; the answer still counts, and the user sees no error."""

    def fail(*args: object, **kwargs: object) -> None:
        raise ConnectionRefusedError("the broker is gone")

    froodal, bung = make_mage("Froodal"), make_mage("Bung")
    challenge = make_challenge(froodal, bung)
    monkeypatch.setattr("operations.wakeups.publish", fail)
    monkeypatch.setattr("challenges.services.answers.decline_elsewhere", fail)
    accept_challenge(number=challenge.number, mage=bung, now=NOW)
    challenge.refresh_from_db()
    assert challenge.status == "started"


class TestVacation:
    """A user on vacation joins nothing without ending it, as orders do; otherwise their clocks would stop at once."""

    def is_away(self, mage: Mage) -> bool:
        return find_vacation(mage.user, now=LATER + DAY) is not None

    def send_away(self, mage: Mage) -> None:
        start_vacation(user=mage.user, days=9, now=NOW)
        assert self.is_away(mage)

    def test_accepting_a_challenge_ends_it(self, froodal: Mage, bung: Mage) -> None:
        challenge = make_challenge(froodal, bung)
        self.send_away(bung)
        accept(challenge, bung)
        assert not self.is_away(bung)
        assert not ClockStop.objects.exists()

    def test_creating_a_challenge_and_playing_a_bot_end_it(self, froodal: Mage, bung: Mage) -> None:
        for mage in (froodal, bung):
            self.send_away(mage)
        create_challenge(challenger=froodal, terms=Terms(), open_to_all=True, now=LATER)
        bring_bots(now=NOW)
        play_bot(mage=bung, strength="Apprentice", now=LATER)
        assert not self.is_away(froodal) and not self.is_away(bung)

    def test_being_invited_and_declining_do_not(self, froodal: Mage, bung: Mage) -> None:
        self.send_away(bung)
        decline(make_challenge(froodal, bung), bung)
        assert self.is_away(bung)
