"""Warned and suspended users: one list says what they may do, by page, API and email alike."""

import pytest
from django.test import Client
from django.urls import URLResolver, get_resolver
from django.utils import timezone

from accounts.held_users import ALLOWED_ACTS
from accounts.models import User
from accounts.services.tokens import issue_api_token
from challenges.models import Challenge
from challenges.services.create import create_challenge
from duels.models import Battle
from duels.terms import Terms
from email_gateway.commands.table import BY_NAME, TABLE
from email_gateway.models import InboundMail
from moderation.services.reports import suspend_user, warn_user
from tests.duels.janitors import make_janitor
from tests.email_gateway.conftest import MailedDuel, duel, saved_mailed_duel, world
from tests.email_gateway.world import PASSWORD, body, reply_address
from tests.scenes import log_in
from tests.site.test_addresses import ALLAUTHS, OURS, browse, people, token, write_address

__all__ = ["duel", "people", "saved_mailed_duel", "token", "world"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]
HELD = {"warned": "Mind your words.", "suspended": "Three insults."}
# Their URLs and orders are one list, but each road is tried by itself.
OPEN = {
    how: {url for act in ALLOWED_ACTS if act.while_warned or how == "suspended" for url in act.urls} for how in HELD
}
ORDERS = {
    how: {order for act in ALLOWED_ACTS if act.while_warned or how == "suspended" for order in act.orders}
    for how in HELD
}


def hold(user, how, now):
    janitor = User.objects.filter(username="Warden").first() or make_janitor("Warden")
    if how == "warned":
        warn_user(user=user, by=janitor, text=HELD[how], now=now)
    else:
        suspend_user(user=user, by=janitor, reason=HELD[how], ends_at=None, now=now)
    return User.objects.get(pk=user.pk)


def list_url_names(resolver, prefix=""):
    for each in resolver.url_patterns:
        if isinstance(each, URLResolver):
            inner = f"{prefix}{each.namespace}:" if each.namespace else prefix
            yield from list_url_names(each, inner)
        else:
            yield f"{prefix}{each.name}"


def test_the_list_names_only_what_exists():
    urls = {url for act in ALLOWED_ACTS for url in act.urls}
    assert urls <= set(list_url_names(get_resolver()))
    assert {order for act in ALLOWED_ACTS for order in act.orders} <= set(BY_NAME)


@pytest.mark.parametrize("how", ["suspended", pytest.param("warned", marks=pytest.mark.slow)])
def test_every_page_and_call_that_changes_something_is_closed_unless_listed(people, token, how):
    addresses = {name: write_address(name, token) for name in (*OURS, *ALLAUTHS)}
    anna = hold(people["owner"], how, timezone.now())
    _row, text = issue_api_token(user=anna, name="bot", now=timezone.now(), scopes=("read", "play", "bot"))
    left = {}
    for name, address in addresses.items():
        is_call = name.split(":")[0] in ("api", "old_api")
        headers = {"HTTP_AUTHORIZATION": f"Bearer {text}"} if is_call else {}
        browser = browse(None if is_call else anna, raise_request_exception=False)
        answer = browser.post(address, {}, content_type="application/json", **headers)
        is_held = answer.status_code == 403 and HELD[how] in answer.content.decode()
        # Some addresses take no POST, or are closed before the user is looked at.
        if is_held == (name in OPEN[how]) and answer.status_code not in (404, 405):
            left[name] = answer.status_code
    assert left == {}


@pytest.mark.parametrize("how", HELD)
def test_every_order_of_a_player_is_rejected_unless_listed(duel: MailedDuel, how):
    hold(duel.froodal.user, how, duel.world.now)
    duel.world.pass_over_mails()
    left = []
    for order in TABLE:
        if order.who != "player":
            continue
        line = (order.example or order.grammar).replace("12", str(duel.number)).replace("42", str(duel.number))
        mails = duel.world.send(f"USER Frode {PASSWORD}\n{line}")
        answer = " ".join(body(mails[-1]).split())
        if (HELD[how] in answer) == (order.name in ORDERS[how]):
            left.append(order.name)
        if order.name == "ACKNOWLEDGE" and how == "warned":
            hold(User.objects.get(username="Frode"), how, duel.world.now)
            duel.world.pass_over_mails()
    assert left == []


@pytest.mark.parametrize("how", HELD)
@pytest.mark.parametrize(
    "order",
    ["PLAY Apprentice Gandalf", "STANDIN {number}", "CHANGEUSER Frodo", "PRONOUN Gandalf she", "VACATION 7"],
)
def test_a_held_user_does_not_play_by_email(duel: MailedDuel, order, how):
    duel.world.mage("Gandalf", duel.froodal.user)
    frode = hold(duel.froodal.user, how, duel.world.now)
    answer = duel.world.ask(f"USER Frode {PASSWORD}\n{order.format(number=duel.number)}")
    assert HELD[how] in " ".join(answer.split())
    frode.refresh_from_db()
    assert frode.username == "Frode" and not frode.vacations.exists()
    assert Battle.objects.count() == 1 and not frode.mages.filter(pronoun="she").exists()


def test_what_was_asked_for_before_a_suspension_is_not_confirmed_during_it(duel: MailedDuel):
    surrender = f"USER Frode {PASSWORD}\nGAME {duel.number} Froodal\nP/P\nEND"
    [question] = duel.world.send(surrender, sender="elsewhere@example.net")
    hold(duel.froodal.user, "suspended", duel.world.now)
    mails = duel.world.send("CONFIRM", sender="frode@example.org", to=reply_address(question))
    assert HELD["suspended"] in " ".join(body(mails[0]).split())
    assert not duel.reload().is_over and InboundMail.objects.filter(state="processed").count() == 2


def test_a_suspended_user_can_leave_a_challenge_by_page_api_and_email(duel: MailedDuel):
    mages = [duel.world.mage(name, duel.froodal.user) for name in ("Gandalf", "Merlyn", "Circe")]
    made = [create_challenge(challenger=mage, open_to_all=True, terms=Terms(), now=duel.world.now) for mage in mages]
    frode = hold(duel.froodal.user, "suspended", duel.world.now)
    browser = log_in(frode)
    browser.post(f"/challenges/{made[0].number}/withdraw/", {"mage": "Gandalf"})
    _row, text = issue_api_token(user=frode, name="bot", now=timezone.now())
    Client().post(
        f"/api/v1/challenges/{made[1].number}/withdraw/",
        {"mage": "Merlyn"},
        content_type="application/json",
        HTTP_AUTHORIZATION=f"Bearer {text}",
    )
    duel.world.ask(f"USER Frode {PASSWORD}\nWITHDRAW {made[2].number} Circe")
    assert set(Challenge.objects.values_list("status", flat=True)) == {"withdrawn"}
