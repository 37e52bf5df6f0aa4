"""Terms: frozen, versioned, and every problem named."""

import dataclasses

import pytest

from duels.errors import InvalidTerms
from duels.terms import Terms
from rules_engine import RULESETS, get_ruleset


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_terms_survive_being_written_and_read(ruleset):
    terms = Terms(ruleset=ruleset, rated=False, orders_final=True, chat=False)
    assert Terms.from_json(terms.to_json()) == terms


def test_terms_pin_the_newest_edition_when_none_is_named():
    assert Terms().edition == get_ruleset("firetop-standard").edition
    assert Terms().to_json()["edition"] == Terms().edition


def test_terms_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Terms().rated = False


def test_every_problem_of_terms_is_named_at_once():
    with pytest.raises(InvalidTerms) as caught:
        Terms(ruleset="firetop-standrad", pace="hasty", rated="yes")
    assert len(caught.value.problems) == 3
    assert "firetop-standard" in str(caught.value)


def test_an_edition_that_does_not_exist_is_refused():
    with pytest.raises(InvalidTerms, match="no edition 999"):
        Terms(edition=999)


@pytest.mark.parametrize("data", [{}, {"version": 2}, {"version": 1, "prize": "gold"}])
def test_foreign_json_is_refused(data):
    with pytest.raises(InvalidTerms):
        Terms.from_json(data)
