"""MESSAGE and ANNOUNCE, whose text is the lines below them, and CUT, below which nothing is read."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from django.utils.translation import gettext as _

from accounts.errors import NoSuchMage
from accounts.janitors import is_janitor
from accounts.models import User
from accounts.selectors.names import find_mage, find_nearest_name, find_owner, find_user, get_mage_for_user
from accounts.services.messages import MOST_ROWS
from duels.models import Battle
from duels.names import listed
from duels.selectors.viewer import list_own_combatants
from email_gateway.commands.account_changes import request_announcement
from email_gateway.commands.relay_messages import relay_announcement, relay_message
from email_gateway.commands.users import ask_to_confirm, reject_second_change
from email_gateway.commands.words import find_known_battle, read_numbers, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.layout import quote
from email_gateway.text.lines import QUOTED, SIGNATURE, TOO_LATE, Line, split_lines

MOST_NAMES = 20
LONGEST_ANNOUNCEMENT = 4000


def handle_message(talk: Conversation, rest: str) -> list[str]:
    """MESSAGE mage names, text, END MESSAGE: to the owners of these mages and users."""
    text, unended = take_text(talk, "MESSAGE")
    user = talk.require_user("MESSAGE")
    words = split_words(rest.replace(",", " "))
    form = "MESSAGE <your mage> <names>"
    if not 2 <= len(words) <= MOST_NAMES + 1:
        raise OrderRejected(
            _("MESSAGE needs one of your mages, and the names of those you write to."),
            nearest=form,
            clause="FM-ORDMSG-1",
        )
    mage = "" if words[0].lower() == user.username.lower() else find_own_mage(user, words)
    names = list(dict.fromkeys(words[1:]))
    owners = {name: find_owner(name) for name in names}
    unknown = [name for name, owner in owners.items() if owner is None or not owner.is_active]
    if unknown:
        spelt = [name if name not in unknown else find_nearest_name(name) for name in names]
        found = list(dict.fromkeys(name for name in spelt if name))
        nearest = " ".join(["MESSAGE", words[0], *found]) if found else form
        reason = _("Nobody is called %(names)s.") % {"names": listed(unknown, "or")}
        raise OrderRejected(reason, nearest=nearest, clause="FM-ORDMSG-3")
    reject_blank_text("MESSAGE", text)
    readers = {spell_name(name): owner for name, owner in owners.items() if owner is not None}
    try:
        sent = relay_message(writer=user, readers=readers, text=text, mage=mage, now=talk.request.now)
    except OrderRejected:
        talk.answer.results += give_back(text)
        raise
    return [*sent, *unended]


def find_own_mage(user: User, words: Sequence[str]) -> str:
    """Return the name of the user's mage that the first word names. Raises OrderRejected."""
    try:
        return get_mage_for_user(user=user, name=words[0]).name
    except NoSuchMage as error:
        nearest = " ".join(["MESSAGE", error.nearest or "<your mage>", *words[1:]])
        raise OrderRejected(error.message, nearest=nearest, clause="FM-ORDMSG-1") from error


def give_back(text: str) -> list[str]:
    """Return the whole text of a message that is not sent, for its writer."""
    return [_("We have sent nothing. You wrote:"), quote(text)]


def spell_name(name: str) -> str:
    """Return the name of a mage or user in its own spelling."""
    mage = find_mage(name)
    user = None if mage else find_user(name)
    return mage.name if mage else user.username if user else name


def handle_announce(talk: Conversation, rest: str) -> list[str]:
    """ANNOUNCE battles, text, END ANNOUNCE: to everyone who has a mage in one of them. A janitor without one must
    first confirm from the account's address."""
    text, unended = take_text(talk, "ANNOUNCE")
    user = talk.require_user("ANNOUNCE")
    numbers, missing = read_numbers("ANNOUNCE", rest, most=MOST_NAMES, clause="FM-ORDMSG-4")
    battles, rejection = [], None
    for number in numbers:
        try:
            battles.append(find_own_running(number, user))
        except OrderRejected as error:
            rejection = error
            missing.append(error.reason)
    if rejection is not None and not battles:
        raise OrderRejected(" ".join(missing), nearest=rejection.nearest, clause=rejection.clause) from rejection
    reject_unfit_announcement(text)
    if not all(list_own_combatants(battle, user) for battle in battles):  # people trust announcements of janitors
        reject_second_change(talk)
        talk.answer.confirm_change = request_announcement(
            user=user, battles=battles, text=text, now=talk.request.now
        ).pk
        named = listed([str(battle.number) for battle in battles])
        message = _("Your announcement goes to everyone in battle %(numbers)s once you confirm it.")
        return [ask_to_confirm(message % {"numbers": named}), *missing, *unended]
    told = relay_announcement(user=user, battles=battles, text=text, now=talk.request.now)
    return [*told, *missing, *unended]


