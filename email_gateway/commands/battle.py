"""GAME, MOVE and MAGE, and the mage commands that follow: one block, accepted completely or not at all.

An email counts for the turn that was open on receipt, unless TURN or the reply address names one. If that turn is over,
nothing changes, and the answer contains the state of the battle.
"""

import re
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.errors import NoSuchMage
from accounts.models import Mage, User
from accounts.selectors.engagements import find_battles_of_mages
from accounts.selectors.hold import read_hold
from accounts.selectors.names import get_mage_for_user
from duels.errors import (
    BattleNotFound,
    DuelsError,
    IllegalOrders,
    InvalidOrders,
    NotYourCombatant,
    StaleOrders,
    TooLate,
    UnknownTurn,
)
from duels.keys import CurrentStage, StageKey
from duels.models import Battle, Combatant
from duels.names import listed
from duels.selectors.battle_lists import find_battles_waiting_for, list_owed_mages
from duels.selectors.stage_keys import describe_current_stage, find_stage_key, find_stage_open_at, key_of, label_of
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from duels.services.receipts import Receipt
from email_gateway.commands.account_changes import request_surrender
from email_gateway.commands.users import ask_to_confirm, has_address, reject_second_change
from email_gateway.commands.words import read_number, split_words
from email_gateway.conversation import (
    HOW_TO_PLAY,
    NO_ORDERS,
    Conversation,
    Echo,
    OrderBlock,
    TurnLine,
    write_nearest,
)
from email_gateway.errors import OrderRejected
from email_gateway.text.lines import Line

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class NeedsConfirmation(Exception):
    """Orders that count only once the user's own address has confirmed them."""


HIDDEN_ORDER = re.compile(r"\s*(?:[LR]H2?|left|right)[\s:=]*[FPSWDC>\-](?:[\s;]|$)", re.I)
UNKNOWN_TURN = gettext_lazy("We don't know which turn they are for.")
COMMENTED = gettext_lazy("Text after a ; is a comment. Put each order on a line of its own.")
NOT_PROCESSED = gettext_lazy("Not processed.")


def open_block(talk: Conversation, rest: str) -> list[str]:
    """GAME number mage (or MOVE): the following lines are for that mage."""
    block = begin_block(talk)
    words = split_words(rest)
    number = read_number(words[0]) if words else None
    if number is None or len(words) > 2:
        nearest = f"GAME {number} {words[1]}" if number is not None else "GAME <number> <mage>"
        raise OrderRejected(
            _("GAME needs a battle's number and a mage's name."), nearest=nearest, clause="FM-ORDMOVE-1"
        )
    choose_mage(talk, block, number, words[1] if len(words) == 2 else None, "GAME")
    return []


def open_block_of_mage(talk: Conversation, rest: str) -> list[str]:
    """MAGE name: like GAME, but finds the battle by the mage: the only one the mage is in, or the only one of several
    that waits for the mage."""
    block = begin_block(talk)
    words = split_words(rest)
    if len(words) != 1:
        raise OrderRejected(_("MAGE needs a mage's name."), nearest="MAGE <mage>", clause="FM-ORDMOVE-2")
    user = talk.state.user or talk.require_user("MAGE")
    try:
        mage = get_mage_for_user(user=user, name=words[0])
    except NoSuchMage as error:
        near = error.nearest or _find_fighting_mage(user)
        raise OrderRejected(error.message, nearest=f"MAGE {near}" if near else None) from error
    choose_mage(talk, block, _find_battle_of_mage(talk, mage), mage.name, "MAGE")
    return []


def _find_fighting_mage(user: User) -> str | None:
    """Return the name of the user's mage that is in the running battle with the lowest number."""
    mages = {mage.pk: mage.name for mage in Mage.objects.filter(user=user)}
    battles = find_battles_of_mages(Mage.objects.filter(user=user))
    return min(((numbers[0], mages[pk]) for pk, numbers in battles.items()), default=(0, None))[1]


