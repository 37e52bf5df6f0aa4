"""Every address of the site, and its answer to each kind of visitor. An address without a row fails."""

from functools import cache

import pytest
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from accounts.models import ApiToken, Mage, User
from accounts.services.tokens import issue_api_token
from accounts.services.users import create_user
from challenges.models import Challenge
from challenges.services.invite_links import make_invite_link
from duels.models import Battle
from fm_site.demonstration.loading import load_demonstration
from fm_site.demonstration.people import ANNA

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Visitors: an anonymous one, the demonstration's player who owns these things, another player without a mage, a
# janitor. "log in" redirects to the log-in page, "away" anywhere else.
RULESETS = ({"name": "warlocks"}, {"name": "warlocks", "other": "firetop-standard"})
SOMEBODY = {
    "dump_part": "battles-2031-05.jsonl.gz",
    "page_card": "ladder",
    "user": ANNA.username,
    "mage": ANNA.mages[0],
    "mage_card": ANNA.mages[0],
    "arms_svg": ANNA.mages[0],
    "mage_end": ANNA.mages[0],
    "player_feed": ANNA.username,
    "add_obituary_line": ANNA.mages[0],
    "let_go": ANNA.mages[0],
    "follow_user": ANNA.username,
    "note_on_user": ANNA.username,
    "thread": ANNA.username,
    "remove_thread": ANNA.username,
}
GETS = ("visitor", "owner", "other", "janitor")
POSTS = ("visitor", "other")
# What an address may take, as one of these. Numbers and secrets of the demonstration take the place of some.
ARGUMENTS = (
    {},
    {"number": 1},
    {"number": 1, "change": 1},
    {"number": 1, "seq": 1},
    {"number": 1, "tier": 1},
    {"league": 1},
    {"cup": 1},
    {"study": "nothing"},
    {"study": "nothing", "branch": 1},
    {"study": "nothing", "seq": 1},
    {"collection": "nothing"},
    {"slug": "hands"},
    {"slug": "hands", "step": 1},
    {"slug": "hands", "seq": 1},
    {"number": 1, "link_id": 1},
    {"number": 1, "link": 1},
    {"token": "nothing"},
    {"pk": 1},
    {"code": "stale"},
    {"kind": "duel"},
    {"month": f"{timezone.now():%Y-%m}"},
    {"page": "ladder"},
    {"name": ANNA.mages[0], "size": 24},
    {"mage_id": 1},
    {"device_id": 1},
    {"token_id": 1},
    {"hook_id": 1},
    {"number": 1, "hook_id": 1},
    {"key": "MTI:a:b"},
    {"name": "warlocks", "line": 1},
    {"secret": "nothing"},
    *RULESETS,
)
# The visitor's browsers (`browse`).
VISITORS: dict[tuple[tuple[str, bool], ...], Client] = {}
GET_ONLY = ("refused 405", "refused 405")
TO_ALL = ("page",) * 4
TO_USERS = ("log in", "page", "page", "page")
TO_NOBODY = ("refused 405",) * 4
SECRET_MAILBOX = ("refused 404",) * 4
CHALLENGE_POST = (("away",) * 4, ("log in", "away"))
REFUSED_STRANGER = ("refused 401", "page", "page", "page")
# The calls of the API, under /api/v1/ and under /api/.
CALLS = {
    "openapi": (TO_ALL, GET_ONLY),
    # No bots are made in this test (tests/challenges/test_play_page.py).
    "play": (TO_NOBODY, ("refused 401", "refused 400")),
    "become_bot": (TO_NOBODY, ("refused 401", "refused 400")),
    "me": (REFUSED_STRANGER, GET_ONLY),
    "events": (REFUSED_STRANGER, GET_ONLY),
    "notices": (REFUSED_STRANGER, GET_ONLY),
    "news": (REFUSED_STRANGER, GET_ONLY),
    "news_seen": (TO_NOBODY, ("refused 401", "refused 400")),
    "hooks": (REFUSED_STRANGER, ("refused 401", "refused 400")),
    "hook": (TO_NOBODY, GET_ONLY),
    "webhook": (("refused 401", *("refused 404",) * 3), GET_ONLY),
    "bots": (TO_ALL, GET_ONLY),
    "challenges": (TO_ALL, ("refused 401", "refused 400")),
    "challenge": (TO_ALL, GET_ONLY),
    "challenge_accept": (TO_NOBODY, ("refused 401", "refused 400")),
    "challenge_decline": (TO_NOBODY, ("refused 401", "refused 400")),
    "challenge_withdraw": (TO_NOBODY, ("refused 401", "refused 400")),
    **dict.fromkeys(
        (
            "challenge_start",
            "challenge_changes",
            "change_accept",
            "change_oppose",
            "change_take_back",
            "challenge_links",
            "find_opponent",
        ),
        (TO_NOBODY, ("refused 401", "refused 400")),
    ),
    "challenge_link": (TO_NOBODY, GET_ONLY),
    "people_here": (REFUSED_STRANGER, GET_ONLY),
    "room": (TO_ALL, ("refused 401", "refused 400")),
    "battle_chat": (TO_ALL, ("refused 401", "refused 400")),
    # Places exist once a sweep has computed them.
    "ladder": (("refused 404",) * 4, GET_ONLY),
    "leagues": (TO_ALL, GET_ONLY),
    "league": (("refused 404",) * 4, GET_ONLY),
    "league_join": (TO_NOBODY, ("refused 401", "refused 400")),
    "league_leave": (TO_NOBODY, ("refused 401", "refused 400")),
    "cups": (TO_ALL, GET_ONLY),
    "cup": (("refused 404",) * 4, GET_ONLY),
    "cup_join": (TO_NOBODY, ("refused 401", "refused 400")),
    "cup_leave": (TO_NOBODY, ("refused 401", "refused 404")),
    "battles": (REFUSED_STRANGER, GET_ONLY),
    "battle": (TO_ALL, GET_ONLY),
    "battle_events": (TO_ALL, GET_ONLY),
    "battle_stream": (REFUSED_STRANGER, GET_ONLY),
    # Only those who owe orders in the battle have one (tests/studies/test_position.py).
    "battle_position": (("refused 401", "page", "refused 403", "refused 403"), GET_ONLY),
    "vacation": (REFUSED_STRANGER, GET_ONLY),
    # Only those who play in the battle have options (tests/duels/test_time_calls.py).
    "battle_time": (("refused 401", "page", "refused 403", "refused 403"), GET_ONLY),
    "battle_draw": (("refused 401", "page", "refused 403", "refused 403"), ("refused 401", "refused 400")),
    **dict.fromkeys(
        (
            *("battle_take_time", "battle_give_time", "battle_pause", "battle_here"),
            *("battle_call_off", "battle_claim", "battle_stand_in"),
        ),
        (TO_NOBODY, ("refused 401", "refused 400")),
    ),
    "battle_resign": (TO_NOBODY, ("refused 401", "refused 400")),
    "battle_orders": (TO_NOBODY, ("refused 401", "refused 403")),
    "battle_proof": (TO_ALL, GET_ONLY),
    "battle_record": (("refused 409",) * 4, GET_ONLY),
    # Who gets more is in tests/studies/test_analysis_api.py.
    "battle_analysis": (("refused 409",) * 4, ("refused 401", "refused 400")),
    "battle_hint": (TO_NOBODY, ("refused 401", "refused 400")),
    "battle_thoughts": (("refused 409",) * 4, GET_ONLY),
    "battle_table": (TO_ALL, GET_ONLY),
    "battle_story": (TO_ALL, GET_ONLY),
    "battle_search": (TO_ALL, GET_ONLY),
    "battle_watch": (TO_ALL, GET_ONLY),
}
OURS = {
    "home": (TO_ALL, GET_ONLY),
    "desk": (("away", "away", "away", "page"), ("away", "away")),
    "site_hooks": (("away", "away", "away", "page"), ("away", "away")),
    "site_hook": (("away", "away", "away", "refused 404"), ("away", "away")),
    # Users play with their own mages.
    "stage": (("page", "away", "away", "away"), None),
    # For guests (tests/challenges/test_keep_mage.py).
    "keep": (("away",) * 4, ("away", "away")),
    "waiting": (TO_ALL, GET_ONLY),
    "news": (TO_USERS, GET_ONLY),
    "news_panel": (TO_USERS, GET_ONLY),
    # Each line is its reader's own (tests/site/test_news.py).
    "news_line": (("log in", *("refused 404",) * 3), GET_ONLY),
    "news_seen": (TO_NOBODY, ("log in", "away")),
    "manifest": (TO_ALL, GET_ONLY),
    "service_worker": (TO_ALL, GET_ONLY),
    # No bots are made in this test (tests/challenges/test_play_page.py).
    "play": (TO_ALL, ("refused 422", "refused 422")),
    "lobby": (TO_ALL, ("log in", "refused 422")),
    "talk_by_email": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "join_in_lobby": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "room_line": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "bots": (TO_ALL, GET_ONLY),
    "rules": (TO_ALL, GET_ONLY),
    "ruleset": (TO_ALL, GET_ONLY),
    "compare_rulesets": (TO_ALL, GET_ONLY),
    "accounts:mages": (TO_USERS, ("log in", "refused 405")),
    "accounts:set_pronoun": (("log in", *TO_NOBODY[1:]), ("log in", "refused 400")),
    "accounts:keep_mage": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "accounts:hold": (TO_USERS, ("log in", "away")),
    "reports": (TO_USERS, ("log in", "refused 405")),
    "new_report": (TO_USERS, ("log in", "refused 422")),
    "accounts:register_mage": (TO_USERS, ("log in", "refused 422")),
    "accounts:preferences": (TO_USERS, ("log in", "refused 422")),
    "accounts:language": (TO_NOBODY, ("away", "away")),
    "accounts:about": (TO_USERS, ("log in", "away")),
    "accounts:mail_password": (TO_USERS, ("log in", "away")),
    "accounts:hosting": (TO_USERS, ("log in", "away")),
    "accounts:browser_id": (TO_USERS, ("log in", "away")),
    "accounts:calendar": (TO_USERS, ("log in", "page")),
    # Anyone who has the link sees the deadlines (tests/site/test_calendar.py).
    "calendar": (("refused 404",) * 4, GET_ONLY),
    # Creating one needs a fresh confirmation of the user's identity.
    "accounts:bot": (TO_USERS, ("log in", "away")),
    "accounts:tokens": (TO_USERS, ("log in", "away")),
    "accounts:revoke_token": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "accounts:notices": (TO_USERS, ("log in", "refused 422")),
    "accounts:devices": (("log in", "away", "away", "away"), ("log in", "refused 422")),
    # Its service worker asks, too, while nobody is logged in.
    "accounts:this_device": (TO_ALL, ("refused 403", "refused 422")),
    "accounts:remove_device": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "accounts:block_effects": (TO_ALL, GET_ONLY),
    "accounts:hooks": (TO_USERS, ("log in", "away")),
    "accounts:hook": (("log in", *("refused 404",) * 3), ("log in", "refused 404")),
    "accounts:blocks": (TO_USERS, ("log in", "refused 422")),
    "accounts:vacation": (TO_USERS, ("log in", "refused 422")),
    "accounts:change_name": (TO_USERS, ("log in", "refused 422")),
    # Irreversible actions need proof first.
    "export_account": (TO_NOBODY, ("log in", "away")),
    "close_account": (TO_USERS, ("log in", "away")),
    # Another player's mage is not theirs to let go.
    "let_go": (("log in", "page", "refused 403", "refused 403"), ("log in", "refused 403")),
    "following": (TO_USERS, ("log in", "refused 405")),
    "follow_user": (TO_NOBODY, ("log in", "away")),
    # Nobody has a note on themselves.
    "note_on_user": (("log in", "refused 404", "page", "page"), ("log in", "away")),
    **dict.fromkeys(("embed", "embed_turn", "embed_picture"), (TO_ALL, GET_ONLY)),
    # The battle of the demonstration is not over (tests/site/test_embeds.py).
    "embed_poster": (("refused 404",) * 4, GET_ONLY),
    # Without an address to embed.
    "oembed": (("refused 404",) * 4, GET_ONLY),
    "battle_hooks": (("log in", "page", "refused 404", "refused 404"), ("log in", "away")),
    "battle_hook": (("log in", *("refused 404",) * 3), ("log in", "refused 404")),
    "note_on_battle": (TO_USERS, ("log in", "away")),
    "follow_battle": (TO_NOBODY, ("log in", "away")),
    "duels:close_coach": (TO_NOBODY, ("log in", "away")),
    "inbox": (TO_USERS, ("log in", "refused 405")),
    # Nobody has a thread with themselves.
    "thread": (("log in", "refused 404", "page", "page"), ("log in", "refused 422")),
    "write_message": (TO_USERS, ("log in", "refused 422")),
    "remove_thread": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "email_gateway:send_again": (TO_USERS, ("log in", "refused 422")),
    "accounts:unblock": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "ladder": (TO_ALL, GET_ONLY),
    "league:overview": (TO_ALL, GET_ONLY),
    "league:rules": (TO_ALL, GET_ONLY),
    "league:hall": (TO_ALL, GET_ONLY),
    # There is no season in this test (tests/league/test_league_pages.py).
    "league:season": (("refused 404",) * 4, GET_ONLY),
    "league:group": (("refused 404",) * 4, GET_ONLY),
    "league:join": (TO_USERS, ("log in", "refused 422")),
    "league:leave": (TO_USERS, ("log in", "refused 422")),
    "league:mage": (("log in", *TO_NOBODY[1:]), ("log in", "away")),
    "league:bank": (("log in", *TO_NOBODY[1:]), ("log in", "away")),
    "league:cups": (TO_ALL, GET_ONLY),
    # There is no cup in this test (tests/league/test_cup_pages.py).
    "league:cup": (("refused 404",) * 4, GET_ONLY),
    "league:join_cup": (TO_NOBODY, ("log in", "away")),
    "league:leave_cup": (TO_NOBODY, ("log in", "refused 404")),
    "page_card": (TO_ALL, GET_ONLY),
    "robots": (TO_ALL, GET_ONLY),
    "sitemap": (TO_ALL, GET_ONLY),
    "favicon": (("away",) * 4, GET_ONLY),
    "statistics": (TO_ALL, GET_ONLY),
    "months": (("away",) * 4, GET_ONLY),
    "month": (TO_ALL, GET_ONLY),
    "openings": (TO_ALL, GET_ONLY),
    "privacy": (TO_ALL, GET_ONLY),
    # The operator of this test has written none (tests/site/test_operators_pages.py).
    **dict.fromkeys(("imprint", "terms", "minimum_age", "accessibility"), (("refused 404",) * 4, GET_ONLY)),
    "illegal_content": (TO_ALL, ("refused 422", "away")),
    "status": (TO_ALL, GET_ONLY),
    "security_txt": (TO_ALL, GET_ONLY),
    "dump": (TO_ALL, GET_ONLY),
    # There is a file once a battle has ended (tests/studies/test_dump.py).
    "dump_part": (("refused 404",) * 4, GET_ONLY),
    "user": (TO_ALL, GET_ONLY),
    "mage": (TO_ALL, GET_ONLY),
    # She is alive.
    "mage_card": (TO_ALL, GET_ONLY),
    "arms_svg": (TO_ALL, GET_ONLY),
    "arms_png": (TO_ALL, GET_ONLY),
    "mage_end": (("away",) * 4, GET_ONLY),
    "battle_feed": (TO_ALL, GET_ONLY),
    "league_feed": (TO_ALL, GET_ONLY),
    "announcement_feed": (TO_ALL, GET_ONLY),
    "player_feed": (TO_ALL, GET_ONLY),
    "add_obituary_line": (TO_NOBODY, ("log in", "away")),
    # There are no lines on the living.
    "remove_obituary_line": (TO_NOBODY, ("log in", "refused 404")),
    # Only with DEBUG, which is off in tests.
    "email_gateway:mailbox": (SECRET_MAILBOX, GET_ONLY),
    "email_gateway:mail": (SECRET_MAILBOX, GET_ONLY),
    "email_gateway:mail_html": (SECRET_MAILBOX, GET_ONLY),
    "email_gateway:mail_source": (SECRET_MAILBOX, GET_ONLY),
    # Only with a link from an email, and then for anyone who has it (tests/email_gateway/test_stopping.py).
    "email_gateway:stop": (SECRET_MAILBOX, ("refused 404", "refused 404")),
    "email_gateway:confirm": (SECRET_MAILBOX, ("refused 404", "refused 404")),
    "email_gateway:again": (("log in", *TO_NOBODY[1:]), ("log in", "away")),
    # Only with FM_MAIL_WEBHOOK.
    "email_gateway:webhook_inbound": (SECRET_MAILBOX, ("refused 404", "refused 404")),
    "email_gateway:webhook_tracking": (SECRET_MAILBOX, ("refused 404", "refused 404")),
    "api_problem": (TO_ALL, GET_ONLY),
    "api_docs": (TO_ALL, GET_ONLY),
    **{f"{version}:{name}": row for version in ("api", "old_api") for name, row in CALLS.items()},
    "studies:lessons": (TO_ALL, GET_ONLY),
    "studies:learn_on": (("away",) * 4, GET_ONLY),
    "studies:solved": (TO_USERS, GET_ONLY),
    "studies:lesson_start": (TO_ALL, ("page", "page")),
    "studies:lesson": (TO_ALL, ("page", "page")),
    # Away until the lesson is done (tests/studies/test_lessons.py).
    "studies:lesson_done": (("away",) * 4, GET_ONLY),
    "studies:lesson_card": (TO_ALL, GET_ONLY),
    "studies:puzzle_card": (("refused 404",) * 4, GET_ONLY),
    "studies:puzzles": (TO_ALL, GET_ONLY),
    # No puzzles are made in this test (tests/studies/test_puzzles.py).
    "studies:daily_puzzle": (("away",) * 4, GET_ONLY),
    "studies:notify_daily": (TO_NOBODY, ("log in", "away")),
    "studies:puzzle": (("refused 404",) * 4, ("refused 404", "refused 404")),
    "battles": (TO_ALL, GET_ONLY),
    "featured": (TO_ALL, GET_ONLY),
    # No bots are made in this test (tests/site/test_watching.py).
    "exhibition": (("refused 404",) * 4, GET_ONLY),
    "studies:search": (TO_ALL, GET_ONLY),
    "duels:battle": (TO_ALL, ("log in", "refused 403")),
    "duels:draft": (TO_NOBODY, ("log in", "refused 403")),
    "consent": (TO_NOBODY, ("log in", "refused 403")),
    "duels:seen": (TO_NOBODY, ("log in", "away")),
    "duels:time": (TO_NOBODY, ("log in", "refused 403")),
    "duels:draw": (TO_NOBODY, ("log in", "refused 403")),
    "duels:chat": (TO_ALL, ("log in", "refused 422")),
    "duels:mute": (TO_NOBODY, ("log in", "refused 404")),
    "studies:hint": (TO_NOBODY, ("refused 403", "refused 403")),
    "studies:bots": (("refused 409",) * 4, GET_ONLY),
    "duels:proof": (TO_ALL, GET_ONLY),
    "studies:battle_record": (("refused 409",) * 4, GET_ONLY),
    "studies:battle_json": (("refused 409",) * 4, GET_ONLY),
    "studies:battle_replay": (("away",) * 4, GET_ONLY),
    "studies:battle_replay_turn": (TO_ALL, GET_ONLY),
    "studies:position_svg": (TO_ALL, GET_ONLY),
    "studies:position_png": (TO_ALL, GET_ONLY),
    "studies:animation": (("refused 404",) * 4, GET_ONLY),
    "studies:poster": (("refused 404",) * 4, GET_ONLY),
    "pictures:battle_card": (TO_ALL, GET_ONLY),
    "pictures:board_svg": (TO_ALL, GET_ONLY),
    "pictures:board_png": (TO_ALL, GET_ONLY),
    "studies:battle_table": (TO_ALL, GET_ONLY),
    "studies:battle_story": (TO_ALL, GET_ONLY),
    "studies:battle_transcript": (TO_ALL, GET_ONLY),
    # Their battle is running: it is for its players alone, with what they know (tests/studies).
    "studies:of_battle": (("refused 409", "page", "refused 409", "refused 409"), GET_ONLY),
    "studies:try": (("refused 409",) * 4, ("log in", "refused 409")),
    "studies:analysis": (("refused 409",) * 4, ("log in", "refused 409")),
    "studies:mistakes": (("log in", *("refused 409",) * 3), GET_ONLY),
    "studies:mistake": (("log in", *("refused 409",) * 3), ("log in", "refused 409")),
    "studies:notes": (TO_ALL, ("log in", "refused 403")),
    "studies:mine": (TO_USERS, GET_ONLY),
    "studies:import": (TO_USERS, ("log in", "refused 422")),
    "studies:study_analysis": (("refused 404",) * 4, ("log in", "refused 404")),
    "studies:replay": (("refused 404",) * 4, GET_ONLY),
    "studies:replay_turn": (("refused 404",) * 4, GET_ONLY),
    "studies:record": (("refused 404",) * 4, GET_ONLY),
    "studies:json": (("refused 404",) * 4, GET_ONLY),
    "studies:copy": (TO_NOBODY, ("log in", "refused 404")),
    "studies:position": (TO_USERS, ("log in", "refused 422")),
    "studies:classics": (TO_ALL, GET_ONLY),
    "studies:classic": (("refused 404",) * 4, GET_ONLY),
    "studies:classic_card": (("refused 404",) * 4, GET_ONLY),
    "studies:classic_turn": (("refused 404",) * 4, GET_ONLY),
    "studies:study_classic": (TO_NOBODY, ("log in", "refused 404")),
    "studies:collections": (TO_ALL, ("log in", "refused 409")),
    "studies:add_to_collection": (("log in", "refused 409", "refused 409", "refused 409"), ("log in", "refused 409")),
    "studies:collection": (("refused 404",) * 4, ("log in", "refused 404")),
    "studies:study": (("refused 404",) * 4, ("log in", "refused 404")),
    "studies:branch": (("refused 404",) * 4, ("log in", "refused 404")),
    "studies:change": (TO_NOBODY, ("log in", "refused 404")),
    "challenges:list": (TO_ALL, GET_ONLY),
    "challenges:new": (("log in", "page", "away", "away"), ("log in", "away")),
    "challenges:detail": (TO_ALL, GET_ONLY),
    "challenges:card": (TO_ALL, GET_ONLY),
    "challenges:accept": CHALLENGE_POST,
    "challenges:decline": CHALLENGE_POST,
    "challenges:withdraw": CHALLENGE_POST,
    "challenges:start": CHALLENGE_POST,
    "challenges:accept_everything": CHALLENGE_POST,
    "challenges:accept_change": CHALLENGE_POST,
    "challenges:oppose_change": CHALLENGE_POST,
    "challenges:take_back": CHALLENGE_POST,
    "challenges:ask_host": (("log in", *TO_NOBODY[1:]), ("log in", "away")),
    "challenges:tell_me": (TO_USERS, ("log in", "refused 422")),
    # Cedric has no mage, and is redirected to register one, or told that they have no vote.
    "challenges:match": (("log in", "page", "away", "away"), ("log in", "away")),
    "challenges:friend": (("log in", *TO_NOBODY[1:]), ("log in", "away")),
    "challenges:rematch": (("log in", *TO_NOBODY[1:]), ("log in", "refused 404")),
    "challenges:propose": (("log in", "page", "away", "away"), ("log in", "away")),
    "challenges:make_link": (("log in", *("away",) * 3), ("log in", "away")),
    "challenges:revoke_link": (("log in", *("away",) * 3), ("log in", "refused 404")),
    "challenges:join": (TO_ALL, ("refused 422", "away")),
}
# The pages of django-allauth: what a visitor and what a player gets. Its own tests cover the rest.
ALLAUTHS = {
    "account_login": ("page", "away"),
    "account_logout": ("away", "page"),
    "account_inactive": ("page", "page"),
    "account_signup": ("page", "away"),
    "account_reauthenticate": ("log in", "page"),
    "account_email": ("log in", "page"),
    "account_email_verification_sent": ("page", "page"),
    "account_change_password": ("log in", "page"),
    "account_set_password": ("log in", "away"),
    "account_reset_password": ("page", "page"),
    "account_confirm_login_code": ("log in", "away"),
    "account_confirm_email": ("page", "page"),
    "account_confirm_password_reset_code": ("log in", "log in"),
    "account_complete_password_reset": ("away", "away"),
    "account_password_reset_completed": ("page", "page"),
    "account_request_login_code": ("page", "away"),
    "mfa_index": ("log in", "page"),
    "mfa_authenticate": ("log in", "away"),
    "mfa_reauthenticate": ("log in", "away"),
    "mfa_activate_totp": ("log in", "away"),
    "mfa_deactivate_totp": ("log in", "refused 404"),
    "mfa_view_recovery_codes": ("log in", "refused 404"),
    "mfa_generate_recovery_codes": ("log in", "away"),
    "mfa_download_recovery_codes": ("log in", "refused 404"),
    "usersessions_list": ("log in", "page"),
}


