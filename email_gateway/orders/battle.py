"""GAME, MOVE and MAGE, and the mage commands that follow: one block, taken whole or not at all.

A mail counts for the turn that was open when it was received, unless TURN or the reply address names one; about a turn
that is over nothing is changed, and the answer tells how the battle stands.
"""

import re

from accounts.errors import NoSuchMage
from accounts.models import Engagement
from accounts.selectors import find_vacation, get_mage_for_user, read_hold
from duels.errors import BattleNotFound, DuelsError, IllegalOrders, InvalidOrders, NotYourCombatant, StaleOrders
from duels.keys import StageKey
from duels.models import Battle, Combatant
from duels.selectors import find_stage_key, find_stage_open_at, get_combatant_for_user, key_of, label_of
from duels.services import Receipt, submit_orders
from email_gateway.conversation import Block, Conversation, Echo
from email_gateway.errors import OrderRefused
from email_gateway.orders.words import split_words
from email_gateway.reading.lines import Line

HAND_LINE = re.compile(r"(?:[LRB]H2?\b|(?:LEFT|RIGHT|BOTH)2?\b)", re.I)


def open_block(talk: Conversation, rest: str) -> list[str]:
    """GAME number mage (or MOVE): what follows is for that mage."""
    begin_block(talk)
    words = split_words(rest)
    number = words[0] if words else ""
    if not number.isdecimal() or len(number) > 12 or len(words) > 2:
        raise OrderRefused("GAME takes a number and a mage.", nearest="GAME <number> <mage>", clause="FM-ORDMOVE-1")
    start_block(talk, int(number), words[1] if len(words) == 2 else None, "GAME")
    return []


def open_block_of_mage(talk: Conversation, rest: str) -> list[str]:
    """MAGE name: as GAME, the battle found through the mage."""
    begin_block(talk)
    words = split_words(rest)
    if len(words) != 1:
        raise OrderRefused("MAGE takes a mage.", nearest="MAGE <mage>", clause="FM-ORDMOVE-2")
    user = talk.user or talk.require_user("MAGE")
    try:
        mage = get_mage_for_user(user=user, name=words[0])
    except NoSuchMage as error:
        nearest = f"MAGE {error.nearest}" if error.nearest else None
        raise OrderRefused(str(error).split(" Do you mean")[0], nearest=nearest) from error
    engagement = Engagement.objects.filter(mage=mage, kind="battle").first()
    if engagement is None:
        raise OrderRefused(f"{mage.name} is in no battle.", clause="FM-ORDMOVE-3")
    start_block(talk, engagement.number, mage.name, "MAGE")
    return []


def begin_block(talk: Conversation) -> None:
    """Begin a block. It begins also when its first line is then refused, so that its commands are refused with it."""
    if talk.block is not None and talk.block.lines:
        raise OrderRefused("One GAME, MOVE or MAGE in a mail. Send another mail for this one.", clause="FM-ORDGEN-15")
    talk.block = Block(combatant=None)


def start_block(talk: Conversation, number: int, mage_name: str | None, order: str) -> None:
    """Find the mage whom the block is for."""
    user = talk.require_user_for(order, "turn", number)
    assert talk.block is not None
    try:
        talk.block.combatant = get_combatant_for_user(number=number, user=user, mage_name=mage_name)
    except NotYourCombatant as error:
        nearest = f"GAME {number} {error.mages[0]}" if error.mages else None
        raise OrderRefused(str(error), nearest=nearest, clause="FM-ORDMOVE-3") from error
    except BattleNotFound as error:
        raise OrderRefused(str(error), nearest="CHALLENGES", clause="FM-ORDMOVE-3") from error
    talk.battle = number


def open_block_of_address(talk: Conversation) -> bool:
    """Begin the block that the reply address stands for; say whether it stands for one."""
    if talk.token is None or talk.token.kind != "turn" or talk.user is None or talk.block is not None:
        return False
    talk.block = Block(combatant=None)
    try:
        talk.block.combatant = get_combatant_for_user(number=talk.token.about, user=talk.user)
    except (BattleNotFound, NotYourCombatant):
        return False
    talk.battle = talk.token.about
    return True


def add_turn(talk: Conversation, line: Line, shown: str, rest: str) -> None:
    """TURN label: what the block is for."""
    words = split_words(rest)
    if len(words) != 1:
        refusal = OrderRefused("TURN takes one turn.", nearest="TURN <turn>", clause="FM-ORDMOVE-6")
        talk.refuse(line, shown, refusal)
        assert talk.block is not None
        talk.block.combatant = None
    elif talk.block is not None:
        talk.block.turn = (line, words[0])
        talk.echoes.append(Echo(line.number, shown, "obeyed"))


