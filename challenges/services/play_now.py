"""Play now: a battle against a computer opponent that begins at once."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from accounts.models import Mage, User
from accounts.services.mages import engage_mage, note_joining, register_mage, wake_mage
from accounts.services.users import create_guest, create_guest_mage
from challenges.errors import ChallengeRefused, NoSuchBot
from challenges.selectors.bots import list_bot_names, list_mages_of_bot
from challenges.services.answers import decline_elsewhere_on_commit
from duels.bot_terms import RATED_RULESET, tidy_hit_points
from duels.errors import InvalidTerms
from duels.models import Battle, Combatant
from duels.paces import OWN
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms, find_offer_problems
from ladder.stakes import BOTS, FRIENDLY, VERY_FRIENDLY
from operations.text.suggestions import find_nearest_word

# How many guests may begin in a day, on the whole site.
MOST_GUESTS_A_DAY = 5000
DAY = timedelta(days=1)
# The player's mage on the front page, before there is a battle: its name in the first orders.
VISITOR = "Visitor"
FIRST_OPPONENT = "Apprentice"
# The hit points of both in a first duel: it ends in six to ten turns.
FIRST_HIT_POINTS = (8, 8)
FIRST_TERMS = Terms(pace=OWN, stakes=VERY_FRIENDLY, hit_points=FIRST_HIT_POINTS, bots_surrender=False, lesson=True)
# The turns that are already played on the front page's board: the visitor's orders and the opponent's. No roll decides
# anything in them, so that every such battle reaches the position that was shown.
OPENING = (("P/W", "F/W"), ("W/F", "P/S"), ("S/P\nCHOOSE RH Cause Light Wounds", "S/D"))
# A guest's account does not live long enough for the slower paces.
GUEST_PACES = (OWN, "live")


def play_bot(
    *,
    mage: Mage,
    strength: str,
    ruleset: str = RATED_RULESET,
    pace: str = OWN,
    hit_points: Sequence[int | str] = (),
    bots_surrender: bool = True,
    lesson: bool = False,
    rated: bool = False,
    opponent: str = "",
    now: datetime,
) -> Battle:
    """Start a duel of `mage` against a bot and return it. Nobody dies for good, and no score changes.

    It is practice, or `rated`: then it changes the rating that both have with bots, and nothing else. `hit_points` are
    those of the mage and of the bot, `opponent` chooses one of the bot's mages; in a `lesson` it teaches. Raises
    NoSuchBot for an unknown strength, InvalidTerms, ChallengeRefused, and accounts' MageUnavailable.
    """
    terms = make_terms(ruleset=ruleset, pace=pace, hit_points=hit_points, bots_surrender=bots_surrender)
    terms = replace(terms, lesson=lesson)
    if rated:
        _check_rated(mage, terms)
        terms = replace(terms, stakes=BOTS)
    mages = find_opponents(strength=strength)
    with transaction.atomic():
        number = take_number()
        engage_mage(mage=mage, kind="battle", number=number)
        wake_mage(mage=mage)
        note_joining(mage=mage, now=now)
        against = next((each for each in mages if each.name == opponent), mages[number % len(mages)])
        battle = start_battle(number=number, terms=terms, mages=[mage, against], now=now)
        decline_elsewhere_on_commit(mage, now)
    return battle


def find_opponents(*, strength: str) -> list[Mage]:
    """Return the mages of the bot with this strength. Raises NoSuchBot."""
    mages = list_mages_of_bot(strength)
    if not mages:
        names = {name.lower(): name for name in list_bot_names()}
        nearest = find_nearest_word(strength, names)
        raise NoSuchBot(strength, names[nearest] if nearest else "", list(names.values()))
    return mages


def make_terms(*, ruleset: str, pace: str, hit_points: Sequence[int | str] = (), bots_surrender: bool = True) -> Terms:
    """Return the terms of practice against a bot. Raises InvalidTerms."""
    points = tidy_hit_points(hit_points)
    stakes = VERY_FRIENDLY if points else FRIENDLY
    terms = Terms(ruleset=ruleset, pace=pace, stakes=stakes, hit_points=points, bots_surrender=bots_surrender)
    if problems := find_offer_problems(terms, against_bot=True):
        raise InvalidTerms(problems)
    return terms


def _check_rated(mage: Mage, terms: Terms) -> None:
    """Raise ChallengeRefused unless `mage` can play a rated battle on these terms: all rated battles are alike."""
    if mage.user.is_guest:
        raise ChallengeRefused("rated_guest")
    if terms.ruleset != RATED_RULESET:
        raise ChallengeRefused("rated_ruleset", ruleset=RATED_RULESET)
    if terms.hit_points or not terms.bots_surrender:
        raise ChallengeRefused("rated_handicap")


def play_bot_as_new_mage(*, user: User, name: str, now: datetime, **wish: Any) -> Battle:
    """Register a mage called `name`, and start a duel as `play_bot` does. Also raises accounts' InvalidName."""
    with transaction.atomic():
        mage = register_mage(user=user, name=name, now=now)
        return play_bot(mage=mage, now=now, **wish)