@pytest.fixture
def people():
    now = timezone.now()
    load_demonstration(now=now)
    anna = User.objects.get(username=ANNA.username)
    issue_api_token(user=anna, name="mine", now=now)
    return {
        "visitor": None,
        "owner": anna,
        "other": create_user(name="Cedric", email="cedric@example.org", password="not so secret", now=now),
        "janitor": User.objects.create_superuser("Janitor0", "janitor@example.org", "not so secret"),
    }


def list_names(resolver=None, namespace=""):
    """Yield the name of every address except the pages of Django's admin, which are all for janitors."""
    for entry in (resolver or get_resolver()).url_patterns:
        if isinstance(entry, URLPattern):
            yield f"{namespace}{entry.name}"
        elif isinstance(entry, URLResolver) and entry.namespace != "admin":
            yield from list_names(entry, f"{namespace}{entry.namespace}:" if entry.namespace else namespace)


@pytest.fixture
def token(people):
    """The token of an invite link to the demonstration's challenge."""
    challenge = find_challenge()
    return make_invite_link(number=challenge.number, mage=challenge.challenger, now=timezone.now())[1]


def write_address(name, token="nothing"):
    if name in SOMEBODY:
        return reverse(name, args=[SOMEBODY[name]])
    arguments = dict(find_arguments(name))
    if "number" in arguments:
        of_challenge = name.startswith("challenges:") or ":challenge" in name
        arguments["number"] = find_challenge().number if of_challenge else Battle.objects.get().number
    if "mage_id" in arguments:
        arguments["mage_id"] = Mage.objects.earliest("pk").pk
    if "token_id" in arguments:
        arguments["token_id"] = ApiToken.objects.get().pk
    if "token" in arguments:
        arguments["token"] = token
    return reverse(name, kwargs=arguments)