def _find_battle_of_mage(talk: Conversation, mage: Mage) -> int:
    """Return the number of the battle that MAGE means: the one of the reply address, the mage's only battle, or the
    only one that waits for it. Raises OrderRejected, which names the battles to choose from."""
    numbers = find_battles_of_mages([mage]).get(mage.pk, [])
    if not numbers:
        raise OrderRejected(
            _("%(mage)s is not in a battle.") % {"mage": mage.name},
            nearest=f"INFO {mage.name}",
            clause="FM-ORDMOVE-3",
        )
    token = talk.get_token("turn")
    if token is not None and token.about in numbers:
        return token.about
    waiting = find_battles_waiting_for(mage)
    if len(numbers) == 1 or len(waiting) == 1:
        return waiting[0] if waiting else numbers[0]
    message = (
        _("Several battles wait for %(mage)s: %(numbers)s. Name one of them.")
        if waiting
        else _("%(mage)s is in several battles, and none waits for orders: %(numbers)s. Name one of them.")
    )
    chosen = waiting or numbers
    slots = {"mage": mage.name, "numbers": listed([str(number) for number in chosen])}
    raise OrderRejected(message % slots, nearest=f"GAME {chosen[0]} {mage.name}", clause="FM-ORDMOVE-3")


def explain_missing_block(talk: Conversation, order: str) -> OrderRejected:
    """Return why a mage command that names no mage is rejected. To a known user whom battles wait for, it names these
    and the nearest valid form, once in an email."""
    message = _("%(order)s needs a GAME line before it.") % {"order": order}
    is_first = not any(echo.verdict == "rejected" for echo in talk.state.echoes)
    owed = list_owed_mages(talk.state.user) if talk.state.user is not None and is_first else []
    nearest = f"GAME {owed[0][0]} {owed[0][1]}" if owed else "GAME <number> <mage>"
    if owed:
        waiting = listed([_("%(number)s (%(mage)s)") % {"number": number, "mage": mage} for number, mage in owed])
        named = _("These battles wait for you: %(battles)s.") % {"battles": waiting}
        message = f"{message} {named}"
    return OrderRejected(message, nearest=nearest, clause="FM-ORDGEN-14")


def begin_block(talk: Conversation) -> OrderBlock:
    """Return the block for the commands below a line that names a mage: a new one, or the current one if it has a mage.

    The current one stops first, so that commands below a rejected line never count for the previous mage.
    """
    block = talk.state.block
    if block is not None and block.combatant is not None:
        block.is_stopped = True
        return block
    close_block(talk)
    talk.state.block = OrderBlock(combatant=None)
    return talk.state.block


def choose_mage(talk: Conversation, block: OrderBlock, number: int, mage_name: str | None, order: str) -> None:
    """Find the mage that the block is for. An email has orders for one mage; naming it again changes nothing."""
    user = talk.require_user_for(order, "turn", number)
    combatant = find_combatant(user, number, mage_name)
    if block.combatant not in (None, combatant):
        raise OrderRejected(
            _("An email can have one GAME, MOVE or MAGE. Send another email for this one."), clause="FM-ORDGEN-15"
        )
    block.combatant, block.is_stopped = combatant, False
    talk.state.battle = number


def find_combatant(user: User, number: int, mage_name: str | None) -> Combatant:
    try:
        return get_combatant_for_user(number=number, user=user, mage_name=mage_name)
    except NotYourCombatant as error:
        nearest = f"GAME {number} {error.mages[0]}" if error.mages else None
        raise OrderRejected(str(error), nearest=nearest, clause="FM-ORDMOVE-3") from error
    except BattleNotFound as error:
        raise OrderRejected(str(error), nearest="GAMES", clause="FM-ORDMOVE-3") from error


def open_block_of_address(talk: Conversation) -> OrderBlock | None:
    """Begin and return the block of the reply address; None if the address is not for a turn of one of the user's
    mages, or if the email has a block."""
    token = talk.get_token("turn")
    if token is None or talk.state.user is None or talk.state.block is not None:
        return None
    block = talk.state.block = OrderBlock(combatant=None)
    try:
        block.combatant = get_combatant_for_user(number=token.about, user=talk.state.user)
    except (BattleNotFound, NotYourCombatant):
        return None
    talk.state.battle = token.about
    return block


