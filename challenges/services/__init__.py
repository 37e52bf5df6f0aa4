"""Change challenges. Every service is one transaction that first claims the challenge by a conditional update.

The claim locks the challenge's row until the end and increments its revision, so anything that arrives at the same time
waits, and then sees the result. A mage is in at most one challenge or battle, as accounts.Engagement enforces.
"""

from challenges.services.answers import accept_challenge, decline_challenge, decline_elsewhere, withdraw_challenge
from challenges.services.bot_battles import list_pairs, start_bot_battle, start_due_bot_battle
from challenges.services.bot_challenges import offer_bot_challenges, seat_bots_in_open_challenges
from challenges.services.close_stale import sweep_stale_challenges
from challenges.services.create import create_challenge
from challenges.services.expire import expire_links, expire_proposals, part_blocked_users
from challenges.services.followers import follow_challenge, unfollow_challenge
from challenges.services.invite_links import (
    invite_friend,
    join_by_link,
    make_invite_link,
    register_mage_by_link,
    revoke_invite_link,
)
from challenges.services.play_now import (
    GUEST_PACES,
    find_opponents,
    play_bot,
    play_bot_as_guest,
    play_bot_as_new_mage,
    play_from_opening,
)
from challenges.services.proposals import propose_change, start_challenge, take_back_change
from challenges.services.quick_match import find_quick_match
from challenges.services.rematch import ask_for_rematch
from challenges.services.retire_mages import leave_site, quit_mage, retire_mage, sweep_idle_mages
from challenges.services.votes import accept_changes, oppose_changes

__all__ = [
    "GUEST_PACES",
    "accept_challenge",
    "accept_changes",
    "ask_for_rematch",
    "create_challenge",
    "decline_challenge",
    "decline_elsewhere",
    "expire_links",
    "expire_proposals",
    "find_opponents",
    "find_quick_match",
    "follow_challenge",
    "invite_friend",
    "join_by_link",
    "leave_site",
    "list_pairs",
    "make_invite_link",
    "offer_bot_challenges",
    "oppose_changes",
    "part_blocked_users",
    "play_bot",
    "play_bot_as_guest",
    "play_bot_as_new_mage",
    "play_from_opening",
    "propose_change",
    "quit_mage",
    "register_mage_by_link",
    "retire_mage",
    "revoke_invite_link",
    "seat_bots_in_open_challenges",
    "start_bot_battle",
    "start_challenge",
    "start_due_bot_battle",
    "sweep_idle_mages",
    "sweep_stale_challenges",
    "take_back_change",
    "unfollow_challenge",
    "withdraw_challenge",
]