def find_challenge():
    return Challenge.objects.get(status=Challenge.Status.OPEN)


def list_plain_pages(gets):
    """Return our addresses that take no arguments and whose row for GET is this one, except those of the API without a
    version."""
    plain = (name for name, (row, _) in OURS.items() if row == gets and not name.startswith("old_api:"))
    return [reverse(name) for name in plain if not find_arguments(name)]


@cache
def find_arguments(name):
    """Return what an address takes; to try all of ARGUMENTS takes longer than most pages."""
    for arguments in ARGUMENTS:
        try:
            reverse(name, kwargs=arguments)
        except NoReverseMatch:
            continue
        return arguments
    raise AssertionError(f"{name} wants arguments that this test does not know")


def browse(user, **more):
    """Return a browser of `user` as if it were new, in the session of the one before unless that has ended.

    To log in again for each of a thousand requests, or to load all middleware, takes longer than the requests.
    """
    kept = VISITORS if user is None else user.__dict__.setdefault("browsers", {})
    options = tuple(more.items())
    browser = kept.setdefault(options, None) or Client(**more)
    kept[options] = browser
    if user is None:
        browser.cookies.clear()
        return browser
    session = kept.get("session", "")
    # Compared by value: as we write it below, a cookie lacks the path and age that it came with.
    left = browser.cookies.get("sessionid")
    if not session or (left and left.value != session):
        browser.cookies.clear()
        browser.force_login(user)
        session = kept["session"] = browser.cookies["sessionid"].value
    browser.cookies.clear()
    browser.cookies["sessionid"] = session
    return browser


