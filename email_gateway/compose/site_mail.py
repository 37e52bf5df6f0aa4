"""Emails in simple sentences: janitors' announcements, and players' messages, which show no address."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db.models.functions import Lower
from django.utils.translation import gettext as _

from accounts.models import Mage, Name, User
from duels.board.links import battle_url, replay_url
from duels.names import listed, name_battle
from email_gateway.addresses import make_message_address
from email_gateway.compose.composers import composes
from email_gateway.compose.parts import render_plain, write_settings_line, write_stop_link
from email_gateway.deliver.mail import Mail
from email_gateway.links import link_to, link_to_path
from email_gateway.text.layout import quote, wrap
from email_gateway.text.order_forms import write_form
from studies.puzzle_names import name_puzzle


@composes("site_news")
def compose_site_news(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    return write_site_mail(_("News from Firetop Mountain"), [str(facts["text"])], user=user, stops="mail_news")


@composes("own_puzzle")
def compose_own_puzzle(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with the week's mistake of the user's own, to be solved again."""
    played = _("In turn %(turn)s of battle %(battle)s you played %(gestures)s and lost %(lost)s points of chance.")
    sentence = _("Any move that keeps at least %(least)s counts.")
    page = link_to("studies:mistake", facts["battle"], facts["seq"])
    return write_site_mail(
        _("A puzzle from your own battle"),
        [f"{played % facts} {sentence % facts}"],
        user=user,
        stops="mail_puzzles",
        button=(_("Find a better move"), page),
    )


@composes("daily_puzzle")
def compose_daily_puzzle(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with the puzzle of the day."""
    return write_site_mail(
        _("Puzzle of the day: %(task)s") % {"task": name_puzzle(facts["kind"])},
        [_("Your first try today counts for your streak.")],
        user=user,
        stops="mail_daily",
        button=(_("Solve it"), link_to("studies:puzzle", facts["puzzle"])),
    )


@composes("streak_ends")
def compose_streak_ends(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email on a day that would end the user's streak."""
    words = _("You have solved the puzzle of the day on %(days)d days in a row, and have no rest day left this month.")
    hope = _("Solve today's puzzle by midnight UTC to reach %(next)d days in a row.")
    return write_site_mail(
        _("Your puzzle streak ends today"),
        [f"{words % facts} {hope % facts}"],
        user=user,
        stops="mail_streaks",
        button=(_("Solve it"), link_to("studies:puzzle", facts["puzzle"])),
    )


@composes("notes_open")
def compose_open_notes(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email at the end of a newcomer's duel with a host, which leads to the notes of both."""
    slots = {"battle": name_battle(facts["kind"], facts["battle"]), "others": listed(facts["others"])}
    return write_site_mail(
        _("The notes of %(battle)s are open") % slots,
        [_("%(battle)s with %(others)s is over. Read what both of you thought, turn by turn.") % slots],
        user=user,
        stops="mail_ends",
        button=(_("Read the notes"), link_to("studies:notes", facts["battle"])),
    )


def write_site_mail(
    subject: str,
    parts: list[str],
    *,
    user: User,
    stops: str = "",
    button: tuple[str, str] | None = None,
    with_settings: bool = True,
) -> Mail:
    """Return an email of sentences. `button` is a word and its link, `stops` the setting that stops its kind;
    `with_settings` adds a link to the email settings."""
    footer = [write_settings_line()] if with_settings else []
    paragraphs = [*parts, *([f"{button[0]}: {button[1]}"] if button else []), *footer]
    return Mail(
        subject=subject,
        text="\n\n".join(wrap(part) for part in paragraphs) + "\n",
        html=render_plain(heading=subject, parts=parts, button=button, below=footer),
        list_id="site",
        unsubscribe=write_stop_link(user, stops) if stops else "",
    )


@composes("message", "announcement")
def compose_message(kind: str, facts: Mapping[str, Any], user: User) -> Mail:
    """Return the email with a message of another player, or with an announcement in a battle. A reply to it goes to its
    writer alone."""
    writer, below = name_writer(facts), []
    if kind == "message":
        subject = _("A message from %(name)s") % {"name": writer}
        opening = describe_writer(writer, str(facts["mage"]), list(facts["named"]))
        mages = list(facts["named"])
        how = _("Reply to this email to answer %(name)s. Or send these lines below a USER line:") % {"name": writer}
        answer = write_form(f"MESSAGE <your mage> {writer}") + "\n" + _("your words") + "\nEND MESSAGE"
        if facts.get("turn_of"):
            number, turn = facts["turn_of"]
            link = link_to_path(replay_url(number, turn) if turn else battle_url(number))
            below.append(_("Written in battle %(number)s: %(link)s") % {"number": number, "link": link})
        below.append(_("All messages between you: %(link)s") % {"link": link_to("thread", writer)})
    else:
        numbers = [str(number) for number in facts["battles"]]
        subject = _("An announcement from %(user)s") % {"user": writer}
        opening = _("%(user)s writes to everyone in battle %(numbers)s:") % {
            "user": writer,
            "numbers": listed(numbers),
        }
        mages = list_mages_in(facts["battles"], user)
        how = _(
            "Reply to this email to answer %(name)s alone. To write to everyone, send these lines below a USER line:"
        ) % {"name": writer}
        answer = f"ANNOUNCE {' '.join(numbers)}\n" + _("your words") + "\nEND ANNOUNCE"
    said = quote(facts["text"])
    lines = "\n".join(f"  {row}" for row in answer.split("\n"))
    how = f"{wrap(how)}\n\n{lines}"
    below.append(write_settings_line())
    return Mail(
        subject=subject,
        text="\n\n".join([wrap(opening), wrap(said), how, *below]) + "\n",
        html=render_plain(heading=subject, parts=[f"{opening}\n\n{said}", how, *below]),
        reply_to=write_reply_address(user, writer, mages),
        list_id="messages",
        unsubscribe=write_stop_link(user, "mail_messages"),
    )


def name_writer(facts: Mapping[str, Any]) -> str:
    """Return the name of the user who wrote a message or announcement; of an old message, that of their mage."""
    return str(facts.get("user") or facts["mage"])


def describe_writer(writer: str, mage: str, named: Sequence[str]) -> str:
    """Return the line above a message: who writes, and to whom, by the name that the writer used."""
    slots = {"user": writer, "mage": mage, "names": listed(named)}
    if mage and mage != writer:
        words = _("%(user)s, who plays %(mage)s, writes to %(names)s:")
        return (words if named else _("%(user)s, who plays %(mage)s, writes to you:")) % slots
    return (_("%(user)s writes to %(names)s:") if named else _("%(user)s writes to you:")) % slots


def list_mages_in(battles: Iterable[int], user: User) -> list[str]:
    mages = Mage.objects.filter(user=user, combatants__battle__number__in=list(battles)).order_by("combatants__pk")
    return list(mages.values_list("name", flat=True))


def write_reply_address(user: User, writer: str, named: Sequence[str]) -> str:
    """Return the address at which a reply of `user` goes to the writer of a message to these names; "" if we no longer
    know the writer."""
    keys = [name.lower() for name in named]
    mine = set(
        Mage.objects.alias(key=Lower("name")).filter(user=user, key__in=keys).values_list(Lower("name"), flat=True)
    )
    names = dict(Name.objects.filter(key__in=[writer.lower(), *mine]).values_list("key", "pk"))
    mage = next((names[key] for key in keys if key in mine), 0)
    known = names.get(writer.lower())
    return make_message_address(user_id=user.pk, writer=known, mage=mage) if known is not None else ""
