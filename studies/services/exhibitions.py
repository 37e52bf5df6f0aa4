"""The exhibition of the bots: one turn at a time, and only while somebody watches."""

import hashlib
import random
import secrets
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction

from duels.selectors.spectators import EXHIBITION, count_watchers_of_exhibition
from duels.wakeups import wake_boards_on_commit
from operations.selectors import is_site_closed
from rules_engine.bots import choose_orders
from studies.models import Exhibition
from studies.selectors.exhibitions import find_exhibition, find_position, list_players
from studies.selectors.positions import play_on

TURN = timedelta(seconds=20)
# The sweep that plays the turns is no clock: it may come a little early.
EARLY = timedelta(seconds=2)
# How long the end of one is shown before the next begins, and when each is deleted.
SHOWN_AFTER_END = timedelta(seconds=40)
KEPT = timedelta(days=1)
# Two cautious bots could go on for ever.
MOST_TURNS = 60


def play_exhibition(*, now: datetime) -> bool:
    """Play the turn that is due, or begin an exhibition, if somebody watches; return whether this call did.

    It may be called at any time, any number of times, by several workers at once: a turn is claimed by a conditional
    update, and what a worker that died had claimed is due again after the length of a turn.
    """
    if not count_watchers_of_exhibition() or is_site_closed():
        return False
    exhibition = find_exhibition()
    if exhibition is not None and exhibition.is_running:
        return _play_turn(exhibition, now)
    ended_at = exhibition.ended_at if exhibition is not None else None
    return (ended_at is None or ended_at + SHOWN_AFTER_END <= now) and begin_exhibition(now=now) is not None


def begin_exhibition(*, now: datetime) -> Exhibition | None:
    """Begin a duel of two bots of different strengths; None if there are too few, or another one has begun."""
    seed = secrets.token_hex(16)
    players = list_players()
    random.Random(seed).shuffle(players)
    pair = list({strength: (strength, mage) for strength, mage in players}.values())[:2]
    if len(pair) < 2:
        return None
    try:
        with transaction.atomic():
            exhibition = Exhibition.objects.create(
                bots=[strength for strength, _ in pair],
                mages=[mage for _, mage in pair],
                seed=seed,
                started_at=now,
                due_at=now + TURN - EARLY,
            )
            wake_boards_on_commit(EXHIBITION)
    except IntegrityError:  # another worker was faster
        return None
    return exhibition


def delete_old_exhibitions(*, now: datetime) -> int:
    """Delete exhibitions that began more than a day ago, also one that nobody watches to its end; return how many."""
    deleted, _ = Exhibition.objects.filter(started_at__lte=now - KEPT).delete()
    return deleted


def _play_turn(exhibition: Exhibition, now: datetime) -> bool:
    due = Exhibition.objects.filter(pk=exhibition.pk, is_running=True, turns=exhibition.turns)
    if not due.filter(due_at__lte=now).update(due_at=now + TURN - EARLY):
        return False
    position = find_position(exhibition)
    state = position.state
    strengths = dict(zip(exhibition.mages, exhibition.bots, strict=True))
    orders = {
        mage: "\n".join(choose_orders(state, mage=mage, strength=strengths[mage], seed=_seed_of(exhibition, mage)))
        for mage in state.owing
    }
    turns = exhibition.turns + 1
    ends = play_on(position, orders).state.over or turns >= MOST_TURNS
    ending = {"is_running": False, "ended_at": now} if ends else {}
    with transaction.atomic():
        # A worker that took longer than a turn changes nothing.
        if not due.update(played=[*exhibition.played, orders], turns=turns, **ending):
            return False
        wake_boards_on_commit(EXHIBITION)
    return True


def _seed_of(exhibition: Exhibition, mage: str) -> str:
    return hashlib.sha256(f"{exhibition.seed} {mage}".encode()).hexdigest()
