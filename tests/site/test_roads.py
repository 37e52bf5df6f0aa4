"""Actions with more than one road: the page, the API's call and the email order reach the same service, so that none
of them has rules, or gaps, of its own."""

from types import MappingProxyType
from typing import NamedTuple

import pytest
from django.urls import URLPattern, get_resolver

from email_gateway.commands.table import TABLE
from fm_site.api.routers import api
from moderation.admin.battle_actions import BATTLE_ACTIONS
from moderation.admin.user_actions import USER_ACTIONS
from tests.call_graph import CallGraph


class Roads(NamedTuple):
    """Where an action starts: the names of URLs, of API calls, of email orders, and of janitors' actions."""

    pages: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    desk: tuple[str, ...] = ()


# Each service that people reach by more than one road. CONFIRM carries out what QUIT, RETIRE, ADDRESS, PASSWORD and a
# surrender have asked for.
ROADS = MappingProxyType(
    {
        # Battles.
        "duels.services.orders.submit_orders": Roads(
            ("duels:battle",), ("send_orders", "surrender"), ("CONFIRM", "GAME", "MAGE"), ("order",)
        ),
        "duels.services.clocks.extra_time.take_time": Roads(("duels:time",), ("take_extra_time",), ("TIME",)),
        "duels.services.clocks.extra_time.give_time": Roads(("duels:time",), ("give_extra_time",), ("GIVE",)),
        "duels.services.clocks.pauses.ask_pause": Roads(("duels:time",), ("ask_for_pause",), ("PAUSE",)),
        "duels.services.clocks.call_off.call_off_battle": Roads(("duels:time",), ("call_off",), ("CALLOFF",)),
        "duels.services.clocks.claims.claim_battle": Roads(("duels:time",), ("claim",), ("CLAIM",)),
        "duels.services.clocks.seat_offers.offer_seat": Roads(("duels:time",), ("let_bot_play",), ("STANDIN",)),
        "duels.services.draws.offer_draw": Roads(("duels:draw",), ("agree_on_draw",), ("DRAW",)),
        "duels.services.draws.accept_draw": Roads(("duels:draw",), ("agree_on_draw",), ("DRAW",)),
        "duels.services.draws.refuse_draw": Roads(("duels:draw",), ("agree_on_draw",), ("DRAW",)),
        "duels.services.clocks.battle_clocks.record_presence": Roads(("duels:time",), ("say_here",)),
        "duels.services.chat.write_chat_line": Roads(("duels:chat",), ("say_in_chat",)),
        "duels.services.followers.follow_battle": Roads(("follow_battle",), orders=("SUBSCRIBE",)),
        "duels.services.followers.unfollow_battle": Roads(("follow_battle",), orders=("UNSUBSCRIBE",)),
        # The opinion of bots.
        "studies.services.analyses.ask_for_analysis": Roads(("studies:analysis",), ("request_analysis",)),
        "studies.services.ask_bots.ask_for_hints": Roads(("studies:hint",), ("ask_hint",)),
        # The league.
        "league.services.entries.sign_up": Roads(("league:join",), ("join_league",), ("JOIN",)),
        "league.services.entries.leave": Roads(("league:leave",), ("leave_league",), ("LEAVE",)),
        "league.services.entries.choose_mage": Roads(("league:mage",), orders=("LEAGUE",)),
        "league.services.entries.wish_bank": Roads(("league:bank",), orders=("LEAGUE",)),
        # Cups.
        "league.services.cup_places.join_cup": Roads(("league:join_cup",), ("enter_cup",), ("JOIN",)),
        "league.services.cup_places.leave_cup": Roads(("league:leave_cup",), ("withdraw_from_cup",), ("LEAVE",)),
        # Challenges.
        "challenges.services.create.create_challenge": Roads(("challenges:new",), ("create_challenge",), ("NEWGAME",)),
        "challenges.services.proposals.propose_change": Roads(
            ("challenges:propose",), ("propose_change",), ("CHANGEGAME",)
        ),
        # CHANGEGAME START is a change like any other: both check that enough have joined, and who may decide.
        "challenges.services.proposals.start_challenge": Roads(("challenges:start",), ("start_challenge",)),
        "challenges.services.proposals.take_back_change": Roads(
            ("challenges:take_back",), ("take_back_change",), ("WITHDRAW",)
        ),
        # ACCEPT joins and votes in one, by the same vote_for.
        "challenges.services.votes.accept_changes": Roads(
            ("challenges:accept_change", "challenges:accept_everything"), ("accept_change",)
        ),
        "challenges.services.votes.oppose_changes": Roads(
            ("challenges:oppose_change",), ("oppose_change",), ("OPPOSE",)
        ),
        "challenges.services.answers.accept_challenge": Roads(
            ("challenges:accept", "join_in_lobby"), ("accept_challenge",), ("ACCEPT",)
        ),
        "challenges.services.answers.decline_challenge": Roads(
            ("challenges:decline", "join_in_lobby"), ("decline_challenge",), ("DECLINE",)
        ),
        "challenges.services.answers.withdraw_challenge": Roads(
            ("challenges:withdraw", "join_in_lobby"), ("withdraw_challenge",), ("WITHDRAW",)
        ),
        "challenges.services.invite_links.make_invite_link": Roads(
            ("challenges:make_link", "challenges:new"), ("create_link",), ("INVITE",)
        ),
        "challenges.services.invite_links.revoke_invite_link": Roads(
            ("challenges:revoke_link",), ("revoke_link",), ("REVOKE",)
        ),
        "challenges.services.quick_match.find_quick_match": Roads(("challenges:match",), ("find_opponent",)),
        "challenges.services.room.write_line": Roads(("lobby",), ("say_in_room",), ("LOBBY",)),
        "challenges.services.room.take_down_line": Roads(("room_line",), desk=("remove-line",)),
        # It chooses a mage, as PLAY does, and then calls the same play_bot.
        "challenges.services.play_wish.play_wish": Roads(("play",), ("play_now",)),
        # Users and mages.
        "notifications.services.preferences.choose_notices": Roads(
            ("accounts:notices", "challenges:tell_me", "talk_by_email"), ("put_notices",), ("NOTICES",)
        ),
        "notifications.services.news.mark_news_seen": Roads(("news_line", "news_seen"), ("mark_own_news_read",)),
        "accounts.services.vacations.start_vacation": Roads(("accounts:vacation",), ("put_vacation",), ("VACATION",)),
        "accounts.services.vacations.end_vacation": Roads(
            ("accounts:vacation",), ("delete_vacation",), ("VACATION",), ("back",)
        ),
        "accounts.services.rename.rename_user": Roads(
            ("accounts:change_name",), orders=("CHANGEUSER",), desk=("rename",)
        ),
        "accounts.services.mages.register_mage": Roads(("accounts:register_mage",), orders=("REGISTER",)),
        "accounts.services.mages.set_pronoun": Roads(("accounts:set_pronoun",), orders=("PRONOUN",)),
        "challenges.services.retire_mages.quit_mage": Roads(("let_go",), orders=("CONFIRM", "QUIT")),
        "challenges.services.retire_mages.retire_mage": Roads(("let_go",), orders=("CONFIRM", "RETIRE")),
        # By email all mages leave first, and then the account is closed by accounts' close_user, as here.
        "challenges.services.retire_mages.leave_site": Roads(("close_account",), desk=("close", "erase")),
        "accounts.services.users.create_user": Roads(("email_gateway:confirm",), orders=("CONFIRM",)),
        "accounts.services.mail_passwords.set_mail_password": Roads(
            ("accounts:mail_password", "email_gateway:confirm"), orders=("CONFIRM",)
        ),
        "accounts.services.users.set_about": Roads(("accounts:about",), ("put_about",), desk=("take-down",)),
        "accounts.services.hold.acknowledge_warnings": Roads(("accounts:hold",), orders=("ACKNOWLEDGE",)),
        "accounts.services.bots.become_bot": Roads(("accounts:bot",), ("make_bot",)),
        "notifications.services.hooks.add_hook": Roads(
            ("accounts:hooks", "battle_hooks", "site_hooks"), ("post_hook",)
        ),
        # The hook that the API sets and names alone.
        "notifications.services.hooks.set_webhook": Roads(calls=("put_webhook",)),
        "notifications.services.hooks.remove_hook": Roads(
            ("accounts:hook", "battle_hook", "site_hook"), ("delete_webhook", "delete_hook")
        ),
        # Messages and emails.
        "moderation.services.reports.make_report": Roads(("new_report",), orders=("REPORT",)),
        "accounts.services.messages.send_message": Roads(("thread", "write_message"), orders=("MESSAGE",)),
        "email_gateway.commands.new_users.confirm_newuser": Roads(("email_gateway:confirm",), orders=("CONFIRM",)),
        "email_gateway.commands.resend.resend_mails": Roads(("email_gateway:send_again",), orders=("RESEND",)),
    }
)
# Services of services: what they write belongs to an action above.
PARTS = {
    "notifications.services.deliveries.queue_delivery",
    "notifications.services.outbox.write_notice",
    "duels.services.lock.lock_battle",
    "moderation.services.audit.log_janitor",
    "moderation.services.journal.write_entry",
    "moderation.services.snapshots.take_snapshot",
}


