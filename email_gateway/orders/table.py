"""Every order a mail may hold, one entry each. HELP, docs/mail.md and the reading of mails come from this table."""

from email_gateway.conversation import Conversation
from email_gateway.orders import answers, battle, challenge, information, listing, records, users
from email_gateway.orders.entry import Order
from email_gateway.orders.game_options import write_options

SUBMIT = "duels.services.submit_orders"


def obey_help(talk: Conversation, rest: str) -> list[str]:
    """HELP {order}."""
    talk.reports.append(information.write_help(TABLE, rest))
    return []


TABLE: tuple[Order, ...] = (
    Order(
        "NEWUSER",
        "NEWUSER <name> <mail password>",
        "anyone",
        "email_gateway.services.newusers.request_newuser",
        "Asks for a user. We answer the address the mail came from; the user is made when that answer is answered.",
        "FM-ORDUSR-1",
        users.obey_newuser,
        example="NEWUSER Wil three-black-moths",
    ),
    Order(
        "USER",
        "USER <name> <mail password>",
        "anyone",
        "accounts.services.check_mail_password",
        "Says who gives the orders that follow. The mail password is switched off until you set it on the site. "
        "Answers go to the address of the user, wherever the mail came from.",
        "FM-ORDUSR-2",
        users.obey_user,
        example="USER Wil three-black-moths",
    ),
    Order(
        "PASSWORD",
        "PASSWORD <new mail password>",
        "player",
        "email_gateway.services.changes.request_password_change",
        "Changes the mail password. We write to your address, and it changes when that mail is answered with CONFIRM.",
        "FM-ORDUSR-5",
        users.obey_password,
        example="PASSWORD four-grey-herons",
    ),
    Order(
        "ADDRESS",
        "ADDRESS <new address>",
        "player",
        "email_gateway.services.changes.request_address_change",
        "Changes where your mails go. We write to your address first and then to the new one; it changes when both "
        "mails are answered with CONFIRM.",
        "FM-ORDUSR-4",
        users.obey_address,
        example="ADDRESS wil@example.org",
    ),
    Order(
        "CONFIRM",
        "CONFIRM",
        "anyone",
        "email_gateway.services.changes.confirm_change",
        "Agrees to a change of your account, in answer to the mail that asks about it.",
        "FM-ORDUSR-4",
        users.obey_confirm,
    ),
    Order(
        "REGISTER",
        "REGISTER <mage>",
        "player",
        "accounts.services.register_mage",
        "Registers a mage of yours. Names have 2 to 20 letters, digits or underscores and begin with no digit.",
        "FM-ORDUSR-16",
        users.obey_register,
        example="REGISTER Merlyn",
    ),
    Order(
        "NEWGAME",
        "NEWGAME <mage> <options>",
        "player",
        "challenges.services.create_challenge",
        "Makes a challenge. HELP NEWGAME lists the options; commas may stand between them, and of opposite ones the "
        "last counts.",
        "FM-ORDNEW-1",
        challenge.obey_newgame,
        example="NEWGAME Merlyn OPEN, LIMIT 4, RULESET warlocks FDF maladroitness, COMMENT a quick one",
        more=write_options("NEWGAME"),
    ),
    Order(
        "CHANGEGAME",
        "CHANGEGAME <number> <mage> <options>",
        "player",
        "challenges.services.propose_change",
        "Changes a challenge, or proposes to where others have a say in it. HELP CHANGEGAME lists the options; START "
        "begins the battle.",
        "FM-ORDCHG-1",
        challenge.obey_changegame,
        example="CHANGEGAME 12 Merlyn START",
        more=write_options("CHANGEGAME"),
    ),
    Order(
        "ACCEPT",
        "ACCEPT <number> <mage> {CHANGE <number>}",
        "player",
        "challenges.services.accept_challenge",
        "Takes a seat in a challenge. With CHANGE and a number it votes for a proposed change, with EVERYTHING for "
        "every change, now and later. In answer to the mail about it, number and mage may be left out.",
        "FM-ORDACC-1",
        answers.obey_accept,
        example="ACCEPT 12 Merlyn CHANGE 2",
    ),
    Order(
        "DECLINE",
        "DECLINE <number> <mage>",
        "player",
        "challenges.services.decline_challenge",
        "Turns a challenge down, or gives a seat back before the battle begins.",
        "FM-ORDACC-4",
        answers.obey_decline,
        example="DECLINE 12 Merlyn",
    ),
    Order(
        "OPPOSE",
        "OPPOSE <number> <mage> CHANGE <number>",
        "player",
        "challenges.services.oppose_change",
        "Votes against a proposed change. A mage that was for every change is so no longer.",
        "FM-ORDACC-6",
        answers.obey_oppose,
        example="OPPOSE 12 Merlyn CHANGE 2",
    ),
    Order(
        "WITHDRAW",
        "WITHDRAW <number> <mage> {CHANGE <number>}",
        "player",
        "challenges.services.withdraw_challenge",
        "Calls off a challenge that your mage made. With CHANGE and a number it takes back a change that your mage "
        "proposed.",
        "FM-ORDACC-7",
        answers.obey_withdraw,
        example="WITHDRAW 12 Merlyn",
    ),
    Order(
        "INVITE",
        "INVITE <number> <mage>",
        "player",
        "challenges.services.make_invite_link",
        "Makes a link that lets a friend join the challenge, with a user here or without one yet. It works for seven "
        "days, unless you revoke it on the page of the challenge.",
        "FM-ORDNEW-3",
        challenge.obey_invite,
        example="INVITE 12 Merlyn",
    ),
    Order(
        "CHALLENGES",
        "CHALLENGES",
        "anyone",
        "challenges.selectors.list_open_challenges",
        "Lists the challenges that still look for mages.",
        "FM-ORDINF-9",
        listing.obey_challenges,
    ),
    Order(
        "SCORES",
        "SCORES {duel, melee or all}",
        "anyone",
        "ladder.selectors.standings",
        "Lists the mages with their scores.",
        "FM-ORDINF-1",
        information.obey_scores,
        synonyms=("STANDINGS",),
        example="SCORES duel",
    ),
    Order(
        "SHOW",
        "SHOW <numbers>",
        "anyone",
        "duels.selectors.get_table_for_anybody",
        "Shows battles as tables, a line for each turn; of a challenge, how it stands. While a battle goes on, what "
        "somebody could not see is hidden from everybody.",
        "FM-ORDINF-16",
        records.obey_show,
        example="SHOW 12",
    ),
    Order(
        "DESCRIBE",
        "DESCRIBE <numbers>",
        "anyone",
        "duels.selectors.get_story_for_anybody",
        "Tells battles as stories, turn by turn. While a battle goes on, it tells what all mages of it have learnt.",
        "FM-ORDINF-18",
        records.obey_describe,
        example="DESCRIBE 12",
    ),
    Order(
        "HELP",
        "HELP {order}",
        "anyone",
        "email_gateway.orders.information.write_help",
        "Lists the orders, or says more about one of them.",
        "FM-ORDINF-11",
        obey_help,
        example="HELP NEWGAME",
    ),
    Order(
        "GAME",
        "GAME <number> <mage>",
        "player",
        "duels.selectors.get_combatant_for_user",
        "Begins the orders of one mage in one battle. With nothing but END it asks how the battle stands. In answer to "
        "the report of a turn it may be left out.",
        "FM-ORDMOVE-1",
        battle.open_block,
        synonyms=("MOVE",),
        example="GAME 12 Merlyn",
    ),
    Order(
        "MAGE",
        "MAGE <mage>",
        "player",
        "duels.selectors.get_combatant_for_user",
        "As GAME, without the number of the battle.",
        "FM-ORDMOVE-2",
        battle.open_block_of_mage,
        example="MAGE Merlyn",
    ),
    Order(
        "TURN",
        "TURN <turn>",
        "mage",
        "duels.selectors.find_stage_key",
        "Says which turn the orders are for; for any other turn they do not count. Without it they count for the turn "
        "that is open when the mail reaches us.",
        "FM-ORDMOVE-6",
        example="TURN 9H",
    ),
    Order(
        "WHY",
        "WHY {turn} {spell or name}",
        "mage",
        "duels.selectors.explain_turn_to_owner",
        "Tells which rules and which events were behind a turn, the last one if none is named: what became of your "
        "spells, or of the one spell, mage or creature you ask about. Changes nothing.",
        "FM-ORDMOVE-5",
        example="WHY 8 Fireball",
    ),
    Order("LH", "LH <gesture>", "mage", SUBMIT, "The left hand's gesture: F P S W D C > (stab) or - (nothing).",
          "FM-ORDMOVE-7", example="LH W"),
    Order("RH", "RH <gesture>", "mage", SUBMIT, "The right hand's gesture. Both at once: LH W RH P, or W/P.",
          "FM-ORDMOVE-7", example="RH P"),
    Order("LH2", "LH2 <gesture>", "mage", SUBMIT,
          "In Waving Hands, while you are hasty: the left hand's second gesture of the turn.", "WH-ENCH-26",
          example="LH2 W"),
    Order("RH2", "RH2 <gesture>", "mage", SUBMIT,
          "In Waving Hands, while you are hasty: the right hand's second gesture of the turn.", "WH-ENCH-26",
          example="RH2 P"),
    Order("RETARGET", "RETARGET <monster> <name>", "mage", SUBMIT,
          "In Waving Hands: whom a hastened monster of yours attacks the second time.", "WH-ENCH-29",
          example="RETARGET RedGoblin Bung"),
    Order("TARGET", "TARGET <LH, RH, BH or monster> <name>", "mage", SUBMIT,
          "Aims the spell or stab of a hand, or a monster of yours. RH:Merlyn is the monster Merlyn makes with it.",
          "FM-ORDMOVE-9", example="TARGET RH Bung"),
    Order("CHOOSE", "CHOOSE <LH, RH or BH> <spell>", "mage", SUBMIT,
          "Says which spell is cast when a hand completes several.", "FM-ORDMOVE-22", example="CHOOSE LH Shield"),
    Order("PARALYZE", "PARALYZE <LH or RH> <mage>", "mage", SUBMIT,
          "Says which hand of a mage you paralyzed is stuck.", "FM-ORDMOVE-26", synonyms=("PARALYSE",),
          example="PARALYZE LH Bung"),
    Order("CHARM", "CHARM <LH or RH> <mage>", "mage", SUBMIT,
          "In Waving Hands, when the turn asks: which hand your Charm Person takes.", "WH-ENCH-8",
          example="CHARM LH Bung"),
    Order("ELEMENTAL", "ELEMENTAL <fire or ice> <mage>", "mage", SUBMIT,
          "In Waving Hands, when the turn asks: what the elemental spell of this mage summons.", "WH-SUM-4",
          example="ELEMENTAL ice Bung"),
    Order("DIRECT", "DIRECT <LH or RH> <gesture> <mage>", "mage", SUBMIT,
          "Makes the gesture of a mage you charmed.", "FM-ORDMOVE-27", example="DIRECT LH - Bung"),
    Order("PERMANENT", "PERMANENT <LH, RH or BH>", "mage", SUBMIT,
          "Makes the spell of that hand permanent, while you hold Permanency.", "FM-ORDMOVE-25",
          example="PERMANENT RH"),
    Order("DELAY", "DELAY <LH, RH or BH>", "mage", SUBMIT,
          "Keeps the spell of that hand for later, while you hold Delay Effect.", "FM-ORDMOVE-29", example="DELAY RH"),
    Order("FIRE", "FIRE", "mage", SUBMIT, "Casts the spell you keep.", "FM-ORDMOVE-31"),
    Order("SAY", "SAY <text>", "mage", SUBMIT, "Says one line to all mages of the battle.", "FM-ORDMOVE-32",
          example="SAY Good luck"),
    Order("CLEAR", "CLEAR", "mage", SUBMIT, "Empties the sheet of this turn before the lines that follow.",
          "FM-ORDGEN-22"),
    Order("END", "END", "mage", SUBMIT, "Ends the orders and makes them ready, as the end of the mail does. "
          "Nothing after it is read.", "FM-ORDGEN-8"),
)  # fmt: skip

BY_NAME = {name: order for order in TABLE for name in order.names}


def find_order(keyword: str) -> Order | None:
    """Return the order of that keyword, in any case. CHOOSE may be cut down to its first three letters."""
    word = keyword.upper()
    return BY_NAME["CHOOSE"] if word.startswith("CHO") and "CHOOSE".startswith(word[:6]) else BY_NAME.get(word)
