"""The only way for a janitor to act on a battle: with a reason, and never in their own."""

import datetime
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction

from accounts.janitors import is_janitor, is_reading_janitor
from accounts.models import Engagement, Mage, User
from duels.models import Battle, Combatant
from duels.names import listed
from duels.selectors.reliability import forget_reliability_on_commit
from duels.selectors.stage_keys import key_of
from duels.services.lock import lock_battle
from duels.services.news import review_news
from duels.services.notify import facts_of_stage, followers_of, players_of
from duels.services.start import renew_seed
from duels.terms import read_stakes
from duels.wakeups import wake_watchers_on_commit
from ladder.stakes import STAKES
from league.services.results import note_battle
from moderation.errors import ModerationRefused
from moderation.models import JournalEntry
from moderation.services.journal import Facts, Watch, write_entry
from moderation.services.snapshots import Watched
from notifications.services.outbox import write_notice

ELSEWHERE = "a mage of the battle has since joined another battle or challenge"


def refuse_players(*, battle: Battle, by: User) -> None:
    """Raise ModerationRefused if `by`, even a superuser, has a mage there, dead or alive."""
    own = Combatant.objects.filter(battle=battle, mage__user=by).order_by("position")
    mages = list(own.values_list("mage__name", flat=True))
    if mages:
        raise ModerationRefused("plays_in_battle", mages=listed(mages), count=len(mages), number=battle.number)


def refuse_unless_may_look(battle: Battle, by: User, reason: str) -> None:
    """Raise ModerationRefused unless `by` is a janitor with a reason, and no player of the battle."""
    if not is_reading_janitor(by):
        raise ModerationRefused("not_a_janitor", name=by.username)
    refuse_players(battle=battle, by=by)
    if not reason.strip():
        raise ModerationRefused("no_reason_for_journal")


def refuse_unless_may_act(battle: Battle, by: User, reason: str) -> None:
    """Like refuse_unless_may_look, for changes: also raises ModerationRefused for a read-only janitor."""
    if is_reading_janitor(by) and not is_janitor(by):
        raise ModerationRefused("reads_only", name=by.username)
    refuse_unless_may_look(battle, by, reason)


def lock_for_janitor(*, battle: Battle) -> None:
    """Lock the battle until the end of the transaction, so that nobody else acts on it."""
    lock_battle(battle.pk)


@contextmanager
def act_on_battle(
    *,
    kind: JournalEntry.Kind,
    battle: Battle,
    by: User,
    reason: str,
    now: datetime.datetime,
    watch: Watch | None = None,
    facts: Facts | None = None,
) -> Iterator[tuple[Battle, JournalEntry]]:
    """Make the `with` block an action on the battle, all or nothing: enter it in the journal, bring the table of its
    league up to date, and notify players and followers.

    The block gets the locked battle and the entry, whose facts it may complete; `watch` names the rows that undoing
    restores. Raises ModerationRefused before the block.
    """
    with transaction.atomic():
        battle = lock_battle(battle.pk)
        refuse_unless_may_act(battle, by, reason)
        was_open = battle.status == Battle.Status.FINISHED
        with write_entry(
            kind=kind, about=battle, by=by, reason=reason, now=now, facts=facts or {}, watch=watch
        ) as entry:
            yield battle, entry
        renew_opened_seed(battle, was_open)
        note_battle(battle=battle, now=now)
        notify_of_entry(battle, entry, now=now)


def renew_opened_seed(battle: Battle, was_open: bool) -> None:
    """Give the battle a new seed if it can continue after everyone could read the one it has."""
    battle.refresh_from_db(fields=["status"])
    if was_open and not battle.is_over:
        renew_seed(battle=battle)


def notify_of_entry(battle: Battle, entry: JournalEntry, *, now: datetime.datetime, undone: bool = False) -> None:
    """Notify players and followers once of the entry or its undoing, with the battle's current state, wake the pages of
    everyone who watches, and count the players' turns again."""
    facts = facts_of_stage(battle, key_of(battle), battle.label) | {"entry": entry.number, "undone": undone}
    key = f"battle/{battle.number}/entry/{entry.number}{'/undone' if undone else ''}"
    players = players_of(battle)
    for user in players:
        forget_reliability_on_commit(user.pk)
    for user in sorted({*players, *followers_of(battle)}, key=lambda each: each.pk):
        write_notice(key=f"{key}/{user.pk}", user=user, kind="battle_intervened", facts=facts, now=now)
    review_news(battle)
    wake_watchers_on_commit(battle.number)


def find_mage_without_user(battle: Battle) -> Mage | None:
    """Return a mage of the battle whose user's account is closed, or None: the battle cannot continue with them."""
    return Mage.objects.filter(combatants__battle=battle, user__is_active=False).order_by("pk").first()


def watch_engagements(battle: Battle) -> Watched:
    """Watch what engages the mages of the battle; a duel of a league or cup engages none, wherever they are besides.
    What else engaged a mage then may be over."""
    engages = STAKES[read_stakes(battle.terms)].engages
    rows = Engagement.objects.filter(mage__combatants__battle=battle) if engages else Engagement.objects.none()
    return Watched(rows, words=ELSEWHERE, may_go=True)
