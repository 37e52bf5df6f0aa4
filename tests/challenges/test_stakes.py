"""Stakes: restrictions on opponents, and descriptions on the page."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.html import escape

from accounts.models import Mage
from challenges.errors import InvalidChallenge
from challenges.models import Challenge, Proposal
from challenges.selectors.lists import get_challenge_for_user, list_open_challenges
from challenges.services.answers import accept_challenge
from challenges.services.proposals import propose_change
from duels.models import Battle
from duels.terms import Terms
from ladder.models import ScoreEntry
from ladder.stakes import OFFERED_STAKES
from tests.challenges.conftest import make_challenge
from tests.refusals import refused
from tests.scenes import NOW

BAND = Terms(stakes="band")


def score(mage: Mage, points: int, kind: str = "duel") -> Mage:
    ScoreEntry.objects.create(
        mage=mage, kind=kind, battle=99, due=points, before=0, change=points, after=points, reason="won", created_at=NOW
    )
    return mage


def join(challenge: Challenge, mage: Mage) -> None:
    accept_challenge(number=challenge.number, mage=mage, now=NOW)


def test_close_scores_can_meet_and_distant_ones_cannot(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    score(froodal, 7)
    challenge = make_challenge(froodal, terms=BAND, limit=2)
    with refused("out_of_band", match="scores are within 5 points"):
        join(challenge, score(bung, 1))
    join(challenge, score(ayla, 2))
    assert Battle.objects.get().terms["stakes"] == "band"


def test_in_a_melee_melee_scores_count_and_everyone_is_near_everyone(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(score(froodal, 4, "melee"), terms=BAND, limit=3)
    join(challenge, score(bung, 90))
    with refused("out_of_band"):
        join(challenge, score(ayla, 6, "melee"))


def test_a_mage_with_a_distant_score_sees_it_before_joining(froodal: Mage, bung: Mage, ayla: Mage) -> None:
    challenge = make_challenge(score(froodal, 7), terms=BAND, limit=2)
    page = get_challenge_for_user(number=challenge.number, user=bung.user)
    for row in (page, *list_open_challenges(viewer=bung.user)):
        assert not row.own.may_join and row.own.why_not == "Only for mages with scores within 5 points of each other."
        assert "ladder within 5 points" in row.words.terms
        assert [seat.score for seat in row.seating.seats] == [7, None], "the free seat has none"
    assert '<span class="quiet small">score 7</span>' in Client().get("/challenges/").content.decode()
    assert get_challenge_for_user(number=challenge.number, user=score(ayla, 3).user).own.may_join


def test_the_list_needs_no_more_queries_for_more_challenges(froodal: Mage, bung: Mage, ayla: Mage, crom: Mage) -> None:
    def count_queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            list_open_challenges(viewer=crom.user)
        return len(asked)

    make_challenge(froodal, terms=BAND)
    count_queries()  # the site's numbers are cached
    one = count_queries()
    for mage in (bung, ayla):
        make_challenge(mage, terms=BAND)
    count_queries()  # the reliability of each player is cached
    assert count_queries() == one


def test_those_who_joined_far_apart_cannot_narrow_it(froodal: Mage, bung: Mage) -> None:
    challenge = make_challenge(score(froodal, 9, "melee"), limit=3)
    join(challenge, bung)
    with pytest.raises(InvalidChallenge, match="more than 5 points apart"):
        propose_change(number=challenge.number, mage=bung, change={"stakes": "band"}, now=NOW)
    with pytest.raises(InvalidChallenge, match="no stakes"):
        propose_change(number=challenge.number, mage=bung, change={"stakes": "souls"}, now=NOW)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("word", OFFERED_STAKES)
def test_every_stake_is_offered_by_the_form_in_words(client, froodal: Mage, word: str) -> None:
    client.force_login(froodal.user)
    page = client.get("/challenges/new/").content.decode()
    assert escape(OFFERED_STAKES[word].risk) in page and f'value="{word}"' in page
    answer = client.post("/challenges/new/", {"mage": "Froodal", "against": "", "limit": "", "stakes": word})
    assert answer.status_code == 302 and Challenge.objects.get().terms["stakes"] == word


@pytest.mark.parametrize(
    "wish", [{"stakes": "league"}, {"stakes": "evening"}, {"stakes": "friendly", "pace": "twoday"}]
)
def test_nobody_can_choose_what_belongs_to_leagues_and_cups(froodal: Mage, bung: Mage, wish: dict[str, str]) -> None:
    with pytest.raises(InvalidChallenge, match="Choose from"):
        make_challenge(froodal, terms=Terms(**wish))
    challenge = make_challenge(froodal, bung, terms=Terms(stakes="friendly"))
    with pytest.raises(InvalidChallenge, match="Choose from"):
        propose_change(number=challenge.number, mage=froodal, change=wish, now=NOW)
    assert Challenge.objects.count() == 1
