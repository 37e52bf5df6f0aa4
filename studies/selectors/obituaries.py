"""What people write about a mage who died, as one reader may see it, and who may write."""

from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import Mage, ObituaryLine, Sanction, User
from accounts.selectors.hold import read_hold
from accounts.selectors.ties import list_blocked_by, list_blocked_pairs
from duels.errors import DuelRefused
from duels.models import Combatant, TurnEvent
from duels.selectors.chat import find_last_line_of_player
from duels.selectors.viewer import MaybeUser

MOST_SHOWN = 200


def list_lines_on(mage: Mage, *, reader: MaybeUser, now: datetime) -> list[ObituaryLine]:
    """Return the lines on a dead mage, earliest first, with their writers."""
    return list(_list_shown(reader, now).filter(mage=mage)[:MOST_SHOWN])


def find_line(pk: int, *, reader: MaybeUser, now: datetime) -> ObituaryLine | None:
    """Return a line that the reader may see, with its mage, its mage's user and its writer; None if there is none."""
    return _list_shown(reader, now).select_related("mage__user").filter(pk=pk).first()


def list_lines_by(writer: User) -> QuerySet[ObituaryLine]:
    """Return the lines by `writer` with their mages, earliest first; removed ones too."""
    return ObituaryLine.objects.filter(writer=writer).select_related("mage").order_by("pk")


def explain_no_line(*, mage: Mage, writer: MaybeUser, now: datetime) -> DuelRefused | None:
    """Return why `writer` cannot write a line on this mage, or None."""
    if not isinstance(writer, User):
        return DuelRefused("anonymous")
    if writer.is_guest or writer.is_bot:
        return DuelRefused("guest" if writer.is_guest else "bot")
    if mage.is_alive or mage.has_left:
        return DuelRefused("not_dead", mage=mage.name)
    hold = read_hold(writer, now)
    if hold is not None:
        return DuelRefused("held", hold=hold.say())
    fought = Combatant.objects.filter(battle__combatants__mage=mage, battle__practice=False, mage__user=writer)
    if writer.pk == mage.user_id or not fought.exists():
        return DuelRefused("never_fought", mage=mage.name)
    if list_blocked_pairs([writer.pk, mage.user_id]):
        return DuelRefused("block_between", name=mage.user.username)
    if ObituaryLine.objects.filter(mage=mage, writer=writer).exists():
        return DuelRefused("has_written", mage=mage.name)
    return None


def find_last_words(*, battle: int, mage: Mage, reader: MaybeUser, now: datetime) -> str:
    """Return what the mage said last in the battle for everyone to hear: in its orders, or, once the battle is over, in
    the chat of its players. "" for nothing, and while its user is suspended."""
    hold = read_hold(mage.user, now)
    if hold is not None and hold.sanction is not None:
        return ""
    spoken = TurnEvent.objects.filter(
        battle__number=battle, kind="says", audience__isnull=True, turn__taken_back_by=None, facts__who=mage.name
    )
    said = spoken.order_by("-n").values_list("facts", "turn__resolved_at").first()
    line = find_last_line_of_player(
        battle=battle, writer=mage.user, reader=reader if isinstance(reader, User) else None
    )
    if said is not None and (line is None or said[1] is None or said[1] > line.created_at):
        return str(said[0]["text"])
    return line.words if line is not None else ""


def _list_shown(reader: MaybeUser, now: datetime) -> QuerySet[ObituaryLine]:
    """Return the lines without removed ones, and without those of suspended users and of users whom the reader
    blocks."""
    suspended = Sanction.objects.lasting(now).filter(user=OuterRef("writer"))
    shown = ObituaryLine.objects.filter(~Exists(suspended), removed_at=None, writer__is_active=True)
    if isinstance(reader, User):
        shown = shown.exclude(writer__in=list_blocked_by(reader).values("pk"))
    return shown.select_related("writer").order_by("written_at", "pk")
