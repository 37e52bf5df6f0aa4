"""The rules of a challenge, chosen in its form: a ruleset, and its options."""

import pytest

from accounts.models import Mage
from challenges.models import Challenge
from duels.terms import list_offers
from tests.scenes import log_in

pytestmark = pytest.mark.django_db


def choose(mage: Mage, **fields: str):
    return log_in(mage.user).post("/challenges/new/", {"mage": mage.name, **fields})


def test_the_form_offers_every_family_once_and_says_what_it_is(froodal: Mage) -> None:
    form = log_in(froodal.user).get("/challenges/new/").context["form"]
    assert [value for value, _ in form.fields["ruleset"].choices] == [offer.name for offer in list_offers()]
    assert all(": " in label for _, label in form.fields["ruleset"].choices)
    choices = [name for name in form.fields if name.startswith("rules_")]
    assert choices == ["rules_paralysis", "rules_dsf", "rules_charm"]


@pytest.mark.parametrize(
    ("fields", "ruleset"),
    [
        ({}, "firetop-standard"),
        ({"ruleset": "warlocks"}, "warlocks"),
        ({"ruleset": "waving-hands"}, "waving-hands"),
        ({"ruleset": "waving-hands", "rules_charm": "active"}, "waving-hands-active"),
        ({"ruleset": "warlocks", "rules_paralysis": "FDF"}, "warlocks-parafdf"),
        (
            {"ruleset": "warlocks", "rules_paralysis": "FC", "rules_dsf": "maladroitness"},
            "warlocks-parafc-maladroit",
        ),
        ({"ruleset": "firetop-classic", "rules_paralysis": "CF", "rules_dsf": "confusion"}, "firetop-classic"),
    ],
)
def test_ruleset_and_choices_come_to_one_ruleset(froodal: Mage, fields: dict[str, str], ruleset: str) -> None:
    assert choose(froodal, **fields).status_code == 302
    assert Challenge.objects.get().terms["ruleset"] == ruleset


def test_a_choice_of_other_rules_is_a_problem_at_its_field(froodal: Mage) -> None:
    answer = choose(froodal, ruleset="firetop-classic", rules_paralysis="FDF")
    assert answer.status_code == 422
    assert answer.context["form"].errors == {"rules_paralysis": ["Only Warlocks has this option."]}
    assert not Challenge.objects.exists()


def test_rules_that_are_not_offered_cannot_be_smuggled_in(froodal: Mage) -> None:
    assert choose(froodal, ruleset="firetop-server").status_code == 422
    assert choose(froodal, ruleset="warlocks", rules_dsf="nonsense").status_code == 422