def answer_without_orders(talk: Conversation) -> None:
    """Answer an email that has text but no order: to the address of a turn with the state of the battle, and to one
    that asks for CONFIRM with how to confirm."""
    echoes = talk.state.echoes
    if not echoes or any(echo.verdict != "ignored" for echo in echoes):
        return
    token = talk.request.token
    if token is not None and token.kind in ("newuser", "change", "held"):
        talk.answer.results.append(
            _(
                "Nothing has changed. To confirm, reply once more to the email that asked you, with the one line "
                "CONFIRM."
            )
        )
    elif open_block_of_address(talk):
        talk.answer.results.append(f"{NO_ORDERS} {HOW_TO_PLAY}")


def add_turn(talk: Conversation, block: OrderBlock, line: Line, shown: str, rest: str) -> None:
    """TURN label: the turn that the block is for. The line is accepted or rejected together with the block."""
    words, before = split_words(rest), block.turn
    if len(words) != 1 or before is not None:
        reason = _("TURN is given twice.") if before else _("TURN needs one turn.")
        nearest = f"TURN {before.label}" if before else "TURN <turn>"
        talk.reject(line, shown, OrderRejected(reason, nearest=nearest, clause="FM-ORDMOVE-6"))
        block.combatant, block.why_not = None, UNKNOWN_TURN
    else:
        block.turn = TurnLine(line, shown, words[0])


def close_block(talk: Conversation) -> None:
    """Submit the block to the battle and note the result."""
    block = talk.state.block
    if block is None or block.ended:
        return
    block.ended = True
    if block.combatant is None:
        reject_block(talk, block, block.why_not)
        return
    hold = read_hold(block.combatant.mage.user, talk.request.now) if gives_orders(block) else None
    if hold is not None:
        reject_block(talk, block, NOT_PROCESSED, hold.say())
    else:
        submit_block(talk, block, block.combatant)


def submit_block(talk: Conversation, block: OrderBlock, combatant: Combatant) -> None:
    mage = combatant.mage
    try:
        stage = find_stage(talk, block, combatant)
        with transaction.atomic():
            receipt = submit_orders(
                combatant=combatant,
                text=write_block(block),
                via="mail",
                now=talk.request.now,
                stage=stage,
                arrived_at=talk.request.received_at,
            )
            end = find_own_end(receipt, mage)
            if end and not has_address(mage.user, talk.request.sender):
                raise NeedsConfirmation
    except NeedsConfirmation:
        ask_about_end(talk, block, combatant, stage, end)
    except OrderRejected as error:
        reject_block(talk, block, UNKNOWN_TURN, rejection=error)
    except (InvalidOrders, IllegalOrders) as error:
        mark_turn_line(talk, block)
        remarks = read_problems(error)
        elsewhere = _("Not processed, because other lines of these orders are rejected.")
        below = _("Not processed, for the reason given below.")
        reject_lines(talk, block, remarks, elsewhere if any(remarks) else below)
        talk.answer.results.append(
            _("%(mage)s's orders are unchanged. Correct the lines and send them again.") % {"mage": mage.name}
        )
    except StaleOrders as error:
        rejection = OrderRejected(str(error), nearest=name_turn(error.now), clause="FM-ORDMOVE-6")
        reject_block(
            talk,
            block,
            _("Too late: that turn is over."),
            _("Nothing has changed. This is the state of the battle."),
            rejection=rejection,
        )
    except TooLate as error:
        reject_block(talk, block, _("Too late: the time for these orders was over."), str(error))
    except DuelsError as error:
        reject_block(talk, block, NOT_PROCESSED, str(error))
    else:
        mark_turn_line(talk, block)
        talk.state.echoes += [Echo(line.number, shown, "accepted") for line, shown in block.lines]
        talk.answer.results += write_receipt(receipt)
        if receipt.ends_vacation:
            talk.answer.results.append(_("Welcome back: your orders end your vacation."))


def find_own_end(receipt: Receipt, mage: Mage) -> str:
    """Return the irreversible act of these orders, if any: surrender or SUICIDE, and that the death is not real."""
    ends = {
        "surrender": _("%(mage)s surrenders once you confirm it."),
        "suicide": _("%(mage)s dies by their own hand once you confirm it."),
    }
    found = next((warning for warning in receipt.warnings if warning.code in ends), None)
    if found is None:
        return ""
    end = ends[found.code] % {"mage": mage.name}
    return f"{end} {found.follows}".rstrip() if found.code == "suicide" else end


