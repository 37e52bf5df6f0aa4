"""The next card of the home page: the most urgent battle with its last beads and the one button."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from duels.board.call import TimeLeft, time_left
from duels.board.columns import column_of_seq, list_shown, read_hands
from duels.board.links import battle_url
from duels.board.strings import Bead, make_strings
from duels.names import listed
from duels.selectors.glance import Glance

BEADS = 4
OTHERS = 3


@dataclass(frozen=True)
class CardString:
    """The last beads of one hand."""

    long: str
    beads: tuple[Bead, ...]


@dataclass(frozen=True)
class NextCard:
    """A battle that waits for its viewer; `since` is when its stage began, and `is_stopped` says that their clock is
    stopped."""

    url: str
    title: str
    time: TimeLeft | None
    since: datetime.datetime | None
    turn: str
    pace: str
    points: str
    button: str
    missing: str
    strings: tuple[CardString, ...]
    is_stopped: bool = False


def name_missing(is_asked: bool, *, has_draft: bool) -> str:
    """Say what a battle waits for: the first orders of a turn, orders that were begun, or an answer."""
    if is_asked:
        return _("A question is waiting for your answer.")
    return _("Your draft is saved. Press Ready to send it.") if has_draft else _("Nothing chosen yet.")


def build_next_card(view: Glance, *, zone: ZoneInfo, now: datetime.datetime, has_draft: bool = False) -> NextCard:
    """Return the card for a battle, with times in `zone`."""
    mine, label = view.view.mage(view.me), view.view.label
    hands = replace(read_hands(view, mine.name, column_of_seq(view)), causes={})
    strings = make_strings(mine, view.view.columns, list_shown(view.view), hands, None, {}, yours=True)
    others = [(mage.name, mage.hp) for mage in view.view.mages if mage.name != mine.name]
    return NextCard(
        url=battle_url(view.battle.number),
        title=_("%(battle)s against %(mages)s")
        % {"battle": view.battle, "mages": listed([name for name, _points in others])},
        time=time_left(view.deadline, now, zone),
        since=view.opened_at,
        turn=label,
        pace=view.battle.pace,
        points=", ".join([_("you %(hp)s") % {"hp": mine.hp}, *(_name_points(*each) for each in others[:OTHERS])]),
        missing=name_missing(bool(view.stage_key.stage), has_draft=has_draft),
        button=_("Answer") if view.stage_key.stage else _("Play turn %(turn)s") % {"turn": label},
        strings=tuple(CardString(each.long, each.beads[-BEADS:]) for each in strings),
        is_stopped=view.is_stopped,
    )


def _name_points(mage: str, hp: int | None) -> str:
    return f"{mage} {hp}" if hp is not None else _("%(mage)s not seen") % {"mage": mage}