def list_pages(resolver=None, namespace=""):
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            yield f"{namespace}{entry.name}", entry.callback
        elif entry.namespace not in ("admin", "api", "old_api"):
            yield from list_pages(entry, f"{namespace}{entry.namespace}:" if entry.namespace else namespace)


def list_calls():
    for _prefix, router in api._routers:
        for view in router.path_operations.values():
            for operation in view.operations:
                if operation.methods != ["GET"]:
                    yield operation.view_func.__name__, operation.view_func


@pytest.fixture(scope="module")
def found():
    """The roads to each service, as the source has them."""
    graph = CallGraph.read()
    starts = {
        "pages": list_pages(),
        "calls": list_calls(),
        "orders": ((order.name, order.handle) for order in TABLE if order.handle is not None),
        "desk": ((action.slug, action.perform) for action in (*BATTLE_ACTIONS, *USER_ACTIONS)),
    }
    roads = {}
    for kind, named in starts.items():
        for name, function in named:
            for service in graph.find_services(function):
                roads.setdefault(service, {}).setdefault(kind, set()).add(name)
    return roads


@pytest.mark.parametrize("service", ROADS)
def test_every_road_of_an_action_reaches_its_service(found, service):
    expected = {kind: set(names) for kind, names in ROADS[service]._asdict().items() if names}
    assert found.get(service) == expected


def test_the_table_names_every_service_with_more_than_one_road(found):
    several = {service for service, roads in found.items() if len(roads) > 1} - PARTS
    assert several - set(ROADS) == set()


def test_a_call_that_changes_something_has_its_service_in_the_table(found):
    """What a program can do, people can do on a page."""
    named = {name for roads in ROADS.values() for name in roads.calls}
    assert {name for name, _function in list_calls()} == named
