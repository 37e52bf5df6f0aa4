"""DRAW: offering a draw, and answering an offer."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.selectors.stage_keys import find_stage_open_at
from duels.services.draws import accept_draw, offer_draw, refuse_draw
from email_gateway.commands.battle import find_addressed_stage
from email_gateway.commands.clocks import Written, find_combatant, reject, run, split_battle
from email_gateway.commands.order_entry import Order
from email_gateway.conversation import Conversation

DRAW = Written("DRAW <battle> {YES | NO}", "FM-SURR-7")


def handle_draw(talk: Conversation, rest: str) -> list[str]:
    """DRAW battle {YES | NO}: offer a draw; YES accepts the other's offer, NO declines it or takes one's own back."""
    words = split_battle(talk, rest)
    answer = words[1].upper() if len(words) > 1 else ""
    if answer not in ("", "YES", "NO"):
        raise reject(talk, DRAW, words)
    combatant = find_combatant(talk, DRAW, words, most=2)
    now, number = talk.request.now, {"number": combatant.battle.number}
    # Like orders, it counts for the turn that was open when the email arrived, or for that of the reply address.
    stage = find_addressed_stage(talk, combatant.battle)
    stage = stage or find_stage_open_at(battle=combatant.battle, mark=talk.request.stage_mark)
    if answer == "NO":
        done = run(DRAW, partial(refuse_draw, combatant=combatant, now=now, stage=stage))
        message = _("You decline the draw in battle %(number)s.")
        if done == "withdrawn":
            message = _("You take your offer of a draw in battle %(number)s back.")
        return [message % number]
    if answer == "YES":
        run(DRAW, partial(accept_draw, combatant=combatant, now=now, stage=stage))
    elif run(DRAW, partial(offer_draw, combatant=combatant, now=now, stage=stage)) == "offered":
        return [_("You offer a draw in battle %(number)s. The offer stands until the turn resolves.") % number]
    return [_("Battle %(number)s is over: a draw. No score changes and nobody dies.") % number]


ORDERS: tuple[Order, ...] = (
    Order(
        "DRAW",
        DRAW.grammar,
        "player",
        "duels.services.draws.offer_draw",
        gettext_lazy(
            "Offers a draw in a duel between two people, from turn 5 on and once in five turns. Only the other player "
            "learns of it. YES accepts their offer, and so does an offer of your own; NO declines it, or takes yours "
            "back. An offer ends with its turn."
        ),
        DRAW.clause,
        handle_draw,
        example="DRAW 12",
    ),
)
