"""Every order that an email can contain, one entry each: for HELP, docs/mail.md and processing."""

from functools import partial

from django.utils.translation import gettext_lazy

from email_gateway.commands import (
    account,
    answer_challenge,
    battle,
    challenge,
    draws,
    follow,
    friend_links,
    games,
    information,
    janitors,
    leagues,
    mages,
    messages,
    notices,
    people,
    play_bot,
    records,
    reference,
    resend,
    room,
    stats,
    users,
)
from email_gateway.commands.clocks import TIMING
from email_gateway.commands.game_options import write_options
from email_gateway.commands.order_entry import Order
from email_gateway.commands.sheet_lines import SHEET_LINES

TABLE: tuple[Order, ...] = (
    Order(
        "NEWUSER",
        "NEWUSER <name> <mail password>",
        "anyone",
        "email_gateway.commands.new_users.request_newuser",
        gettext_lazy(
            "Requests an account. We write to the address that your email came from; the account exists once you "
            "reply with CONFIRM."
        ),
        "FM-ORDUSR-1",
        users.handle_newuser,
        example="NEWUSER Wil three-black-moths",
    ),
    Order(
        "USER",
        "USER <name> <mail password>",
        "anyone",
        "accounts.services.mail_passwords.check_mail_password",
        gettext_lazy(
            "Names the user who gives the orders below it. The mail password is off until you set it on the site. We "
            "reply to the user's address, not the sender's."
        ),
        "FM-ORDUSR-2",
        users.handle_user,
        example="USER Wil three-black-moths",
    ),
    Order(
        "PASSWORD",
        "PASSWORD <new mail password>",
        "player",
        "email_gateway.commands.account_changes.request_password_change",
        gettext_lazy(
            "Changes the mail password. We write to your address, and it changes once you reply with CONFIRM."
        ),
        "FM-ORDUSR-5",
        account.handle_password,
        example="PASSWORD four-grey-herons",
    ),
    Order(
        "ADDRESS",
        "ADDRESS <new address>",
        "player",
        "email_gateway.commands.account_changes.request_address_change",
        gettext_lazy(
            "Changes where we send your emails. We write to your address first and then to the new one; it changes "
            "once you have replied to both with CONFIRM."
        ),
        "FM-ORDUSR-4",
        account.handle_address,
        example="ADDRESS wil@example.org",
    ),
    Order(
        "CONFIRM",
        "CONFIRM",
        "anyone",
        "email_gateway.commands.account_changes.confirm_change",
        gettext_lazy("Confirms a change to your account, in reply to the email that asks about it."),
        "FM-ORDUSR-4",
        users.handle_confirm,
    ),
    Order(
        "CHANGEUSER",
        "CHANGEUSER <new name>",
        "player",
        "accounts.services.rename.rename_user",
        gettext_lazy(
            "Changes your name, once every 30 days. You keep everything, and nobody else can take the old name."
        ),
        "FM-ORDUSR-3",
        account.handle_changeuser,
        example="CHANGEUSER Osse",
    ),
    Order(
        "VACATION",
        "VACATION <days>",
        "player",
        "accounts.services.vacations.start_vacation",
        gettext_lazy(
            "Starts a vacation of up to 35 days, or changes its end. It stops the clocks of battles that wait for your "
            "orders, except live ones, and ends with orders to a mage, with joining a challenge or a battle, and with "
            "VACATION 0."
        ),
        "FM-ORDUSR-6",
        account.handle_vacation,
        example="VACATION 14",
        more=account.explain_vacations,
    ),
    Order(
        "NOTICES",
        "NOTICES {QUIET | USUAL | ALL | <what> <where> <choice>}",
        "player",
        "notifications.services.preferences.choose_notices",
        gettext_lazy(
            "Lists what we tell you, and where, or changes it: QUIET, USUAL and ALL everything, TURNS EMAIL DAILY one "
            "choice (ON, OFF or DAILY). SEEKS EMAIL ON tells you when someone looks for a duel, SEEKS LIVE 100 how far "
            "from yours their rating may be (100, 200, 400, ANY or OFF), for LIVE, DAY and SLOW duels."
        ),
        "",
        notices.handle_notices,
        example="NOTICES TURNS EMAIL DAILY",
    ),
    Order(
        "REGISTER",
        "REGISTER <mage> {<pronoun>}",
        "player",
        "accounts.services.mages.register_mage",
        gettext_lazy(
            "Registers a mage for you. A name has 2 to 20 letters, digits or underscores and doesn't "
            "begin with a digit. The pronoun (they, she, he or it) is how reports refer to the mage."
        ),
        "FM-ORDUSR-16",
        mages.handle_register,
        example="REGISTER Merlyn",
    ),
    Order(
        "PRONOUN",
        "PRONOUN <mage> <pronoun>",
        "player",
        "accounts.services.mages.set_pronoun",
        gettext_lazy("Changes how reports refer to your mage, from their next battle on: they, she, he or it."),
        "FM-ORDUSR-16",
        mages.handle_pronoun,
        example="PRONOUN Circe she",
    ),
    Order(
        "RETIRE",
        "RETIRE <mage>",
        "player",
        "challenges.services.retire_mages.retire_mage",
        gettext_lazy(
            "Retires a free mage. With a score above 0, they stay on the honour roll and cannot be challenged until "
            "they create or accept a challenge; with none, they leave for good."
        ),
        "FM-ORDUSR-8",
        mages.handle_retire,
        example="RETIRE Merlyn",
    ),
    Order(
        "QUIT",
        "QUIT {mage}",
        "player",
        "challenges.services.retire_mages.quit_mage",
        gettext_lazy(
            "Lets a free mage leave for good. Without a mage's name it closes your account, once all your "
            "mages have left; we write to your address first."
        ),
        "FM-ORDUSR-14",
        mages.handle_quit,
        example="QUIT Merlyn",
    ),
    Order(
        "NEWGAME",
        "NEWGAME <mage> <options>",
        "player",
        "challenges.services.create.create_challenge",
        gettext_lazy(
            "Creates a challenge. HELP NEWGAME lists the options. You can separate them with commas. If "
            "two contradict each other, the last one counts."
        ),
        "FM-ORDNEW-1",
        challenge.handle_newgame,
        example="NEWGAME Merlyn OPEN, RULESET warlocks FDF, COMMENT be quick",
        more=partial(write_options, "NEWGAME"),
    ),
    Order(
        "CHANGEGAME",
        "CHANGEGAME <number> <mage> <options>",
        "player",
        "challenges.services.proposals.propose_change",
        gettext_lazy(
            "Changes a challenge, or proposes a change if others have a say in it. HELP CHANGEGAME lists "
            "the options, and START begins the battle."
        ),
        "FM-ORDCHG-1",
        challenge.handle_changegame,
        example="CHANGEGAME 12 Merlyn START",
        more=partial(write_options, "CHANGEGAME"),
    ),
    *answer_challenge.ORDERS,
    *friend_links.ORDERS,
    play_bot.PLAY,
    Order(
        "CHALLENGES",
        "CHALLENGES",
        "anyone",
        "challenges.selectors.lists.list_open_challenges",
        gettext_lazy("Lists the challenges that mages can still join."),
        "FM-ORDINF-9",
        games.handle_challenges,
    ),
    Order(
        "SCORES",
        "SCORES {duel, melee or all}",
        "anyone",
        "ladder.selectors.ladders.list_honour_roll",
        gettext_lazy("Lists the mages with their scores."),
        "FM-ORDINF-1",
        information.handle_scores,
        synonyms=("STANDINGS",),
        example="SCORES duel",
    ),
    Order(
        "GAMES",
        "GAMES {numbers}",
        "anyone",
        "duels.selectors.battle_lists.list_running_battles",
        gettext_lazy("Lists current battles, with the mages they wait for, and battles that are over."),
        "FM-ORDINF-6",
        games.handle_games,
        synonyms=("LIST",),
        example="GAMES 12 15",
    ),
    *people.ORDERS,
    Order(
        "STATS",
        "STATS {groups}",
        "anyone",
        "ladder.selectors.statistics.list_spell_figures",
        gettext_lazy(
            "Sends statistics about the site: the groups you name (Info, SpellUse, UserActive, WizActive), or all of "
            "them."
        ),
        "FM-ORDINF-20",
        stats.handle_stats,
        example="STATS SpellUse",
    ),
    *records.ORDERS,
    Order(
        "RESEND",
        "RESEND {count}",
        "player",
        "email_gateway.commands.resend.resend_mails",
        gettext_lazy(
            "Sends your latest emails again: one by default, at most 10. We store copies for 30 days, but not of "
            "emails with codes or links."
        ),
        "FM-ORDINF-13",
        resend.handle_resend,
        example="RESEND 3",
    ),
    *follow.ORDERS,
    Order(
        "MESSAGE",
        "MESSAGE <your mage> <names>",
        "player",
        "accounts.services.messages.send_message",
        gettext_lazy(
            "Sends the lines below it, up to END MESSAGE, to the owners of these mages and to these users. "
            "Nobody sees an address."
        ),
        "FM-ORDMSG-1",
        messages.handle_message,
        example="MESSAGE Gandalf Froodal Harry",
    ),
    Order(
        "ANNOUNCE",
        "ANNOUNCE <numbers>",
        "player",
        "email_gateway.commands.relay_messages.relay_announcement",
        gettext_lazy(
            "Sends the lines below it, up to END ANNOUNCE, to everyone who has a mage in these battles. You "
            "need one there too."
        ),
        "FM-ORDMSG-4",
        messages.handle_announce,
        example="ANNOUNCE 42",
    ),
    Order(
        "LOBBY",
        "LOBBY {SAY}",
        "player",
        "challenges.services.room.write_line",
        gettext_lazy(
            "Sends the latest lines of the lobby, the room of talk for everyone. With SAY, the lines below it, up to "
            "END LOBBY, become one line there, of at most 280 characters."
        ),
        "FM-ORDMSG-1",
        room.handle_lobby,
        example="LOBBY",
    ),
    *leagues.ORDERS,
    *janitors.ORDERS,
    Order(
        "CUT",
        "CUT",
        "anyone",
        "email_gateway.commands.messages.take_lines",
        gettext_lazy("Tells us to ignore the lines below it, up to END CUT."),
        "FM-ORDGEN-6",
        messages.handle_cut,
    ),
    *reference.ORDERS,
    Order(
        "HELP",
        "HELP {order}",
        "anyone",
        "email_gateway.commands.information.write_help",
        gettext_lazy("Lists the orders, or explains one of them."),
        "FM-ORDINF-11",
        lambda talk, rest: information.handle_help(talk, rest, TABLE),
        example="HELP NEWGAME",
    ),
    information.TEST_COMMAND,
    Order(
        "GAME",
        "GAME <number> <mage>",
        "player",
        "duels.selectors.viewer.get_combatant_for_user",
        gettext_lazy(
            "Begins the orders of one mage in one battle. Followed only by END, it asks for the state of the battle. "
            "In a reply to a turn report, you can leave it out."
        ),
        "FM-ORDMOVE-1",
        battle.open_block,
        synonyms=("MOVE",),
        example="GAME 12 Merlyn",
    ),
    Order(
        "MAGE",
        "MAGE <mage>",
        "player",
        "duels.selectors.viewer.get_combatant_for_user",
        gettext_lazy(
            "Like GAME, but without the battle's number. It means the mage's only battle, or the only one that waits "
            "for the mage."
        ),
        "FM-ORDMOVE-2",
        battle.open_block_of_mage,
        example="MAGE Merlyn",
    ),
    Order(
        "TURN",
        "TURN <turn>",
        "mage",
        "duels.selectors.stage_keys.find_stage_key",
        gettext_lazy(
            "Says which turn the orders are for; they are rejected in any other turn. Without it they are "
            "for the turn that is open when the email reaches us."
        ),
        "FM-ORDMOVE-6",
        example="TURN 9H",
    ),
    Order(
        "WHY",
        "WHY {turn} {spell or name}",
        "mage",
        "studies.selectors.explanations.explain_turn_to_owner",
        gettext_lazy(
            "Explains the rules and events behind a turn, the latest by default. It covers your spells, or the one "
            "spell, mage or creature you ask about. It changes nothing."
        ),
        "FM-ORDMOVE-5",
        example="WHY 8 Fireball",
    ),
    *TIMING,
    *draws.ORDERS,
    *SHEET_LINES,
)

BY_NAME = {name: order for order in TABLE for name in order.names}
