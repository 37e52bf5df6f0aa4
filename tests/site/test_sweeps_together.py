"""All sweeps of the site, run by three workers at once: everyone is notified once, and nobody is forgotten. And a
sweep of very many rows reads only those that are due. (For killed sweeps see test_killed_sweeps.py.)"""

from collections import Counter

import pytest
from django.db import OperationalError, connection

from accounts.models import AbsenceWarning, Mage, Sanction, User, Vacation
from accounts.selectors.absence import list_users_to_check, list_vacations_over
from accounts.selectors.users import list_uncounted_merges
from accounts.services.absence import sweep_absent_users, sweep_vacations
from accounts.services.mages import kill_mage, register_mage
from accounts.services.users import create_user
from accounts.services.vacations import start_vacation
from challenges.models import Challenge
from challenges.selectors.inactive import list_challenges_to_check, list_mages_to_check
from challenges.services.close_stale import sweep_stale_challenges
from challenges.services.create import create_challenge
from challenges.services.retire_mages import sweep_idle_mages
from duels.terms import Terms
from ladder.models import ScoreEntry
from moderation.selectors.reports import list_sanctions_over
from moderation.services.reports import suspend_user, sweep_sanctions
from notifications.models import Delivery, Notice
from notifications.services.announcements import announce, notify_of_announcements
from tests.query_plans import explain
from tests.races import at_once
from tests.scenes import DAY, NOW

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
WORKERS = 3
COPIES = 2
SWEEPS = (
    sweep_idle_mages,
    sweep_stale_challenges,
    sweep_absent_users,
    sweep_vacations,
    sweep_sanctions,
    notify_of_announcements,
)
# The notices of each of the COPIES; the announcement goes to every active user.
NOTICES = {
    "mage_idle_warning": 1,
    "mage_was_removed": 1,
    "mage_was_retired": 1,
    # The user without a mage, and the one whose last mage has just gone.
    "user_mageless_warning": 2,
    "user_closed": 1,
    "challenge_prodded": 1,
    "challenge_closed": 1,
    "vacation_over": 1,
    "suspension_over": 1,
}


def make_idle_user(name, *, days=0):
    user = create_user(name=name, email=f"{name}@example.org", now=NOW - days * DAY, email_verified=True)
    User.objects.filter(pk=user.pk).update(idle_check_at=NOW)
    return user


def make_idle_mage(name, *, days, score=0, warned=None):
    user = make_idle_user(f"U{name}", days=days)
    mage = register_mage(user=user, name=name, now=NOW - days * DAY)
    if score:
        ScoreEntry.objects.create(
            mage=mage, kind="duel", battle=mage.pk, before=0, due=score, change=score, after=score, reason="won"
        )
    if warned is not None:
        add_warning("mage_idle", user, mage, warned)
    return mage


def add_warning(kind, user, mage, days):
    AbsenceWarning.objects.create(
        kind=kind, user=user, mage=mage, warned_at=NOW - days * DAY, due_at=NOW - (days - 7) * DAY
    )


def make_mageless(name, *, days, warned=None):
    user = make_idle_user(name, days=days)
    kill_mage(mage=register_mage(user=user, name=f"M{name}", now=NOW - days * DAY), now=NOW - days * DAY)
    if warned is not None:
        add_warning("user_mageless", user, None, warned)


def make_challenge(name, *, days, reminded=None):
    mage = make_idle_mage(name, days=days)
    challenge = create_challenge(challenger=mage, terms=Terms(), open_to_all=True, now=NOW - days * DAY)
    User.objects.filter(pk=mage.user_id).update(last_active_at=NOW)
    if reminded is not None:
        Challenge.objects.filter(pk=challenge.pk).update(reminded_at=NOW - reminded * DAY)


def build_scene():
    keeper = User.objects.create_superuser("Keeper")
    for copy in range(COPIES):
        make_idle_mage(f"Warned{copy}", days=21)
        make_idle_mage(f"Gone{copy}", days=40, warned=8)
        make_idle_mage(f"Rests{copy}", days=40, warned=8, score=1)
        make_mageless(f"Mageless{copy}", days=23)
        make_mageless(f"Closed{copy}", days=45, warned=8)
        make_challenge(f"Prodded{copy}", days=5)
        make_challenge(f"Stale{copy}", days=15, reminded=5)
        start_vacation(user=make_idle_user(f"Away{copy}"), days=1, now=NOW - DAY)
        suspended = make_idle_user(f"Held{copy}")
        suspend_user(user=suspended, by=keeper, reason="Enough.", ends_at=NOW, now=NOW - DAY)
    announce(by=keeper, text="Cake.", until=NOW + DAY, is_mailed=True, now=NOW)
    Notice.objects.all().delete()
    Delivery.objects.all().delete()


def sweep_everything():
    """Run every sweep as long as it finds something, as beat would."""
    for sweep in SWEEPS:
        for _ in range(3):
            sweep(now=NOW)


