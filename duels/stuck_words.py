"""A turn that the rules could not resolve, in words: what happened and when, and what happens next."""

from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_view import BattleView
from operations.text.dates import write_moment


def describe_stuck_turn(view: BattleView) -> tuple[str, ...]:
    """Return the sentences for this viewer, in their time zone; none if the battle is not stuck."""
    if not view.stuck:
        return ()
    sentences = [_describe_error(view.battle, view.zone), _describe_janitors(view.battle, view.zone)]
    sentences.append(
        _(
            "They repair it and replay the turn with the same orders and dice. If they can't, they void the battle: "
            "nobody wins, nobody dies, no score or rating changes, and its mages are free."
        )
    )
    if may_change_orders(view):
        sentences.append(
            _("You can also change your orders. If the turn can be resolved with them, the battle continues at once.")
        )
    return tuple(sentences)


def may_change_orders(view: BattleView) -> bool:
    """Return whether the viewer's mage may still have other orders in a turn that is stuck."""
    return bool(view.own and view.own.asked and not view.terms.orders_final)


def _describe_error(battle: BattleFacts, zone: ZoneInfo) -> str:
    words = {"turn": battle.label, "reference": battle.stuck_reference}
    if battle.stuck_at is None:
        message = _(
            "We could not resolve turn %(turn)s because of an error on our side (reference %(reference)s). All orders "
            "are saved, and the clocks have stopped."
        )
        return message % words
    message = _(
        "On %(moment)s we could not resolve turn %(turn)s because of an error on our side (reference %(reference)s). "
        "All orders are saved, and the clocks have stopped."
    )
    return message % (words | {"moment": write_moment(battle.stuck_at, zone)})


def _describe_janitors(battle: BattleFacts, zone: ZoneInfo) -> str:
    if battle.stuck_remind_at is None:
        return _("The janitors have been notified.")
    message = _("The janitors were notified at once, and are reminded on %(moment)s.")
    return message % {"moment": write_moment(battle.stuck_remind_at, zone)}
