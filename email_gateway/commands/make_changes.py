"""Changes of an account, made once its own address has confirmed them."""

import json
from collections.abc import Callable
from datetime import datetime

from django.utils.translation import gettext as _

from accounts.errors import AccountsError, AddressTaken, InvalidMailPassword, StillFighting, StillHasMages
from accounts.janitors import is_janitor
from accounts.selectors.names import get_mage_for_user
from accounts.services.leave import close_user
from accounts.services.mail_passwords import set_mail_password
from accounts.services.users import change_address
from challenges.services.retire_mages import quit_mage, retire_mage
from duels.errors import DuelsError, IllegalOrders, InvalidOrders
from duels.keys import StageKey
from duels.selectors.viewer import find_battle, get_combatant_for_user
from duels.services.orders import submit_orders
from email_gateway.commands.relay_messages import relay_announcement
from email_gateway.conversation import reject_held_order
from email_gateway.errors import OrderRejected
from email_gateway.models import AccountChangeRequest


def make_change(request: AccountChangeRequest, value: str, now: datetime) -> str:
    """Make the change and return the sentence that reports it. Raises OrderRejected if it is no longer possible, or not
    allowed any more: its user may have been warned or suspended since they asked for it."""
    reject_held_order(ORDERS[request.kind], request.user, now)
    return CHANGES[request.kind](request, value, now)


def leave(request: AccountChangeRequest, _value: str, now: datetime) -> str:
    name = request.user.username
    try:
        close_user(user=request.user, now=now)
    except StillHasMages as error:
        raise OrderRejected(str(error), nearest=f"QUIT {error.mages[0]}", clause="FM-ORDUSR-15") from error
    except StillFighting as error:
        raise OrderRejected(str(error), nearest=f"GAME {error.numbers[0]}", clause="FM-ORDUSR-15") from error
    return _("The account %(user)s is closed. You can sign up again at any time with a new name.") % {"user": name}


def set_password(request: AccountChangeRequest, password: str, now: datetime) -> str:
    try:
        set_mail_password(user=request.user, raw=password, now=now)
    except InvalidMailPassword as error:
        raise OrderRejected(" ".join(error.problems)) from error
    return _("Your mail password is changed.")


def set_address(request: AccountChangeRequest, value: str, now: datetime) -> str:
    try:
        change_address(user=request.user, address=value, now=now)
    except AddressTaken as error:
        raise OrderRejected(str(error)) from error
    return _("From now on, emails to %(user)s go to %(value)s.") % {"user": request.user.username, "value": value}


def end_mage(request: AccountChangeRequest, name: str, now: datetime) -> str:
    try:
        mage = get_mage_for_user(user=request.user, name=name)
        if request.kind == AccountChangeRequest.Kind.QUIT:
            quit_mage(mage=mage, now=now)
            return _("%(mage)s leaves the mountain for good.") % {"mage": mage.name}
        became = retire_mage(mage=mage, now=now)
    except AccountsError as error:
        raise OrderRejected(str(error)) from error
    return (
        _("%(mage)s leaves the mountain for good.") % {"mage": mage.name}
        if became == "removed"
        else _("%(mage)s is retired.") % {"mage": mage.name}
    )


def surrender(request: AccountChangeRequest, facts: str, now: datetime) -> str:
    number, name, text, stage = json.loads(facts)
    try:
        combatant = get_combatant_for_user(number=number, user=request.user, mage_name=name)
        submit_orders(
            combatant=combatant,
            text=text,
            via="mail",
            now=now,
            stage=StageKey(*stage),
            arrived_at=request.created_at,
        )
    except (DuelsError, InvalidOrders, IllegalOrders) as error:
        raise OrderRejected(_("%(name)s's orders are rejected: %(error)s") % {"name": name, "error": error}) from error
    return _("%(name)s's orders in battle %(number)s are in.") % {"name": name, "number": number}


def announce(request: AccountChangeRequest, facts: str, now: datetime) -> str:
    numbers, text = json.loads(facts)
    if not is_janitor(request.user):
        raise OrderRejected(_("Only janitors can make announcements in other players' battles."), clause="FM-ORDMSG-5")
    battles = [battle for number in numbers if not (battle := find_battle(number=number)).is_over]
    if not battles:
        raise OrderRejected(_("The announcement is not sent, because the battle is over."), clause="FM-ORDMSG-4")
    return " ".join(relay_announcement(user=request.user, battles=battles, text=text, now=now))


# The order that asks for each change.
ORDERS: dict[str, str] = {
    AccountChangeRequest.Kind.ADDRESS: "ADDRESS",
    AccountChangeRequest.Kind.PASSWORD: "PASSWORD",
    AccountChangeRequest.Kind.LEAVING: "QUIT",
    AccountChangeRequest.Kind.RETIRE: "RETIRE",
    AccountChangeRequest.Kind.QUIT: "QUIT",
    AccountChangeRequest.Kind.SURRENDER: "SURRENDER",
    AccountChangeRequest.Kind.ANNOUNCE: "ANNOUNCE",
}
CHANGES: dict[str, Callable[[AccountChangeRequest, str, datetime], str]] = {
    AccountChangeRequest.Kind.ADDRESS: set_address,
    AccountChangeRequest.Kind.PASSWORD: set_password,
    AccountChangeRequest.Kind.LEAVING: leave,
    AccountChangeRequest.Kind.RETIRE: end_mage,
    AccountChangeRequest.Kind.QUIT: end_mage,
    AccountChangeRequest.Kind.SURRENDER: surrender,
    AccountChangeRequest.Kind.ANNOUNCE: announce,
}
