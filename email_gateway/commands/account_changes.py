"""Changes of an account by email: requested with the mail password, made once the account's own address confirms."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.errors import InvalidMailPassword
from accounts.models import Mage, User
from accounts.services.mail_passwords import check_mail_password_fitness
from duels.keys import StageKey
from duels.models import Battle, Combatant
from duels.selectors.stage_keys import key_of
from email_gateway.addresses import is_one_address, is_own_address, make_change_address
from email_gateway.commands.make_changes import make_change
from email_gateway.compose.account_mail import compose_address_question
from email_gateway.deliver.mail import queue_mail
from email_gateway.errors import OrderRejected
from email_gateway.models import CONFIRM_WITHIN, AccountChangeRequest
from notifications.selectors.notices import address_for_notices
from operations.encryption import seal, unseal

MOST_REQUESTS = 5
OLD, NEW = 0, 1


def request_password_change(*, user: User, password: str, now: datetime) -> AccountChangeRequest:
    """Store a request for a new mail password. Raises OrderRejected."""
    try:
        check_mail_password_fitness(user=user, raw=password)
    except InvalidMailPassword as error:
        raise OrderRejected(" ".join(error.problems), nearest="PASSWORD <longer word>", clause="FM-ORDUSR-5") from error
    return add_request(user, AccountChangeRequest.Kind.PASSWORD, password, now)


def request_address_change(*, user: User, address: str, now: datetime) -> AccountChangeRequest:
    """Store a request for a new address. Raises OrderRejected."""
    new = address.lower()
    if not is_one_address(new):
        raise OrderRejected(_("That is not a complete address."), nearest="ADDRESS <new address>", clause="FM-ORDUSR-4")
    if is_own_address(new):
        raise OrderRejected(_("That isn't your address."), nearest="ADDRESS <new address>", clause="FM-ORDUSR-4")
    if new == (address_for_notices(user) or "").lower():
        raise OrderRejected(_("That is already your address."), clause="FM-ORDUSR-4")
    return add_request(user, AccountChangeRequest.Kind.ADDRESS, new, now)


def request_leaving(*, user: User, now: datetime) -> AccountChangeRequest:
    """Store a user's request to leave. Raises OrderRejected."""
    return add_request(user, AccountChangeRequest.Kind.LEAVING, user.username, now)


def request_mage_act(*, user: User, kind: AccountChangeRequest.Kind, mage: Mage, now: datetime) -> AccountChangeRequest:
    """Store a request that a mage retire or quit. Raises OrderRejected."""
    return add_request(user, kind, mage.name, now)


def request_surrender(
    *, combatant: Combatant, text: str, stage: StageKey | None, now: datetime
) -> AccountChangeRequest:
    """Store orders for a surrender or SUICIDE as a request. Raises OrderRejected."""
    facts = [combatant.battle.number, combatant.mage.name, text, list(stage or key_of(combatant.battle))]
    kind = AccountChangeRequest.Kind.SURRENDER
    return add_request(combatant.mage.user, kind, json.dumps(facts), now)


def request_announcement(*, user: User, battles: Sequence[Battle], text: str, now: datetime) -> AccountChangeRequest:
    """Store a janitor's announcement in others' battles as a request. Raises OrderRejected."""
    facts = [[battle.number for battle in battles], text]
    return add_request(user, AccountChangeRequest.Kind.ANNOUNCE, json.dumps(facts), now)


def add_request(user: User, kind: AccountChangeRequest.Kind, value: str, now: datetime) -> AccountChangeRequest:
    if address_for_notices(user) is None:
        raise OrderRejected(_("Your account has no verified address to confirm this with. Use the website for this."))
    recent = AccountChangeRequest.objects.filter(user=user, created_at__gt=now - timedelta(days=1))
    if recent.count() >= MOST_REQUESTS:
        raise OrderRejected(_("You have already asked for several changes today. Use the website for this one."))
    return AccountChangeRequest.objects.create(user=user, kind=kind, sealed=seal({"value": value}), created_at=now)


def confirm_change(*, request_id: int, step: int, now: datetime) -> str:
    """Confirm a change from the old (step 0) or new (step 1) address, and return the sentences for the answer. Raises
    OrderRejected.

    A second confirmation changes nothing.
    """
    with transaction.atomic():
        waiting = AccountChangeRequest.objects.filter(
            pk=request_id, done_at=None, created_at__gt=now - CONFIRM_WITHIN
        ).exclude(sealed="")
        agreed = waiting.filter(agreed_at__isnull=step == OLD).update(agreed_at=now)
        request = AccountChangeRequest.objects.select_related("user").filter(pk=request_id).first()
        if not agreed or request is None:
            raise OrderRejected(_("This change is already made or has expired. Ask for it again."))
        value = str(unseal(request.sealed)["value"])
        if request.kind == AccountChangeRequest.Kind.ADDRESS and step == OLD:
            ask_new_address(request, value, now)
            return _("We have emailed %(value)s. Once you reply to that email, it becomes your address.") % {
                "value": value
            }
        message = make_change(request, value, now)
        AccountChangeRequest.objects.filter(pk=request_id).update(done_at=now, sealed="")
    return message


def ask_new_address(request: AccountChangeRequest, address: str, now: datetime) -> None:
    mail = compose_address_question(
        name=request.user.username, reply_to=make_change_address(request_id=request.pk, step=NEW)
    )
    queue_mail(mail, address=address, inbound=None, user=None, now=now)


def forget_expired_changes(*, now: datetime) -> int:
    """Delete requests that nobody confirmed; return how many."""
    expired = AccountChangeRequest.objects.filter(done_at=None, created_at__lte=now - CONFIRM_WITHIN)
    return expired.exclude(sealed="").update(sealed="")
