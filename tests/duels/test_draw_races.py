"""A draw and another act at the same instant: real threads on a real PostgreSQL. Each comes out once."""

from collections import Counter
from functools import partial

import pytest

from duels.models import Battle, TurnEvent
from duels.services.clocks.call_off import call_off_battle
from duels.services.draws import accept_draw, offer_draw, refuse_draw
from duels.services.orders import submit_orders
from ladder.models import ScoredBattle
from notifications.models import Notice
from tests.duels.fights import Fight, start_fight
from tests.duels.test_draws import play_to
from tests.races import at_once
from tests.scenes import DAY, NOW, make_mage

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
TRIES = 4


def begin(number: int) -> Fight:
    return play_to(start_fight(make_mage(f"Ayla{number}"), make_mage(f"Crom{number}")), 5)


def act(service, fight: Fight, name: str, **more):
    return partial(service, combatant=fight.combatant(name), now=NOW, **more)


def count_ends(fight: Fight) -> tuple[int, int, int]:
    fight.battle.refresh_from_db()
    told = Notice.objects.filter(kind="battle_finished", key__startswith=f"battle/{fight.number}/")
    ends = TurnEvent.objects.filter(battle=fight.battle, kind="battle_ends")
    return ends.count(), told.count(), ScoredBattle.objects.filter(number=fight.number).count()


def test_two_acts_about_a_draw_at_once_have_one_outcome():
    for number in range(TRIES):
        fight = begin(number)
        one, other = fight.names
        # Both offer: the second offer accepts the first.
        assert Counter(at_once(act(offer_draw, fight, one), act(offer_draw, fight, other))) == {
            "offered": 1,
            "agreed": 1,
        }
        assert count_ends(fight) == (1, 2, 1)
        # One accepts twice.
        fight = begin(10 + number)
        one, other = fight.names
        offer_draw(combatant=fight.combatant(one), now=NOW)
        assert at_once(*[act(accept_draw, fight, other)] * 3) == [None] * 3
        assert count_ends(fight) == (1, 2, 1)
        # One accepts while the other takes the offer back.
        fight = begin(20 + number)
        one, other = fight.names
        offer_draw(combatant=fight.combatant(one), now=NOW)
        accepted, withdrawn = at_once(act(accept_draw, fight, other), act(refuse_draw, fight, one, whose="own"))
        fight.battle.refresh_from_db()
        assert fight.battle.is_over is (accepted is None) is (withdrawn != "withdrawn")


def test_an_offer_is_accepted_or_its_turn_resolves_and_never_both():
    outcomes = Counter()
    for number in range(2 * TRIES):
        fight = begin(number)
        one, other = fight.names
        offer_draw(combatant=fight.combatant(one), now=NOW)
        fight.order(one, "D/-")
        last = partial(
            submit_orders,
            combatant=fight.combatant(other),
            text="D/-",
            via="web",
            now=NOW,
            stage=fight.key(),
            ready=True,
        )
        accepted, _receipt = at_once(act(accept_draw, fight, other), last)
        fight.battle.refresh_from_db()
        resolved = fight.battle.turns.filter(seq=5, resolved_at__isnull=False).exists()
        assert fight.battle.is_over is (accepted is None) is not resolved
        outcomes[fight.battle.status] += 1
    assert sum(outcomes.values()) == 2 * TRIES


def test_a_battle_is_called_off_or_its_first_turn_resolves_and_never_both():
    for number in range(TRIES):
        fight = start_fight(make_mage(f"Ayla{number}"), make_mage(f"Crom{number}"))
        one, other = fight.names
        fight.order(one, "D/-")
        late = partial(
            submit_orders, combatant=fight.combatant(other), text="D/-", via="web", now=NOW + DAY, ready=True
        )
        call = partial(call_off_battle, combatant=fight.combatant(one), now=NOW + DAY)
        at_once(call, late)
        fight.battle.refresh_from_db()
        assert (fight.battle.status, fight.battle.seq) in ((Battle.Status.FINISHED, 1), (Battle.Status.RUNNING, 2))
