"""Writing and removing lines on the page of a dead mage."""

from datetime import datetime

from django.db import transaction

from accounts.models import Mage, ObituaryLine, User
from accounts.models.obituary import OBITUARY_LENGTH
from duels.errors import DuelRefused
from operations.errors import TooManyAttempts
from operations.text.invisible_characters import mark_line
from operations.web.throttle import Throttle
from studies.selectors.obituaries import explain_no_line

PER_DAY = Throttle("obituary.day", limit=20, seconds=24 * 3600)


def write_obituary_line(*, mage: Mage, writer: User, text: str, now: datetime) -> ObituaryLine:
    """Write `writer`'s one line on a dead mage whom they fought; sent twice, it is one. Raises DuelRefused."""
    text = mark_line(text)
    if not text:
        raise DuelRefused("no_text")
    if len(text) > OBITUARY_LENGTH:
        raise DuelRefused("line_too_long", most=OBITUARY_LENGTH)
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=writer.pk)
        same = ObituaryLine.objects.filter(mage=mage, writer=writer, text=text, removed_at=None).first()
        if same is not None:
            return same
        refusal = explain_no_line(mage=mage, writer=writer, now=now)
        if refusal is not None:
            raise refusal
        try:
            PER_DAY.check(str(writer.pk))
        except TooManyAttempts as error:
            raise DuelRefused("too_fast") from error
        line = ObituaryLine.objects.create(mage=mage, writer=writer, text=text, written_at=now)
    PER_DAY.count(str(writer.pk))
    return line


def remove_obituary_line(*, line: ObituaryLine, by: User, now: datetime) -> bool:
    """Remove a line: its writer deletes it and may write another one, the mage's user removes it for good. Return
    whether it was still there. Raises DuelRefused for anyone else; janitors have a service of their own."""
    shown = ObituaryLine.objects.filter(pk=line.pk, removed_at=None)
    if by.pk == line.writer_id:
        return shown.delete()[0] > 0
    if by.pk == line.mage.user_id:
        return hide_obituary_line(line=line, now=now)
    raise DuelRefused("not_your_line")


def hide_obituary_line(*, line: ObituaryLine, now: datetime) -> bool:
    """Remove a line for good; return whether it was still there."""
    return ObituaryLine.objects.filter(pk=line.pk, removed_at=None).update(removed_at=now) > 0