def ask(user, method, address):
    """Return what a new browser of `user` gets, in the words of the table."""
    browser = browse(user)
    form = {"content_type": "application/json"} if address.startswith("/api/") else {}
    answer = browser.get(address) if method == "get" else browser.post(address, {"orders": "LH F"}, **form)
    if answer.status_code == 200:
        return "page"
    if answer.status_code in (301, 302):
        return "log in" if answer.headers["Location"].startswith("/accounts/login/") else "away"
    return f"refused {answer.status_code}"


def test_every_address_has_its_row():
    # We wrap two of the views in our own paths.
    assert sorted(set(list_names())) == sorted([*OURS, *ALLAUTHS])


def test_our_addresses_answer_as_the_table_says(people, token):
    told, expected = {}, {}
    for name, (gets, posts) in OURS.items():
        address = write_address(name, token)
        expected[name] = (gets, posts)
        told[name] = (
            tuple(ask(people[who], "get", address) for who in GETS),
            posts and tuple(ask(people[who], "post", address) for who in POSTS),
        )
    assert told == expected


def test_the_librarys_addresses_answer_as_the_table_says(people):
    told = {name: tuple(ask(people[who], "get", write_address(name)) for who in POSTS) for name in ALLAUTHS}
    assert told == ALLAUTHS


def test_the_admin_is_for_janitors(people):
    address = reverse("admin:index")
    assert [ask(people[who], "get", address) for who in GETS] == ["away", "away", "away", "page"]


def test_the_admin_has_no_separate_login(client, db):
    answer = client.post("/admin/login/?next=/admin/", {"username": "keeper", "password": "guessed"})
    assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/?next=%2Fadmin%2F")
