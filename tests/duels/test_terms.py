"""Terms: frozen and versioned, with every problem reported."""

import dataclasses
from itertools import product

import pytest

from duels.errors import InvalidTerms
from duels.terms import Terms, choose_ruleset, list_offers, list_rulesets
from rules_engine import RULESETS, get_ruleset


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_terms_survive_being_written_and_read(ruleset):
    terms = Terms(ruleset=ruleset, stakes="friendly", orders_final=True, chat=False)
    assert Terms.from_json(terms.to_json()) == terms


def test_terms_pin_the_newest_edition_when_none_is_named():
    assert Terms().edition == get_ruleset("firetop-standard").edition
    assert Terms().to_json()["edition"] == Terms().edition


@pytest.mark.parametrize(("rated", "stakes"), [(True, "ladder"), (False, "friendly")])
def test_terms_stored_before_stakes_had_names_are_read_as_what_they_meant(rated, stakes):
    stored = {"version": 1, "ruleset": "firetop-classic", "edition": 1, "pace": "classic", "rated": rated}
    stored |= {"orders_final": True, "chat": False}
    read = Terms.from_json(stored)
    assert read == Terms("firetop-classic", 1, stakes=stakes, orders_final=True, chat=False)
    assert Terms.from_json(read.to_json()) == read and read.stake.scores is rated


def test_terms_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Terms().stakes = "friendly"


def test_every_problem_of_terms_is_named_at_once():
    with pytest.raises(InvalidTerms) as caught:
        Terms(ruleset="firetop-standrad", pace="hasty", stakes="souls")
    assert len(caught.value.problems) == 3
    assert "firetop-standard" in str(caught.value)
    with pytest.raises(InvalidTerms) as caught:
        Terms(ruleset="chess")
    assert "warlocks" in str(caught.value) and "firetop-server" not in str(caught.value)


def test_an_edition_that_does_not_exist_is_refused():
    with pytest.raises(InvalidTerms, match="no edition 999"):
        Terms(edition=999)


@pytest.mark.parametrize(
    "data", [{}, {"version": 99}, {"version": 1, "prize": "gold"}, {"version": 1, "weekends": True}]
)
def test_unknown_json_is_rejected(data):
    with pytest.raises(InvalidTerms):
        Terms.from_json(data)


class TestChoosingARuleset:
    def test_a_family_is_offered_once_with_what_it_leaves_open(self):
        offers = {offer.name: offer for offer in list_offers()}
        assert [name for name in offers if name.startswith("warlocks")] == ["warlocks"]
        assert [[value for value, _ in choice.values] for choice in offers["warlocks"].choices] == [
            ["CF", "FC", "FDF"],
            ["confusion", "maladroitness"],
        ]
        assert all(offer.words for offer in offers.values())

    def test_every_ruleset_that_is_offered_can_be_chosen_by_its_choices_and_no_other(self):
        reached = {
            choose_ruleset(name=offer.name, options=values)
            for offer in list_offers()
            for values in product(*([value for value, _ in choice.values] for choice in offer.choices))
        }
        assert reached == {name for name, _ in list_rulesets()}

    def test_all_problems_are_named_with_the_nearest(self):
        with pytest.raises(InvalidTerms) as caught:
            choose_ruleset(name="warlocks", options=["FDFD", "confused", "fc"])
        assert caught.value.problems == (
            'There is no warlocks option "FDFD". Did you mean fdf?',
            'There is no warlocks option "confused". Did you mean confusion?',
        )
        with pytest.raises(InvalidTerms, match="Did you mean firetop-classic"):
            choose_ruleset(name="firetop-clasic")
        with pytest.raises(InvalidTerms, match="There are none"):
            choose_ruleset(name="firetop-classic", options=["FC"])

    def test_only_offered_values_can_be_chosen(self):
        with pytest.raises(InvalidTerms):
            choose_ruleset(name="firetop-server")