def ask_about_end(
    talk: Conversation, block: OrderBlock, combatant: Combatant, stage: StageKey | None, end: str
) -> None:
    """Ask the user's address to confirm a surrender or SUICIDE that came from another address: neither can be undone
    once the turn is played."""
    try:
        reject_second_change(talk)
        request = request_surrender(combatant=combatant, text=write_block(block), stage=stage, now=talk.request.now)
    except OrderRejected as rejection:
        reject_block(talk, block, NOT_PROCESSED, rejection=rejection)
        return
    talk.answer.confirm_change = request.pk
    mark_turn_line(talk, block)
    talk.state.echoes += [Echo(line.number, shown, "accepted") for line, shown in block.lines]
    talk.answer.results.append(ask_to_confirm(end, is_by_password=talk.is_trusted))


def reject_block(
    talk: Conversation, block: OrderBlock, why: "StrOrPromise", *remarks: str, rejection: OrderRejected | None = None
) -> None:
    """Reject all lines of the block for one reason; a reason about the turn is shown at the TURN line."""
    mark_turn_line(talk, block, rejection)
    reject_lines(talk, block, {}, str(why))
    talk.answer.results += remarks


def mark_turn_line(talk: Conversation, block: OrderBlock, rejection: OrderRejected | None = None) -> None:
    """Accept or reject the TURN line. Without one, the reason for a rejection goes below all lines."""
    if block.turn is None:
        talk.answer.results += [rejection.reason] if rejection else []
    elif rejection is None:
        talk.accept(block.turn.line, block.turn.shown)
    else:
        talk.reject(block.turn.line, block.turn.shown, rejection)


def name_turn(now: CurrentStage) -> str | None:
    """Return the TURN line for the present turn, if the battle is running."""
    return None if now.is_over else f"TURN {now.label}"


def gives_orders(block: OrderBlock) -> bool:
    """Return whether the block asks for more than the state of the battle."""
    return any(not shown.upper().startswith("END") for _, shown in block.lines)


def write_block(block: OrderBlock) -> str:
    """Return the lines as one text. Orders that end with the email have END supplied (server rules 1.5); CLEAR alone
    deletes orders, and leaves none to be ready."""
    rows = [shown for _, shown in block.lines]
    if rows and {row.upper() for row in rows} <= {"CLEAR", "END"} and rows[0].upper() == "CLEAR":
        return "CLEAR"
    if gives_orders(block) and rows[-1].upper() != "END":
        rows.append("END")
    return "\n".join(rows)


def find_stage(talk: Conversation, block: OrderBlock, combatant: Combatant) -> StageKey | None:
    """Return the stage that the orders are for. Raises OrderRejected for an unknown turn or another mage's."""
    battle: Battle = combatant.battle
    received = find_stage_open_at(battle=battle, mark=talk.request.stage_mark)
    addressed = find_addressed_stage(talk, battle)
    if block.turn is not None:
        named = find_named_stage(battle, block.turn.label)
        if addressed is not None and not talk.is_trusted and addressed[:2] != named[:2]:
            raise reject_other_turn(battle, addressed)
    elif addressed is not None:
        named = addressed
    else:
        return received
    # Within its turn, the email counts for the questions that were open when it arrived.
    return received if received is not None and received[:2] == named[:2] else named


def reject_other_turn(battle: Battle, addressed: StageKey, clause: str = "") -> OrderRejected:
    """Return the rejection of an order for another turn than that of the reply address."""
    now, label = describe_current_stage(battle), label_of(battle, addressed)
    message = _("This reply address is only for turn %(label)s.") % {"label": label}
    if addressed[:2] == now.key[:2] and not now.is_over:
        return OrderRejected(message, nearest=f"TURN {label}", clause=clause)
    if now.is_over:
        return OrderRejected(f"{message} {now.sentence()}", clause=clause)
    how = _(
        "That turn is over. For turn %(turn)s, reply to the newest email about the battle or begin with a USER line."
    )
    return OrderRejected(f"{message} {how % {'turn': now.label}}", nearest="USER <name> <mail password>", clause=clause)


