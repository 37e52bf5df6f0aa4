"""What the site refuses, it refuses in whole sentences: docs/decisions/0020-one-style-of-refusal.md."""

import re

import pytest

from accounts.errors import AccountRefused
from challenges.errors import ChallengeRefused
from challenges.models import Proposal
from duels.errors import DuelRefused
from ladder.errors import LadderRefused
from moderation.errors import ModerationRefused
from notifications.errors import NotificationRefused
from operations.errors import Refused
from studies.errors import StudyRefused

APPS = (
    AccountRefused,
    ChallengeRefused,
    DuelRefused,
    LadderRefused,
    ModerationRefused,
    NotificationRefused,
    StudyRefused,
)
NAMES = {"battle", "by", "challenger", "kept", "mage", "mages", "name", "proposer", "ruleset", "strangers", "user"}
NUMBERS = {
    "band",
    "battle2",
    "battles",
    "change",
    "count",
    "day",
    "days",
    "edition",
    "engaged",
    "length",
    "mages_per_user",
    "most",
}
NUMBERS |= {"number", "seq", "seq2", "turn"}
AS_WRITTEN = {"choices", "text"}
# What makes a slot of its own: a hold in whole sentences, and for janitors, who read English, what a service answers.
WHOLE = {"held: hold", "changed_since: bar", "cannot_undo: error"}


class Slots(dict):
    """Fills every slot of a sentence, and notes which there were."""

    def __missing__(self, name: str) -> int:
        self[name] = 3
        return 3


def fill(app: type[Refused]) -> list[tuple[str, str, set[str]]]:
    """Return the code, the filled sentence and the slots of everything that an app refuses."""
    found = []
    for code, sentence in app.sentences.items():
        slots = Slots()
        found.append((code, str(sentence % slots), set(slots)))
    return found


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.__name__)
def test_a_sentence_has_slots_for_names_and_numbers_never_for_words(app):
    slots = {f"{code}: {slot}" for code, _, found in fill(app) for slot in found - NAMES - NUMBERS - AS_WRITTEN}
    assert slots - WHOLE == set()


@pytest.mark.parametrize("app", APPS, ids=lambda app: app.__name__)
def test_a_refusal_is_whole(app):
    whole = {name.partition(":")[0] for name in WHOLE}
    sentences = [sentence for code, sentence, _ in fill(app) if code not in whole]
    assert sentences and [each for each in sentences if not re.fullmatch(r'"?[A-Z3].*[.?]', each)] == []


def test_every_change_that_is_over_has_its_sentence():
    over = set(Proposal.State.values) - {Proposal.State.PENDING}
    assert {f"change_{state}" for state in over} <= set(ChallengeRefused.sentences)