def close_block(talk: Conversation) -> None:
    """Give the block to the battle and write down what became of it."""
    block = talk.block
    if block is None or block.ended:
        return
    block.ended = True
    combatant = block.combatant
    if combatant is None:
        refuse_lines(talk, block, {}, "The mage they are for is not known.")
        return
    hold = read_hold(combatant.mage.user, talk.now) if has_orders(block) else None
    if hold is not None:
        refuse_lines(talk, block, {}, "Not counted.")
        talk.results.append(hold.say())
        return
    away = find_vacation(combatant.mage.user, now=talk.now)
    try:
        receipt = submit_orders(
            combatant=combatant, text=write_block(block), via="mail", now=talk.now, stage=find_stage(talk, combatant)
        )
    except (InvalidOrders, IllegalOrders) as error:
        refuse_lines(talk, block, read_problems(error), "Not counted, because other lines of these orders are refused.")
        talk.results.append(
            f"The orders of {combatant.mage.name} are not changed. Correct the lines and send them again."
        )
        return
    except StaleOrders as error:
        refuse_lines(talk, block, {}, "It comes too late.")
        talk.results.append(f"{error} Nothing is changed; this is how it stands.")
        return
    except (DuelsError, OrderRefused) as error:
        refuse_lines(talk, block, {}, "Not counted.")
        talk.results.append(str(error))
        return
    for line, shown in block.lines:
        talk.echoes.append(Echo(line.number, shown, "obeyed"))
    talk.results += write_receipt(receipt)
    if away is not None and find_vacation(combatant.mage.user, now=talk.now) is None:
        talk.results.append("Welcome back: your orders end your vacation.")


def has_orders(block: Block) -> bool:
    """Say whether the block asks for more than how the battle stands."""
    return any(not shown.upper().startswith("END") for _, shown in block.lines)


def write_block(block: Block) -> str:
    """Return the lines as one text. Orders that end with the mail have END supplied (server rules 1.5)."""
    rows = [shown for _, shown in block.lines]
    if has_orders(block) and rows[-1].upper() != "END":
        rows.append("END")
    return "\n".join(rows)


def find_stage(talk: Conversation, combatant: Combatant) -> StageKey | None:
    """Return the stage that the orders are for. Raises UnknownTurn, and OrderRefused for a turn that is not theirs."""
    battle: Battle = combatant.battle
    received = find_stage_open_at(battle=battle, mark=talk.stage_mark)
    addressed = find_addressed_stage(talk, battle)
    if talk.block is not None and talk.block.turn is not None:
        named = find_stage_key(battle=battle, turn=talk.block.turn[1])
        if addressed is not None and not talk.is_trusted and addressed[:2] != named[:2]:
            raise OrderRefused(f"This reply address is for turn {label_of(battle, addressed)} alone.")
    elif addressed is not None:
        named = addressed
    else:
        return received
    # Within the turn that was meant, the mail counts for the questions that were open when it came.
    return received if received is not None and received[:2] == named[:2] else named


def find_addressed_stage(talk: Conversation, battle: Battle) -> StageKey | None:
    """Return the stage that the reply address is for, if it is for one of this battle's."""
    if talk.token is None or talk.token.kind != "turn" or talk.token.about != battle.number:
        return None
    _, _, seq, attempt = talk.token.numbers
    present = key_of(battle)
    return present if present[:2] == (seq, attempt) else StageKey(seq, attempt, 0)


def read_problems(error: InvalidOrders | IllegalOrders) -> dict[int, list[str]]:
    """Return the remarks of a refusal by line of the block; those about no line stand under 0."""
    remarks: dict[int, list[str]] = {}
    for problem in error.problems:
        told = remarks.setdefault(getattr(problem, "line", 0) or 0, [])
        told.append(problem.message)
        if getattr(problem, "nearest", None):
            told.append(f"Nearest: {problem.nearest}")
    return remarks


def refuse_lines(talk: Conversation, block: Block, remarks: dict[int, list[str]], otherwise: str) -> None:
    for place, (line, shown) in enumerate(block.lines, start=1):
        talk.echoes.append(Echo(line.number, shown, "refused", remarks.get(place, [otherwise])))
    count = len(block.lines)
    talk.results += [told for place, texts in remarks.items() if not 0 < place <= count for told in texts]


def write_receipt(receipt: Receipt) -> list[str]:
    """Say what became of orders that were taken, with the whole sheet as it stands now."""
    told = [say_outcome(receipt)]
    if receipt.lines:
        told.append("The sheet:\n" + "\n".join(f"  {line}" for line in receipt.lines))
    told += [f"Note: {warning.message}" for warning in receipt.warnings]
    told += [f"Still to say: {question.about}" for question in receipt.missing if receipt.outcome != "status"]
    return told


def say_outcome(receipt: Receipt) -> str:
    mage, turn = receipt.mage, receipt.label
    again = " They were in already." if receipt.repeated else ""
    return {
        "status": f"No orders for {mage}; this is how the battle stands.",
        "kept": f"The orders of {mage} for turn {turn} are kept, but not ready.",
        "ready": f"The orders of {mage} for turn {turn} are in.{again} You can replace them until the turn resolves.",
        "resolved": f"The orders of {mage} for turn {turn} are in. They were the last, and the turn is played: its "
        "report follows.",
        "stuck": f"The orders of {mage} for turn {turn} are in and kept, but the turn cannot be played because of a "
        f"fault of ours (reference {receipt.reference}). Nothing is lost; the janitors know.",
    }[receipt.outcome]
