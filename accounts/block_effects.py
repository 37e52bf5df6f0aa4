"""What a block between two users does: the one list, shown on its page and tried by the tests.

The rule behind it: a block is never denied. Anyone who tries to reach the other is told there is a block, but not who
made it. What we choose for users leaves the other out. Words for everyone are hidden from the user who blocks their
writer, and from nobody else. What is public stays public.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class Effect(StrEnum):
    REFUSED = "refused"  # in both directions, and anyone who tries is told why
    LEFT_OUT = "left_out"  # in both directions
    HIDDEN = "hidden"  # from the user who blocks
    STAYS = "stays"


@dataclass(frozen=True)
class Channel:
    """A way in which one user may reach another, and what a block does to it."""

    key: str
    effect: Effect
    words: "StrOrPromise"


CHANNELS = (
    Channel("message", Effect.REFUSED, _("Messages and announcements, on the page and by email, and answers to them")),
    Channel("challenge", Effect.REFUSED, _("Challenges and invitations, also those to a rematch")),
    Channel("join", Effect.REFUSED, _("Joining a challenge in which the other is, also by a link")),
    Channel("follow", Effect.REFUSED, _("Following. If one of you follows the other, that ends.")),
    Channel("obituary", Effect.REFUSED, _("A line on a mage of the other who has died")),
    Channel("quick_match", Effect.LEFT_OUT, _("Opponents that we find for you, and challenges to all free mages")),
    Channel("suggestion", Effect.LEFT_OUT, _("Open duels that we suggest or tell you of")),
    Channel("host", Effect.LEFT_OUT, _("Hosts for a first duel, and newcomers who ask for one")),
    Channel("here", Effect.LEFT_OUT, _("Who is in the lobby")),
    Channel("news", Effect.LEFT_OUT, _("News of the other, and of the battles they begin")),
    Channel("room_mail", Effect.LEFT_OUT, _("Emails with lines from the lobby")),
    Channel("chat", Effect.HIDDEN, _("Lines in the chat of a battle, also in emails")),
    Channel("room", Effect.HIDDEN, _("Lines in the lobby")),
    Channel("about", Effect.HIDDEN, _("What they say about themselves")),
    Channel("obituary_line", Effect.HIDDEN, _("Their lines on mages who have died")),
    Channel("orders", Effect.STAYS, _("Your current battles, and what your mages say in them")),
    Channel("records", Effect.STAYS, _("Results, the ladder, profiles, and battles that everyone can watch")),
)


def list_channels(effect: Effect) -> list[Channel]:
    return [channel for channel in CHANNELS if channel.effect == effect]
