"""INVITE and REVOKE: links that let friends join a challenge."""

from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import AccountsError
from challenges.errors import ChallengeError
from challenges.models import InviteLink
from challenges.selectors.links import number_live_links_of
from challenges.selectors.lists import get_challenge_for_user
from challenges.services.invite_links import make_invite_link, revoke_invite_link
from challenges.shown import ShownChallenge
from email_gateway.commands.challenge_orders import Seated, describe_outcome, read_seat, reject
from email_gateway.commands.order_entry import Order
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to
from notifications.selectors.notices import zone_of
from operations.text.dates import write_moment

INVITED = "FM-ORDNEW-3"


def handle_invite(talk: Conversation, rest: str) -> list[str]:
    """INVITE number mage: a link that lets a friend join. It is only in the answer, and no copy of that is stored."""

    def find_meant(challenge: ShownChallenge) -> tuple[str, ...]:
        return (challenge.own.actions.link,) if challenge.own.actions.link else ()

    seated = read_seat(talk, "INVITE", rest, clause=INVITED, meant=find_meant)
    if seated.rest:
        nearest = f"CHANGEGAME {seated.head} ADD {seated.rest[:40]}"
        raise OrderRejected(
            _("INVITE creates a link and takes no names. To invite a mage by name, use CHANGEGAME."),
            nearest=nearest,
            clause=INVITED,
        )
    try:
        link, token = make_invite_link(number=seated.number, mage=seated.mage, now=talk.request.now)
    except (ChallengeError, AccountsError) as error:
        raise reject(error, INVITED) from error
    talk.answer.secret = True
    zone = zone_of(talk.state.user)
    message = _("Anyone with this link can join challenge %(number)s until %(moment)s:")
    slots = {"number": seated.number, "moment": write_moment(link.expires_at, zone)}
    share = _("Share it with anyone you like. We don't show it again.")
    return [
        f"{message % slots}\n\n  {link_to('challenges:join', token)}\n\n{share}",
        *describe_links(seated, list_links(talk, seated), zone),
    ]


def handle_revoke(talk: Conversation, rest: str) -> list[str]:
    """REVOKE number mage link: revoke a link. Its number may be left out if there is only one."""

    def find_meant(challenge: ShownChallenge) -> tuple[str, ...]:
        return (challenge.own.actions.withdraw,) if challenge.own.actions.withdraw else ()

    seated = read_seat(talk, "REVOKE", rest, clause=INVITED, meant=find_meant, follows=is_link)
    links = list_links(talk, seated)
    zone = zone_of(talk.state.user)
    chosen = choose_link(seated, links, zone)
    outcome = revoke_invite_link(number=seated.number, user=seated.user, link_id=links[chosen].pk, now=talk.request.now)
    if outcome is None:
        raise OrderRejected(
            _("Link %(chosen)s had already stopped working.") % {"chosen": chosen},
            nearest=f"INVITE {seated.head}",
            clause=INVITED,
        )
    sentences = [
        _("Link %(chosen)s to challenge %(number)s no longer works.") % {"chosen": chosen, "number": seated.number},
        *describe_outcome(outcome),
    ]
    return sentences if outcome.has_started else [*sentences, *describe_links(seated, list_links(talk, seated), zone)]


def is_link(word: str) -> bool:
    """Return whether this is the number of a link and not a mage."""
    return word.isdecimal() or word.upper() == "LINK"


def list_links(talk: Conversation, seated: Seated) -> dict[int, InviteLink]:
    """Return the working links of this mage's user, by number. Raises OrderRejected for another mage's challenge,
    since only the challenger can create links."""
    try:
        row = get_challenge_for_user(number=seated.number, user=seated.user)
    except ChallengeError as error:
        raise reject(error, INVITED) from error
    if row.challenger != seated.mage.name:
        raise OrderRejected(
            _("Only %(mage)s can create links to challenge %(number)s.")
            % {"mage": row.challenger, "number": row.number},
            clause=INVITED,
        )
    return number_live_links_of(user=seated.user, number=seated.number, now=talk.request.now)


def choose_link(seated: Seated, links: dict[int, InviteLink], zone: ZoneInfo) -> int:
    """Return the link that the line names. Raises OrderRejected."""
    words = [word for word in seated.rest.replace(",", " ").split() if word.upper() != "LINK"]
    if not links:
        message = _("Challenge %(number)s has no working links.") % {"number": seated.number}
        nearest = f"INVITE {seated.head}"
    elif not words and len(links) > 1:
        message = _("Give the link's number.") + f" {write_links(links, zone)}"
        nearest = f"REVOKE {seated.head} {next(iter(links))}"
    elif not words:
        return next(iter(links))
    elif len(words) == 1 and words[0] in map(str, links):
        return int(words[0])
    else:
        none = _('There is no working link "%(words)s".') % {"words": " ".join(words)[:40]}
        message = f"{none} {write_links(links, zone)}"
        nearest = f"REVOKE {seated.head} {next(iter(links))}"
    raise OrderRejected(message, nearest=nearest, clause=INVITED)


def describe_links(seated: Seated, links: dict[int, InviteLink], zone: ZoneInfo) -> list[str]:
    """List the active links and how to revoke one; empty if there are none."""
    if not links:
        return []
    ends = _("%(order)s revokes it.") if len(links) == 1 else _("%(order)s revokes the first.")
    return [f"{write_links(links, zone)} {ends % {'order': f'REVOKE {seated.head} {next(iter(links))}'}}"]


def write_links(links: dict[int, InviteLink], zone: ZoneInfo) -> str:
    """List when each link expires, in the reader's time zone."""
    lines = [
        _("link %(number)s until %(moment)s") % {"number": number, "moment": write_moment(link.expires_at, zone)}
        for number, link in links.items()
    ]
    return (_("These links work: %(links)s.") if len(lines) > 1 else _("One link works: %(links)s.")) % {
        "links": ", ".join(lines)
    }


ORDERS: tuple[Order, ...] = (
    Order(
        "INVITE",
        "INVITE <number> <mage>",
        "player",
        "challenges.services.invite_links.make_invite_link",
        gettext_lazy(
            "Creates a link that lets a friend join the challenge, with or without an account. It works for "
            "seven days, unless you revoke it."
        ),
        "FM-ORDNEW-3",
        handle_invite,
        example="INVITE 12 Merlyn",
    ),
    Order(
        "REVOKE",
        "REVOKE <number> <mage> {link}",
        "player",
        "challenges.services.invite_links.revoke_invite_link",
        gettext_lazy(
            "Revokes a link to a challenge that your mage created. INVITE lists the working links by number. If "
            "there is only one, you can leave out its number."
        ),
        "FM-ORDNEW-3",
        handle_revoke,
        example="REVOKE 12 Merlyn 1",
    ),
)
