"""Emails of the site: each kind says whose mage it is about, when it happens, and where to go."""

from datetime import timedelta

import pytest

from accounts.services.users import create_user
from challenges.services.close_stale import sweep_stale_challenges
from email_gateway.compose.notices import compose_notice
from email_gateway.links import link_to
from notifications.models import Notice
from tests.challenges.conftest import make_challenge
from tests.scenes import NOW, make_mage

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SUNDAY = "Sunday 11 May 2031, 12:00 (UTC)"
END = {"acts_at": "2031-05-11T12:00:00+00:00"}
KINDS = {
    "mage_idle_warning": (
        {"mage": "Froodal", "score": 2, **END},
        "Froodal is inactive",
        "Sunday 11 May 2031, 12:00 (UTC)",
    ),
    "mage_retired_warning": (
        {"mage": "Froodal", "score": 2, **END},
        "Froodal is inactive",
        "Sunday 11 May 2031, 12:00 (UTC)",
    ),
    "user_mageless_warning": ({"user": "Anna", **END}, "Your account Anna has no mage", SUNDAY),
    "mage_was_retired": (
        {"mage": "Froodal", "score": 2},
        "Froodal is now retired",
        "To bring Froodal back, create or accept a challenge",
    ),
    "mage_was_removed": (
        {"mage": "Froodal", "score": 0},
        "Froodal has left the mountain",
        "left the mountain for good",
    ),
    "user_closed": ({"user": "Anna"}, "Your account Anna is closed", "Nobody else can take the old name"),
    "vacation_over": ({"until": "2031-05-04T12:00:00+00:00"}, "Welcome back", "No battle is waiting for you"),
    "account_warned": (
        {"text": "Please be kind to those whom you beat. " * 5, "by": "Jane", "appeal": "postmaster@localhost"},
        "A warning from the janitors",
        "confirm that you have read it",
    ),
    "message": (
        {"user": "Bill", "mage": "Bung", "named": ["Froodal"], "text": "Well fought, and " * 9},
        "A message from Bill",
        "Bill, who plays Bung, writes to Froodal:",
    ),
    "own_puzzle": (
        {"battle": 7, "seq": 13, "turn": "13", "gestures": "W/S", "lost": 45, "least": "35%"},
        "A puzzle from your own battle",
        "you played W/S and lost 45 points of chance. Any move that keeps at least 35% counts.",
    ),
    "daily_puzzle": (
        {"puzzle": 7, "kind": "survive"},
        "Puzzle of the day: Survive this turn",
        "Your first try today counts for your streak.",
    ),
    "streak_ends": (
        {"day": "2031-05-04", "puzzle": 7, "days": 11, "next": 12},
        "Your puzzle streak ends today",
        "puzzle by midnight UTC to reach 12 days in a row.",
    ),
    "site_news": ({"text": "Cake <b>at nine</b>.\nBring plates."}, "News from Firetop Mountain", "Bring plates."),
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_email_of_the_site_says_what_happens_in_both_parts(kind):
    facts, subject, words = KINDS[kind]
    anna = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    mail = compose_notice(kind=kind, facts=facts, user=anna)
    assert mail.subject == subject
    assert words in " ".join(mail.text.split()) and words in mail.html
    assert "<b>at nine" not in mail.html and max(map(len, mail.text.split("\n"))) <= 72
    assert bool(mail.unsubscribe) == (
        kind in (*("site_news", "vacation_over", "message"), *("own_puzzle", "daily_puzzle", "streak_ends"))
    )


def test_an_email_about_a_closed_account_has_no_link_to_its_settings():
    anna = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    mails = {kind: compose_notice(kind=kind, facts=KINDS[kind][0], user=anna) for kind in KINDS}
    page = link_to("accounts:notices")
    assert [kind for kind, mail in mails.items() if page not in mail.text] == ["user_closed"]
    assert page not in mails["user_closed"].html and link_to("account_signup") in mails["user_closed"].html


def test_a_warning_says_whether_the_mage_leaves_or_retires():
    anna = create_user(name="Anna", now=NOW)
    told = [
        compose_notice(kind="mage_idle_warning", facts={"mage": "Froodal", "score": score, **END}, user=anna).text
        for score in (0, 2)
    ]
    assert "will leave the mountain for good" in " ".join(told[0].split()) and "Froodal will retire" in " ".join(
        told[1].split()
    )


def test_the_challenger_gets_an_email_reminder_and_may_answer_with_orders():
    froodal = make_mage("Froodal")
    challenge = make_challenge(froodal)
    sweep_stale_challenges(now=NOW + timedelta(days=5))
    notice = Notice.objects.get(kind="challenge_prodded")
    mail = compose_notice(kind=notice.kind, facts=notice.facts, user=froodal.user)
    assert mail.subject == f"Challenge {challenge.number}: Do you still want it?"
    assert "for 5 days" in mail.text and f"WITHDRAW {challenge.number}" in mail.text
    assert "If nothing happens by Sunday 18 May 2031, 12:00 (UTC), we close it" in " ".join(mail.text.split())
    assert mail.reply_to