def check_scene():
    notices = Counter(Notice.objects.exclude(kind="site_news").values_list("kind", "user__username"))
    assert set(notices.values()) == {1}
    assert Counter(kind for kind, _ in notices) == {kind: COPIES * times for kind, times in NOTICES.items()}
    news = Counter(Notice.objects.filter(kind="site_news").values_list("user__username", flat=True))
    assert set(news.values()) == {1}
    still_there = set(User.objects.filter(is_active=True).values_list("username", flat=True))
    assert still_there <= set(news)
    alive = Mage.objects.filter(died_at=None)
    assert not alive.filter(name__startswith="Gone").exists()
    assert alive.filter(name__startswith="Rests", retired_at__isnull=False).count() == COPIES
    assert alive.filter(retired_at__isnull=False).count() == COPIES
    assert Challenge.objects.filter(status="stale").count() == COPIES == Challenge.objects.filter(status="open").count()
    assert AbsenceWarning.objects.filter(ended_at=None).count() == 3 * COPIES
    assert not Vacation.objects.filter(ended_at=None).exists() and not User.objects.filter(is_held=True).exists()
    assert Sanction.objects.filter(expired_at=NOW).count() == COPIES


def test_three_workers_at_once_notify_everyone_once():
    build_scene()
    failed = [result for result in at_once(*[sweep_everything] * WORKERS) if isinstance(result, Exception)]
    # A deadlock that the database resolved stops one worker: the next run continues.
    assert all(isinstance(error, OperationalError) for error in failed), failed
    sweep_everything()
    check_scene()


ROWS = 20_000
DUE = 20


@pytest.mark.django_db  # rolled back at the end: deleting so many rows takes longer than everything else here
def test_a_sweep_finds_due_rows_by_index():
    """Twenty thousand rows of each kind, of which twenty are due."""
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO accounts_user (password, is_superuser, username, email, mail_password, is_guest, is_active,"
            " is_bot, bot_strength, has_webhook, language, is_staff, is_held, theme, created_at, last_active_at,"
            " idle_look_at)"
            " SELECT '', false, 'U' || n, '', '', false, true, false, '', false, '', false, false, 'system', %s, %s,"
            " %s + (CASE WHEN n <= %s THEN -1 ELSE n END) * interval '1 minute' FROM generate_series(1, %s) n",
            [NOW, NOW, NOW, DUE, ROWS],
        )
        cursor.execute(
            "INSERT INTO accounts_mage (user_id, name, created_at, last_active_at, idle_look_at)"
            " SELECT id, 'M' || id, created_at, last_active_at, idle_look_at FROM accounts_user"
        )
        cursor.execute(
            "INSERT INTO challenges_challenge (number, challenger_id, terms, authoritarian, comment, status,"
            " seats_taken, changes_proposed, revision, created_at, updated_at, stale_look_at)"
            " SELECT id, id, '{}', false, '', 'open', 1, 0, 0, %s, %s, idle_look_at FROM accounts_mage",
            [NOW, NOW],
        )
        cursor.execute(
            "INSERT INTO accounts_vacation (user_id, starts_at, until) SELECT id, %s, idle_look_at FROM accounts_user",
            [NOW - 60 * DAY],
        )
        cursor.execute(
            "INSERT INTO accounts_sanction (user_id, reason, imposed_by_id, starts_at, ends_at, lifted_why)"
            " SELECT id, '', id, %s, idle_look_at, '' FROM accounts_user",
            [NOW - 60 * DAY],
        )
        cursor.execute(
            "INSERT INTO accounts_usermerge (kept_id, merged_id, reason, moved, merged_by_id, merged_at, is_counted)"
            " SELECT (id - 1), id, '', '{}', id, %s, row_number() OVER (ORDER BY id) > %s FROM accounts_user"
            " WHERE id > (SELECT min(id) FROM accounts_user)",
            [NOW, DUE],
        )
        cursor.execute(
            "ANALYZE accounts_user, accounts_mage, challenges_challenge, accounts_vacation, accounts_sanction,"
            " accounts_usermerge"
        )
    lists = {
        "user_idle_check": lambda: list_users_to_check(now=NOW, limit=200),
        "mage_idle_check": lambda: list_mages_to_check(now=NOW, limit=200),
        "challenge_stale_check": lambda: list_challenges_to_check(now=NOW, limit=200),
        "vacation_open_until": lambda: list(list_vacations_over(now=NOW, limit=200)),
        "sanction_ends": lambda: list_sanctions_over(now=NOW, limit=200),
        "user_merge_to_count": lambda: list_uncounted_merges(limit=200),
    }
    for index, read in lists.items():
        assert len(read()) == DUE, index
        plans = explain(read)
        assert index in plans[0], plans[0]
        assert not any("Seq Scan" in plan for plan in plans if "emailaddress" not in plan), plans
