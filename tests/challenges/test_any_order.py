"""Whatever is asked in whatever order: a refusal changes nothing, and everything always fits together."""

from typing import Any, ClassVar

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from accounts.models import Engagement, Mage, Notice
from challenges.errors import ChallengeError
from challenges.models import Challenge, Seat
from challenges.services import (
    accept_challenge,
    create_challenge,
    decline_challenge,
    decline_elsewhere,
    start_challenge,
    withdraw_challenge,
)
from duels.models import Battle, Combatant
from duels.terms import Terms
from tests.challenges.conftest import NOW, make_mage, make_user

MAGES = 5
indexes = st.integers(0, MAGES - 1)
made = st.tuples(
    st.lists(indexes, max_size=2, unique=True),
    st.booleans(),
    st.integers(0, 2),
    st.sampled_from([None, None, 2, 3, 4, 1]),
)
acts = st.tuples(
    st.sampled_from([*["accept"] * 6, "decline", "decline", "make", "withdraw", "start", "sweep"]),
    indexes,
    st.integers(0, 2),
    made,
)
SERVICES = {
    "accept": accept_challenge,
    "decline": decline_challenge,
    "withdraw": withdraw_challenge,
    "start": start_challenge,
}


def snapshot() -> list[Any]:
    tables = (Challenge, Seat, Engagement, Battle, Notice)
    return [list(table.objects.order_by("pk").values()) for table in tables]  # type: ignore[attr-defined]


class AnyOrder(TestCase):
    mages: ClassVar[list[Mage]]

    @classmethod
    def setUpTestData(cls) -> None:
        users = [make_user(name) for name in ("Rinn", "Pip", "Dawn")]
        cls.mages = [make_mage(f"Mage{index}", users[index % 3]) for index in range(MAGES)]

    def setUp(self) -> None:
        self.make(0, [], True, 2, None)
        self.make(1, [2, 3], False, 0, None)

    # Each example is many statements on the database: a third of what plain values get.
    @settings(max_examples=settings().max_examples // 3)
    @given(wanted=st.lists(acts, min_size=5, max_size=15))
    def test_everything_fits_after_every_act(self, wanted: list[Any]) -> None:
        for act in wanted:
            before = snapshot()
            try:
                self.perform(*act)
            except ChallengeError:
                assert snapshot() == before, f"{act} was refused, and yet changed something"
            self.check_that_all_fits()

    def perform(self, act: str, index: int, place: int, details: tuple[Any, ...]) -> None:
        if act == "sweep":
            decline_elsewhere(now=NOW)
        elif act == "make":
            self.make(index, *details)
        else:
            numbers = list(Challenge.objects.order_by("number").values_list("number", flat=True))
            SERVICES[act](number=numbers[place % len(numbers)], mage=self.mages[index], now=NOW)

    def make(self, index: int, invited: list[int], open_to_all: bool, per_user: int, limit: int | None) -> None:
        create_challenge(
            challenger=self.mages[index],
            terms=Terms(),
            invited=[self.mages[other] for other in invited],
            open_to_all=open_to_all,
            mages_per_user=per_user,
            limit=limit,
            now=NOW,
        )

    def check_that_all_fits(self) -> None:
        for challenge in Challenge.objects.all():
            joined = set(Mage.objects.filter(seats__challenge=challenge, seats__state="joined"))
            assert challenge.seats_taken == len(joined)
            assert challenge.status == "withdrawn" or challenge.challenger in joined
            kind = {"open": "challenge", "started": "battle"}.get(challenge.status)
            engaged = set(Mage.objects.filter(engagement__kind=kind, engagement__number=challenge.number))
            assert engaged == (joined if kind else set())
            fighters = Combatant.objects.filter(battle__number=challenge.number)
            assert {fighter.mage for fighter in fighters} == (joined if challenge.status == "started" else set())
            assert len(fighters) != 1
        assert Battle.objects.count() == Challenge.objects.filter(status="started").count()
