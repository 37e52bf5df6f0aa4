"""What changes a challenge. Every service is one transaction that first claims the challenge by a conditional update.

The claim takes the challenge's row until the end and counts its revision up, so whatever arrives at the same time
waits, and then finds what the first left. A mage is in one challenge or battle at most, as accounts.Engagement decides.
"""

from challenges.services.answers import accept_challenge, decline_challenge, decline_elsewhere, withdraw_challenge
from challenges.services.creation import create_challenge
from challenges.services.start import start_challenge

__all__ = [
    "accept_challenge",
    "create_challenge",
    "decline_challenge",
    "decline_elsewhere",
    "start_challenge",
    "withdraw_challenge",
]