def play_bot_as_guest(*, pace: str = OWN, now: datetime, **wish: Any) -> tuple[User, Battle]:
    """Create a guest with a mage, and start a duel as `play_bot` does; return the guest and the battle.

    Also raises ChallengeRefused. The entry point limits how many guests one address may create.
    """
    if pace not in GUEST_PACES:
        pace = OWN
    with transaction.atomic():
        mage = create_guest_with_mage(now=now)
        return mage.user, play_bot(mage=mage, pace=pace, now=now, **wish)


def create_guest_with_mage(*, name: str = "", now: datetime) -> Mage:
    """Return the mage of a new guest, with a made-up name or the `name` that they chose. Raises ChallengeRefused, and
    accounts' InvalidName and NameTaken. The entry point limits how many guests one network may
    create."""
    if User.objects.filter(is_guest=True, created_at__gt=now - DAY).count() >= MOST_GUESTS_A_DAY:
        raise ChallengeRefused("guests")
    return create_guest_mage(user=create_guest(now=now), name=name, now=now)


def play_from_opening(
    *, user: User | None, mage: Mage | None, opponent: str, orders: str, confirmed: bool, now: datetime
) -> tuple[User, Battle]:
    """Start a first duel against the Apprentice's mage `opponent`, play OPENING, submit these orders: all or nothing.

    In the orders VISITOR is the player's mage: `mage` of the guest `user`, or that of a new guest. Raises what
    `play_bot_as_guest` and duels' `submit_orders` do.
    """
    first: dict[str, Any] = {
        "strength": FIRST_OPPONENT,
        "opponent": opponent,
        "hit_points": FIRST_HIT_POINTS,
        "bots_surrender": False,
        "lesson": True,
    }
    with transaction.atomic():
        if user is None or mage is None:
            user, battle = play_bot_as_guest(now=now, **first)
        else:
            battle = play_bot(mage=mage, now=now, **first)
        mine = get_combatant_for_user(number=battle.number, user=user)
        theirs = battle.combatants.select_related("mage__user").get(mage__name=opponent)
        for ours, answer in OPENING:
            _submit(mine, ours, now)
            # Not via="bot": the bot did not choose these moves, so it must not explain them.
            _submit(theirs, answer, now)
        _submit(
            mine,
            "\n".join(_name_player(line, mine.mage.name) for line in orders.splitlines()),
            now,
            confirmed=confirmed,
        )
    return user, battle


def _submit(combatant: Combatant, text: str, now: datetime, *, confirmed: bool = True) -> None:
    submit_orders(combatant=combatant, text=text, via="web", now=now, ready=True, replace=True, confirmed=confirmed)


def _name_player(line: str, name: str) -> str:
    """Return an order with the player's mage filled in; SAY lines stay as they are."""
    return line if line.upper().startswith("SAY") else re.sub(rf"\b{VISITOR}\b", name, line, flags=re.IGNORECASE)
