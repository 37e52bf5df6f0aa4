"""Read challenges."""

from challenges.selectors.bots import list_bots
from challenges.selectors.due import (
    list_expired_links,
    list_expired_proposals,
    list_invitations_to_decline,
    list_with_blocked_users,
)
from challenges.selectors.links import (
    find_link,
    find_live_link,
    find_waiting_challenge,
    has_joined_user,
    list_quick_matches,
    number_live_links_of,
)
from challenges.selectors.lists import (
    ChallengeFilter,
    challenge_exists,
    get_challenge_for_user,
    list_challenges_involving,
    list_followed_challenges,
    list_open_challenges,
)
from challenges.selectors.mages import (
    choose_stake_of_match,
    choose_stakes,
    find_mages_by_name,
    find_mages_to_invite,
    list_free_mages,
)
from challenges.selectors.state import (
    count_missing_votes,
    get_conditions,
    list_pending_proposals,
    read_ballot,
    read_conditions,
    read_seating,
)

__all__ = [
    "ChallengeFilter",
    "challenge_exists",
    "choose_stake_of_match",
    "choose_stakes",
    "count_missing_votes",
    "find_link",
    "find_live_link",
    "find_mages_by_name",
    "find_mages_to_invite",
    "find_waiting_challenge",
    "get_challenge_for_user",
    "get_conditions",
    "has_joined_user",
    "list_bots",
    "list_challenges_involving",
    "list_expired_links",
    "list_expired_proposals",
    "list_followed_challenges",
    "list_free_mages",
    "list_invitations_to_decline",
    "list_open_challenges",
    "list_pending_proposals",
    "list_quick_matches",
    "list_with_blocked_users",
    "number_live_links_of",
    "read_ballot",
    "read_conditions",
    "read_seating",
]