def find_own_running(number: int, user: User) -> Battle:
    """Return a current battle in which the user has a mage; for janitors, any current battle."""
    battle = find_running(number)
    if not is_janitor(user) and not list_own_combatants(battle, user):
        reason = _("You have no mage in %(battle)s.") % {"battle": battle}
        raise OrderRejected(reason, nearest="ANNOUNCE <numbers>", clause="FM-ORDMSG-5")
    return battle


def find_running(number: int) -> Battle:
    battle = find_known_battle(number, nearest="GAMES", clause="FM-ORDMSG-4")
    if battle.is_over:
        raise OrderRejected(
            _("%(battle)s is over.") % {"battle": battle}, nearest="MESSAGE <your mage> <names>", clause="FM-ORDMSG-4"
        )
    return battle


def handle_cut(talk: Conversation, rest: str) -> list[str]:
    """CUT: the following lines are not read, up to END CUT."""
    taken, unended = take_lines(talk, "CUT")
    for number in taken:
        if talk.request.rows[number - 1].strip():
            talk.ignore(number, _("between CUT and END CUT"))
    return [_("There is no END CUT, so nothing below CUT is read.")] if unended else []


def take_text(talk: Conversation, order: str) -> tuple[str, list[str]]:
    """Return the text of this order, and remarks. The text is never read as orders, even if the message is rejected."""
    talk.state.text_lines, unended = take_lines(talk, order)
    rows = [talk.request.rows[number - 1].rstrip() for number in talk.state.text_lines]
    remark = [_explain_end(talk) % {"order": order}] if unended else []
    return talk.cover_secrets("\n".join(rows).strip("\n")), remark


def _explain_end(talk: Conversation) -> str:
    """Return why the text of an order ends where it does, without an END of its own."""
    below = next((line for line in talk.state.lines if line.number > talk.state.taken_to), None)
    if below is not None and below.text.upper() == "END":
        return _("There is no END %(order)s, so the text ends at END.")
    if below is not None and below.ignored == SIGNATURE:
        return _("There is no END %(order)s, so the text ends at your signature.")
    if below is not None and below.ignored == QUOTED:
        return _("There is no END %(order)s, so the text ends where another email is quoted.")
    return _("There is no END %(order)s, so the text ends where the email does.")


def take_lines(talk: Conversation, order: str) -> tuple[list[int], bool]:
    """Return the numbers of the lines up to END and the order's name, and whether that is missing; the text of a
    message then ends at END, at a signature, or where another email is quoted."""
    below = list_below(talk)
    last = find_end(below, order)
    if last is not None:
        talk.state.taken_to = last
        judge_rest_again(talk, last)
        return [line.number for line in below if line.number < last], False
    taken = list(takewhile(lambda line: order == "CUT" or is_text(line), below))
    talk.state.taken_to = taken[-1].number if taken else 0
    return [line.number for line in taken], True


def has_end(talk: Conversation, order: str) -> bool:
    """Return whether there is an END with the order's name below the current line."""
    return find_end(list_below(talk), order) is not None


def list_below(talk: Conversation) -> list[Line]:
    return [line for line in talk.state.lines if line.number > talk.state.line_number]


def find_end(below: list[Line], order: str) -> int | None:
    end = re.compile(rf"\s*END\s*{order}\s*(?:;.*)?", re.I)
    return next((line.number for line in below if end.fullmatch(line.text)), None)


def is_text(line: Line) -> bool:
    return line.ignored not in (SIGNATURE, QUOTED, TOO_LATE) and line.text.upper() != "END"


def judge_rest_again(talk: Conversation, last: int) -> None:
    """Judge the lines after a text as if the email began there: a signature within the text does not end the email."""
    rest = split_lines("\n".join(talk.request.rows[last:]), talk.request.printed)
    place = next(index for index, line in enumerate(talk.state.lines) if line.number == last)
    talk.state.lines[place + 1 :] = [replace(line, number=line.number + last) for line in rest]
    talk.state.prose = None


def reject_blank_text(order: str, text: str) -> None:
    if not text.strip():
        raise OrderRejected(
            _("There is no text below %(order)s.") % {"order": order}, nearest=f"END {order}", clause="FM-ORDMSG-2"
        )


def reject_unfit_announcement(text: str) -> None:
    reject_blank_text("ANNOUNCE", text)
    if len(text) > LONGEST_ANNOUNCEMENT or text.count("\n") > MOST_ROWS:
        reason = _("The text has %(length)s characters. Shorten it to %(most)s on at most %(rows)s lines.")
        raise OrderRejected(reason % {"length": len(text), "most": LONGEST_ANNOUNCEMENT, "rows": MOST_ROWS})
