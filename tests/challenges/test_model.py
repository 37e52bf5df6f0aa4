"""Random orders of five users with eight mages: the site follows the rules step by step (model.py)."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from accounts.models import Engagement, Mage
from accounts.services.ties import block_user
from challenges.errors import ChallengeError
from challenges.models import Challenge, Proposal
from challenges.selectors.state import list_pending_proposals, read_ballot, read_seating
from challenges.services.answers import accept_challenge, decline_challenge, decline_elsewhere, withdraw_challenge
from challenges.services.create import create_challenge
from challenges.services.expire import expire_proposals
from challenges.services.proposals import propose_change, start_challenge, take_back_change
from challenges.services.votes import oppose_changes
from duels.models import Battle, Combatant, Number
from duels.terms import Terms
from tests.challenges.model import Model
from tests.scenes import NOW, make_mage, make_user
from tests.services.plugin import LONG

STEPS = 50 if LONG else 30
EXAMPLES = 400 if LONG else 4

USERS = ("Rinn", "Pip", "Dawn", "Wil", "Eda")
MAGES = tuple(f"Mage{letter}" for letter in "abcdefgh")
OWNERS = {mage: USERS[number % len(USERS)] for number, mage in enumerate(MAGES)}

mages = st.sampled_from(MAGES)
some_mages = st.lists(mages, max_size=3, unique=True)
# The first challenge, which some have already joined, more often than the others.
places = st.sampled_from([0, 0, 0, 1, 2, 3])
seldom = st.sampled_from([False] * 4 + [True])
large = st.sampled_from([None, None, 6, 7])
limits = st.sampled_from([None, None, 3, 4, 5, 6, 7, 2, 1])
openness = st.sampled_from([1, 1, 2, 0, None])
parts: dict[str, st.SearchStrategy[Any]] = {
    "limit": limits,
    "mages_per_user": openness,
    "authoritarian": st.booleans(),
    "stakes": st.sampled_from(["ladder", "friendly"]),
    "add": st.lists(mages, max_size=2, unique=True),
    "exclude": st.lists(mages, max_size=2, unique=True),
}
# Most changes have one part, so that most can be proposed; some have all.
one_part = st.sampled_from(sorted(parts)).flatmap(lambda name: st.fixed_dictionaries({name: parts[name]}))
changes = one_part | one_part | st.fixed_dictionaries({}, optional={**parts, "start": st.just(True)})


class AnyOrders(RuleBasedStateMachine):
    """Each rule gives one order to the model and to the site; both process it, or both reject it."""

    def __init__(self) -> None:
        super().__init__()
        self.example = transaction.atomic()
        self.example.__enter__()
        users = {name: make_user(name) for name in USERS}
        self.users = users
        self.mages = {name: make_mage(name, users[OWNERS[name]]) for name in MAGES}
        self.model = Model(dict(OWNERS))

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.example.__exit__(None, None, None)

    @property
    def now(self) -> Any:
        return NOW + timedelta(minutes=self.model.clock)

    def number_at(self, place: int) -> int:
        """One of the challenges."""
        numbers = sorted(self.model.games)
        return numbers[place % len(numbers)]

    def give(self, service: Any, order: str, **asked: Any) -> None:
        """Give the order `asked` to the model and, with the mage as a row, to the service."""
        self.model.clock += 1
        obeyed = self.model.obey(order, **asked)
        details = {**asked, "mage": self.mages[asked["mage"]]}
        try:
            with transaction.atomic():
                service(**details, now=self.now)
        except ChallengeError as error:
            assert not obeyed, f"{order} {asked} is allowed, but: {error}"
        else:
            assert obeyed, f"{order} {asked} is not allowed"

    @initialize(limit=large, others=st.lists(st.sampled_from(MAGES[1:]), min_size=2, max_size=4, unique=True))
    def begin_with_a_challenge_that_some_have_joined(self, limit: int | None, others: list[str]) -> None:
        self.newgame("Magea", [], [], 0, limit, False)
        for mage in others:
            self.accept(0, mage, [], False)

    @rule(
        mage=mages,
        invited=some_mages,
        excluded=some_mages,
        per_user=openness,
        limit=limits,
        authoritarian=st.booleans(),
    )
    def newgame(
        self,
        mage: str,
        invited: list[str],
        excluded: list[str],
        per_user: int | None,
        limit: int | None,
        authoritarian: bool,
    ) -> None:
        def create(number: int, mage: Mage, **_: Any) -> None:
            made = create_challenge(
                challenger=mage,
                terms=Terms(),
                invited=[self.mages[name] for name in invited],
                excluded=[self.mages[name] for name in excluded],
                open_to_all=per_user is not None,
                mages_per_user=per_user or 0,
                limit=limit,
                authoritarian=authoritarian,
                now=self.now,
            )
            assert made.number == number

        self.give(
            create,
            "newgame",
            number=Number.objects.create().pk + 1,
            mage=mage,
            invited=invited,
            excluded=excluded,
            per_user=per_user,
            limit=limit,
            authoritarian=authoritarian,
        )

    @rule(place=places, mage=mages, changes=st.lists(st.integers(1, 4), max_size=2), everything=seldom)
    def accept(self, place: int, mage: str, changes: list[int], everything: bool) -> None:
        number = self.number_at(place)
        self.give(accept_challenge, "accept", number=number, mage=mage, changes=changes, everything=everything)

    @rule(place=places, mage=mages)
    def join(self, place: int, mage: str) -> None:
        self.give(accept_challenge, "accept", number=self.number_at(place), mage=mage)

    @rule(place=places, change=changes, data=st.data(), wrongly=seldom)
    def propose(self, place: int, change: dict[str, Any], data: st.DataObject, wrongly: bool) -> None:
        number = self.number_at(place)
        mage = data.draw(mages if wrongly else st.sampled_from(self.seated_in(number)))
        self.give(propose_change, "propose", number=number, mage=mage, change=change)

    @rule(place=places, kind=st.integers(0, 3), data=st.data())
    def propose_what_can_be(self, place: int, kind: int, data: st.DataObject) -> None:
        """Most random changes are rejected; these are not."""
        number = self.number_at(place)
        game = self.model.games[number]
        change: dict[str, Any] = {
            0: {"stakes": "friendly" if game.stakes == "ladder" else "ladder"},
            1: {"limit": None if game.limit else len(game.joined) + 2},
            2: {"stakes": "friendly" if game.stakes == "ladder" else "ladder", "limit": len(game.joined) + 1},
            3: {"authoritarian": not game.authoritarian},
        }[kind]
        mage = data.draw(st.sampled_from(self.seated_in(number)))
        self.give(propose_change, "propose", number=number, mage=mage, change=change)

    @rule(place=places, data=st.data(), in_favour=st.booleans())
    def vote(self, place: int, data: st.DataObject, in_favour: bool) -> None:
        number = self.number_at(place)
        mage = data.draw(st.sampled_from(self.seated_in(number)))
        voted_on = data.draw(
            st.lists(st.sampled_from([*self.model.games[number].pending] or [99]), min_size=1, max_size=3)
        )
        service, order = (accept_challenge, "accept") if in_favour else (oppose_changes, "oppose")
        self.give(service, order, number=number, mage=mage, changes=voted_on)

    @rule(place=places, words=st.lists(st.booleans(), min_size=8, max_size=8))
    def vote_all(self, place: int, words: list[bool]) -> None:
        """Everyone who has joined votes on the newest proposal, until that is decided."""
        number = self.number_at(place)
        change = max(self.model.games[number].pending, default=99)
        for mage, in_favour in zip(self.seated_in(number), words, strict=False):
            if change in self.model.games[number].pending:
                service, order = (accept_challenge, "accept") if in_favour else (oppose_changes, "oppose")
                self.give(service, order, number=number, mage=mage, changes=[change])

    @rule(place=places, mage=mages)
    def decline(self, place: int, mage: str) -> None:
        self.give(decline_challenge, "decline", number=self.number_at(place), mage=mage)

    @rule(place=places, mage=mages, data=st.data(), rightly=seldom)
    def take_back(self, place: int, mage: str, data: st.DataObject, rightly: bool) -> None:
        number = self.number_at(place)
        polls = self.model.games[number].polls
        change = data.draw(st.sampled_from(sorted(polls) or [99]))
        mage = polls[change].proposer if rightly and change in polls else mage
        self.give(take_back_change, "take_back", number=number, mage=mage, change=change)

    @rule(place=places, mage=mages, sure=seldom)
    def start(self, place: int, mage: str, sure: bool) -> None:
        if not sure:
            return

        def ask(change: Any, **asked: Any) -> None:
            start_challenge(**asked)

        self.give(ask, "propose", number=self.number_at(place), mage=mage, change={"start": True})

    @rule(place=places, mage=mages, sure=seldom)
    def withdraw(self, place: int, mage: str, sure: bool) -> None:
        if sure:
            self.give(withdraw_challenge, "withdraw", number=self.number_at(place), mage=mage)

    @rule(mage=mages, sure=seldom)
    def retire(self, mage: str, sure: bool) -> None:
        if sure and self.model.obey("retire", mage=mage):
            Mage.objects.filter(name=mage).update(retired_at=self.now)

    @rule(user=st.sampled_from(USERS), other=st.sampled_from(USERS), sure=seldom)
    def block(self, user: str, other: str, sure: bool) -> None:
        if sure and self.model.obey("block", user=user, other=other):
            block_user(user=self.users[user], blocked=self.users[other], now=self.now)

    @rule(place=places, sure=seldom)
    def block_a_neighbour(self, place: int, sure: bool) -> None:
        """The challenger's user blocks that of the mage who joined last; the next order separates them."""
        seated = self.seated_in(self.number_at(place))
        self.block(OWNERS[seated[0]], OWNERS[seated[-1]], sure)

    @rule(place=places)
    def end_battle(self, place: int) -> None:
        number = self.number_at(place)
        self.model.end_battle(number)
        Engagement.objects.filter(kind="battle", number=number).delete()

    @rule()
    def sweep(self) -> None:
        self.model.sweep()
        decline_elsewhere(now=self.now)

    @rule(sure=seldom)
    def wait(self, sure: bool) -> None:
        if sure:
            self.model.wait()
            expire_proposals(now=self.now)

    def seated_in(self, number: int) -> list[str]:
        return list(self.model.games[number].joined)

    @invariant()
    def the_site_is_as_the_model(self) -> None:
        for challenge in Challenge.objects.all():
            game = self.model.games[challenge.number]
            seats = {seat.mage.name: seat for seat in challenge.seats.select_related("mage")}
            assert {name: seat.state for name, seat in seats.items()} == game.seats
            assert {
                name for name, seat in seats.items() if seat.accepts_everything
            } == game.loyal or game.status != "open"
            assert (challenge.status, challenge.mages_per_user, challenge.limit, challenge.authoritarian) == (
                game.status,
                game.per_user,
                game.limit,
                game.authoritarian,
            )
            assert challenge.terms["stakes"] == game.stakes
            polls = {poll.number: poll for poll in Proposal.objects.filter(challenge=challenge)}
            assert {number: poll.state for number, poll in polls.items()} == {
                number: poll.state for number, poll in game.polls.items()
            }
            for number, poll in game.pending.items():
                votes = {vote.mage.name: vote.in_favour for vote in polls[number].votes.select_related("mage")}
                assert votes == poll.votes
        assert Challenge.objects.count() == len(self.model.games)
        engaged = {each.mage.name: (each.kind, each.number) for each in Engagement.objects.select_related("mage")}
        assert engaged == self.model.busy
        retired = set(Mage.objects.filter(retired_at__isnull=False).values_list("name", flat=True))
        assert retired == self.model.retired

    @invariant()
    def a_battle_has_two_mages_and_all_that_joined(self) -> None:
        fighters: dict[int, set[str]] = {number: set() for number in Battle.objects.values_list("number", flat=True)}
        for number, name in Combatant.objects.values_list("battle__number", "mage__name"):
            fighters[number].add(name)
        assert fighters == self.model.fighters
        assert all(len(mages) >= 2 for mages in fighters.values())

    @invariant()
    def nothing_decided_is_left_undecided(self) -> None:
        """Recounting every open vote decides nothing: everything that could be decided has been."""
        for challenge in Challenge.objects.filter(status="open"):
            seating = read_seating(challenge)
            assert challenge.seats_taken == len(seating.joined)
            assert seating.has_joined(challenge.challenger_id)
            for proposal in list_pending_proposals(challenge):
                assert read_ballot(proposal, seating).verdict() is None


@pytest.mark.django_db
def test_the_site_keeps_to_the_rules_whatever_is_ordered() -> None:
    """FM-CHAL-1, FM-ORDACC-1 to 7, FM-ORDCHG-1 to 14: 20,000 steps in the long run."""
    profile = settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None)
    run_state_machine_as_test(AnyOrders, settings=profile)
