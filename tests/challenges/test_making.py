"""Making a challenge."""

import pytest

from accounts.models import Engagement, Mage
from accounts.services.mages import engage_mage, kill_mage
from challenges.errors import InvalidChallenge
from challenges.models import Challenge, Seat
from duels.models import Battle
from duels.terms import Terms
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_mage, make_user

pytestmark = pytest.mark.django_db


def codes(error: InvalidChallenge) -> set[tuple[str, str]]:
    return {(problem.place, problem.code) for problem in error.problems}


def test_a_challenge_names_mages_and_notifies_their_users(froodal: Mage, bung: Mage) -> None:
    """FM-CHAL-1, FM-CHAL-2, FM-ORDNEW-3."""
    challenge = make_challenge(froodal, bung, comment="A turn a day")

    assert {(seat.mage.name, seat.state) for seat in challenge.seats.all()} == {
        ("Froodal", "joined"),
        ("Bung", "invited"),
    }
    notice = Notice.objects.get()
    assert (notice.kind, notice.user) == ("challenged", bung.user)
    assert notice.facts == {"number": challenge.number, "challenger": "Froodal", "mages": ["Bung"], "everyone": False}
    assert Engagement.objects.get().mage == froodal
    assert not Battle.objects.exists()


def test_a_challenge_without_names_is_open_to_one_mage_of_each_user(froodal: Mage) -> None:
    """FM-ORDNEW-4, FM-ORDNEW-5."""
    assert make_challenge(froodal).mages_per_user == 1
    assert not Notice.objects.exists()


def test_a_closed_challenge_must_name_someone(froodal: Mage) -> None:
    """FM-ORDNEW-7."""
    with pytest.raises(InvalidChallenge) as caught:
        make_challenge(froodal, open_to_all=False)
    assert codes(caught.value) == {("against", "nobody_invited")}


def test_every_problem_is_named_at_once_and_nothing_is_changed(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    """FM-ORDNEW-12 among others."""
    dead, retired = make_mage("Ulf"), make_mage("Crom")
    kill_mage(mage=dead, now=NOW)
    Mage.objects.filter(pk=retired.pk).update(retired_at=NOW)
    engage_mage(mage=bung, kind="battle", number=99)
    numbers = Challenge.objects.count()

    with pytest.raises(InvalidChallenge) as caught:
        make_challenge(froodal, froodal, bung, dead, retired, ayla, ayla, limit=1, comment="x" * 301)

    assert codes(caught.value) == {
        ("against", "yourself"),
        ("against", "busy_battle"),
        ("against", "dead"),
        ("against", "retired"),
        ("against", "twice"),
        ("limit", "limit_too_low"),
        ("comment", "comment_too_long"),
    }
    assert "Bung is in battle 99." in str(caught.value)
    assert Challenge.objects.count() == numbers
    assert not Engagement.objects.filter(mage=froodal).exists()


@pytest.mark.parametrize("hindrance", ["dead", "busy_challenge", "shut_out"])
def test_a_busy_mage_challenges_nobody(froodal: Mage, bung: Mage, hindrance: str) -> None:
    if hindrance == "dead":
        kill_mage(mage=froodal, now=NOW)
    elif hindrance == "busy_challenge":
        make_challenge(froodal)
    else:
        froodal.user.is_active = False
        froodal.user.save()
    with pytest.raises(InvalidChallenge) as caught:
        make_challenge(froodal, bung)
    assert codes(caught.value) == {("mage", hindrance)}
    assert not Seat.objects.filter(mage=bung).exists()


def test_users_can_challenge_their_own_mages_for_practice(db: None) -> None:
    user = make_user("Rinn")
    first, second = make_mage("Pip", user), make_mage("Dawn", user)
    make_challenge(first, second)
    assert not Notice.objects.exists(), "users get no notices of what they did themselves"


def test_an_open_challenge_rejects_own_mages_that_could_never_join(db: None) -> None:
    user = make_user("Rinn")
    first, second = make_mage("Pip", user), make_mage("Dawn", user)
    with pytest.raises(InvalidChallenge) as caught:
        make_challenge(first, second, open_to_all=True)
    assert codes(caught.value) == {("against", "yours")}
    make_challenge(first, second, open_to_all=True, mages_per_user=2)


def test_a_user_is_notified_once_however_many_of_their_mages_are_challenged(froodal: Mage) -> None:
    user = make_user("Rinn")
    make_challenge(froodal, make_mage("Pip", user), make_mage("Dawn", user))
    assert Notice.objects.get().facts["mages"] == ["Pip", "Dawn"]


def test_a_comment_becomes_one_line_of_printable_text(froodal: Mage) -> None:
    """FM-ORDNEW-18, FM-CHAL-9."""
    assert make_challenge(froodal, comment=" Fast\r\nBcc: x@y.z\x07 \t now ").comment == "Fast Bcc: x@y.z now"


def test_the_number_is_shared_with_battles_and_never_used_twice(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    numbers = [make_challenge(mage).number for mage in (froodal, bung, ayla)]
    assert len(set(numbers)) == 3
    assert numbers == sorted(numbers)


def test_the_terms_are_stored_unchanged(froodal: Mage) -> None:
    terms = Terms(stakes="friendly", orders_final=True, chat=False)
    assert Terms.from_json(Challenge.objects.get(pk=make_challenge(froodal, terms=terms).pk).terms) == terms


def test_a_ruleset_may_have_room_for_fewer_mages(froodal: Mage) -> None:
    with pytest.raises(InvalidChallenge, match="8") as refused:
        make_challenge(froodal, terms=Terms(ruleset="spellcast"), open_to_all=True, limit=9)
    assert codes(refused.value) == {("limit", "limit_too_high")}
    assert make_challenge(froodal, terms=Terms(ruleset="spellcast"), open_to_all=True, limit=8).limit == 8
