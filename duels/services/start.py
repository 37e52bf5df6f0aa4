"""Starting a battle, and the numbers of battles and challenges."""

import datetime
import secrets
from collections.abc import Sequence
from dataclasses import replace

from django.db import transaction

from accounts.models import Mage, User
from accounts.selectors.ties import list_followers_of
from accounts.services.mages import lock_living_mage, move_engagement
from duels.keys import StageKey
from duels.models import Battle, Combatant, Number
from duels.services.clocks.battle_clocks import await_players
from duels.services.followers import follow_battle
from duels.services.news import write_news_of_start
from duels.services.notify import followers_of, notify_users, players_of
from duels.services.open_hooks import tell_hooks_of_start
from duels.services.turns import open_turn
from duels.terms import Terms
from ladder.stakes import VERY_FRIENDLY
from rules_engine import KeyedDice, get_ruleset, new_duel, write_state
from rules_engine.records import commit_battle, write_terms


def take_number() -> int:
    """Return the next number of the sequence shared by challenges and battles. No number is used twice."""
    return int(Number.objects.create().pk)


def start_battle(
    *, number: int, terms: Terms, mages: Sequence[Mage], now: datetime.datetime, followers: Sequence[User] = ()
) -> Battle:
    """Start battle `number` between `mages` and notify their users.

    The mages' engagement moves from the challenge of that number to the battle. `followers` who do not play in it
    follow it, and so do those who follow one of its users. Two mages make a duel, more make a melee. If all mages
    belong to one user, it is practice and does not count; if a bot has one of them too, unless it is a duel whose terms
    rate it with bots. The mage of a bot of the site is never engaged: it plays any number of battles at once. A duel of
    a league or cup engages none of its mages. Raises accounts' MageBusy if a mage is engaged elsewhere, MageUnavailable
    if one is dead or has left, and IntegrityError if the battle exists.
    """
    if len({mage.pk for mage in mages}) != len(mages) or len(mages) < 2:
        raise ValueError("A battle needs at least two mages, each only once.")
    company = _name_company(mages)
    terms = _fit_stakes(terms, mages, company)
    seed = secrets.token_hex(32)
    state = new_duel(
        get_ruleset(terms.ruleset, terms.edition),
        [mage.name for mage in mages],
        dice=KeyedDice(seed, 0, 0),
        hit_points=terms.hit_points[: len(mages)],
    )
    with transaction.atomic():
        battle = Battle.objects.create(
            number=number,
            kind=Battle.Kind.DUEL if len(mages) == 2 else Battle.Kind.MELEE,
            terms=terms.to_json(),
            ruleset=terms.ruleset,
            edition=terms.edition,
            practice=_is_practice(terms, mages, company),
            company=company,
            pronouns={mage.name: mage.pronoun for mage in mages if mage.pronoun != Mage.Pronoun.THEY} or None,
            seed=seed,
            commitment=commit_battle(
                number=number,
                seed=seed,
                ruleset=terms.ruleset,
                edition=terms.edition,
                terms=write_terms(terms.to_json()),
            ),
            state=write_state(state),
            seq=state.seq,
            label=state.label,
            started_at=now,
        )
        Combatant.objects.bulk_create(
            Combatant(battle=battle, mage=mage, position=position) for position, mage in enumerate(mages)
        )
        for mage in sorted((each for each in mages if not each.user.bot_strength), key=lambda each: each.pk):
            if terms.stake.engages:
                move_engagement(mage=mage, number=number)
            else:
                lock_living_mage(mage=mage)
        open_turn(battle, state, now=now)
        await_players(battle=battle, now=now)
        players = {mage.user for mage in mages}
        people = [] if company == Battle.Company.BOTS else [user for user in players if not user.bot_strength]
        for user in {*followers, *list_followers_of(people)} - players:
            follow_battle(battle=battle, user=user, now=now)
        watching, first = followers_of(battle), StageKey(state.seq, 0, 0)
        recipients = [*players_of(battle), *watching]
        notify_users(recipients, "battle_started", battle, first, state.label, now=now)
        write_news_of_start(battle, first, followers=watching, now=now)
        tell_hooks_of_start(battle, first, state.label, now=now)
    return battle


def renew_seed(*, battle: Battle) -> None:
    """Give a battle that had ended and was reopened a new seed, because everyone can know the old one.

    Must run in a transaction that holds the battle's lock.
    """
    if battle.commitment:
        battle.earlier_seeds = [*(battle.earlier_seeds or []), [battle.seed, battle.commitment]]
    battle.seed = secrets.token_hex(32)
    if battle.commitment:
        terms = write_terms(battle.terms)
        battle.commitment = commit_battle(
            number=battle.number, seed=battle.seed, ruleset=battle.ruleset, edition=battle.edition, terms=terms
        )
    battle.save(update_fields=["seed", "commitment", "earlier_seeds"])


def _name_company(mages: Sequence[Mage]) -> Battle.Company:
    bots = sum(mage.user.is_bot for mage in mages)
    if bots == len(mages):
        return Battle.Company.BOTS
    return Battle.Company.MIXED if bots else Battle.Company.PEOPLE


def _fit_stakes(terms: Terms, mages: Sequence[Mage], company: str) -> Terms:
    """Return the terms with possible stakes: only a duel with a bot can be rated with bots, and no battle with a guest
    counts, since anyone can be any number of guests."""
    if any(mage.user.is_guest for mage in mages) and company == Battle.Company.PEOPLE:
        return replace(terms, stakes=VERY_FRIENDLY)
    if terms.stake.with_bots and (company == Battle.Company.PEOPLE or len(mages) != 2):
        return replace(terms, stakes=VERY_FRIENDLY)
    return terms


def _is_practice(terms: Terms, mages: Sequence[Mage], company: str) -> bool:
    if len({mage.user_id for mage in mages}) == 1:
        return True
    return company != Battle.Company.PEOPLE and not terms.stake.with_bots
