"""The battle against a bot that a visitor asks for, by page or program."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import Mage, User
from accounts.selectors.names import get_mage_for_user
from challenges.errors import ChallengeRefused
from challenges.own_mages import list_living_mages, name_free_mages
from challenges.services.play_now import play_bot, play_bot_as_new_mage
from duels.bot_terms import MOST_POINTS
from duels.models import Battle
from duels.paces import OWN

LONGEST_TEXT = 100


@dataclass(frozen=True)
class Wish:
    """The battle that the visitor wants, as sent."""

    strength: str
    ruleset: str
    pace: str
    rated: bool = False
    mage: str = ""
    new_mage: str = ""
    hit_points: str = ""
    bot_hit_points: str = ""
    bots_surrender: bool = True

    @classmethod
    def of(cls, sent: Any) -> "Wish":
        """Read the wish from a form; missing values have their defaults."""
        return cls(
            hit_points=str(sent.get("hit_points", ""))[:LONGEST_TEXT],
            bot_hit_points=str(sent.get("bot_hit_points", ""))[:LONGEST_TEXT],
            bots_surrender=sent.get("bots_surrender", "yes") in (True, "yes"),
            strength=sent.get("strength", "")[:LONGEST_TEXT] or "Apprentice",
            ruleset=sent.get("ruleset", "")[:LONGEST_TEXT] or "firetop-standard",
            pace=sent.get("pace", "")[:LONGEST_TEXT] or OWN,
            rated=sent.get("rated") in (True, "yes"),
            mage=sent.get("mage", "")[:LONGEST_TEXT],
            new_mage=sent.get("new_mage", "")[:LONGEST_TEXT].strip(),
        )

    @property
    def is_special(self) -> bool:
        """Return whether the folded part of the form is used."""
        return bool(self.hit_points or self.bot_hit_points or not self.bots_surrender)

    @property
    def terms(self) -> dict[str, Any]:
        """The arguments of `play_bot`."""
        points = (self.hit_points.strip() or MOST_POINTS, self.bot_hit_points.strip() or MOST_POINTS)
        return {
            "strength": self.strength,
            "ruleset": self.ruleset,
            "pace": self.pace,
            "hit_points": points,
            "bots_surrender": self.bots_surrender,
            "rated": self.rated,
        }


def play_wish(*, user: User, wish: Wish, now: datetime) -> Battle:
    """Start the battle for this user, with the mage they named, a new one, or else their first free one.

    Raises ChallengeRefused, InvalidTerms and AccountsError.
    """
    if wish.new_mage and not user.is_guest:
        return play_bot_as_new_mage(user=user, name=wish.new_mage, now=now, **wish.terms)
    return play_bot(mage=_find_mage(user, wish.mage), now=now, **wish.terms)


def _find_mage(user: User, name: str) -> Mage:
    """Return the mage named, or else the first free one. Raises NoSuchMage, and ChallengeRefused for none."""
    if not name:
        living = list_living_mages(user)
        free = name_free_mages(living)
        if not free:
            raise ChallengeRefused("no_mage" if living else "mage_needed")
        name = free[0]
    return get_mage_for_user(user=user, name=name)