def find_named_stage(battle: Battle, label: str) -> StageKey:
    """Return the turn that TURN names. Raises OrderRejected, with the choices if there are several."""
    try:
        return find_stage_key(battle=battle, turn=label)
    except UnknownTurn as error:
        nearest = f"TURN {error.choices[-1]}" if error.choices else name_turn(error.now)
        raise OrderRejected(str(error), nearest=nearest, clause="FM-ORDMOVE-6") from error


def find_addressed_stage(talk: Conversation, battle: Battle) -> StageKey | None:
    """Return the stage that the reply address is for, if it belongs to this battle."""
    token = talk.get_token("turn")
    if token is None or token.about != battle.number:
        return None
    __, __, seq, attempt = token.numbers
    present = key_of(battle)
    return present if present[:2] == (seq, attempt) else StageKey(seq, attempt, 0)


def read_problems(error: InvalidOrders | IllegalOrders) -> dict[int, list[str]]:
    """Return the remarks of a rejection by line of the block; those about no particular line are under 0."""
    remarks: dict[int, list[str]] = {}
    for problem in error.problems:
        own = remarks.setdefault(getattr(problem, "line", 0) or 0, [])
        own.append(problem.message)
        if problem.nearest:
            own.append(write_nearest(problem.nearest))
    return remarks


def reject_lines(talk: Conversation, block: OrderBlock, remarks: dict[int, list[str]], otherwise: str) -> None:
    """Reject every line of the block with its remarks, or with `otherwise`; remarks on no line go below all of them."""
    for place, (line, shown) in enumerate(block.lines, start=1):
        reasons = remarks.get(place) or judge_comment(shown) or [otherwise]
        reasons = [talk.cover_words_of(line.number, reason) for reason in reasons]
        talk.state.echoes.append(Echo(line.number, shown, "rejected", reasons))
    count = len(block.lines)
    talk.answer.results += [text for place, texts in remarks.items() if not 0 < place <= count for text in texts]


def judge_comment(shown: str) -> list[str]:
    """Return remarks on a rejected line with an order in its comment, as in "LH D; RH P"."""
    order, _mark, comment = shown.partition(";")
    if not order.strip() or not HIDDEN_ORDER.match(comment) or order.upper().startswith("SAY"):
        return []
    return [str(COMMENTED), write_nearest(comment.strip())]


def write_receipt(receipt: Receipt) -> list[str]:
    """Describe the result of accepted orders, with the whole sheet as it is now."""
    lines = [describe_orders_outcome(receipt)]
    if receipt.lines:
        lines.append("\n".join([_("Your orders:"), *(f"  {line}" for line in receipt.lines)]))
    lines += [_("Note: %(note)s") % {"note": warning.message} for warning in receipt.warnings]
    missing = receipt.missing if receipt.outcome != "status" else ()
    lines += [_("Still missing: %(order)s") % {"order": question.id} for question in missing]
    return lines


def describe_orders_outcome(receipt: Receipt) -> str:
    ready = _("%(mage)s's orders for turn %(turn)s are in. You can replace them until the turn resolves.")
    resolved = _(
        "%(mage)s's orders for turn %(turn)s are in. They were the last, and the turn has resolved. Its report follows."
    )
    if receipt.asks:
        resolved = _(
            "%(mage)s's orders for turn %(turn)s are in. They were the last, and the turn has stopped for a question."
        )
    if receipt.repeated:
        resolved = _("We already had %(mage)s's orders for turn %(turn)s, and that turn is over.")
        if receipt.asks:
            resolved = _("We already had these orders of %(mage)s, and turn %(turn)s has stopped for a question.")
        ready = _("We already had %(mage)s's orders for turn %(turn)s. You can replace them until the turn resolves.")
    sentences = {
        "status": _("No orders for %(mage)s. This is the state of the battle."),
        "kept": _("%(mage)s's orders for turn %(turn)s are saved, but not ready.")
        if receipt.lines
        else _("%(mage)s has no orders for turn %(turn)s now."),
        "ready": ready,
        "resolved": resolved,
        "stuck": _(
            "%(mage)s's orders for turn %(turn)s are in, but the turn cannot resolve because of an error on our side "
            "(reference %(reference)s). Nothing is lost. The janitors have been notified. They repair it and replay "
            "the turn, or void the battle."
        ),
    }[receipt.outcome]
    return sentences % {"mage": receipt.mage, "turn": receipt.label, "reference": receipt.reference}
