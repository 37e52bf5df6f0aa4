"""From lines to orders: decides which lines to process, which belong to a block, and which are not orders."""

import re
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.terms import list_rulesets
from email_gateway.commands import battle
from email_gateway.commands.game_options import BOOKS, COMMENT, OPTIONS, is_option
from email_gateway.commands.line_forms import (
    ALMOST_GESTURE,
    ALMOST_PAIR,
    ENDED_BY_NAME,
    SHORTHAND,
    SURRENDER,
    find_order,
    has_gesture_words,
    is_near_command,
    looks_like_gestures,
    split_keyword,
    tidy_line,
)
from email_gateway.commands.messages import has_end, list_below, take_lines
from email_gateway.commands.order_entry import Order
from email_gateway.commands.prose import hides_order, is_prose
from email_gateway.commands.records import answer_why
from email_gateway.commands.stats import GROUPS
from email_gateway.commands.table import BY_NAME, TABLE
from email_gateway.commands.words import find_nearest
from email_gateway.conversation import Conversation, OrderBlock, Vocabulary
from email_gateway.errors import OrderRejected
from email_gateway.text.lines import GESTURE_PAIR, LONGEST_LINE, TYPOGRAPHY, UNSEEN_MARKS, Line, remove_format
from email_gateway.text.password_lines import show_line
from email_gateway.text.quotes import CLEAR_ORDER, strip_marks

STOPPED = gettext_lazy("Not processed: the line above that names the mage is rejected.")
# Enough for anyone, and a limit for emails that ask for endless answers.
MOST_ORDERS = 100
# What mail programs write into the plain part of an email in HTML, and the most words of an order with such a name.
NOTE_ON_HTML = re.compile(
    r"\bx?html|brow[sz]er|navigateur|navegador|webbläsare|przegląd|selai|prohlížeč|браузер|浏览器|瀏覽器|ブラウザ|브라우저|"
    r"https?:|\bwww\.|mail[ -]?(?:client|program|app)",
    re.I,
)
SHORTEST_NOTE = 3
# How much of a line that is too long an answer repeats.
LONGEST_SHOWN = 60
# Before an order: marks of quoting, of lists and of bold text, and what a subject line may have.
LEAD = re.compile(r"(?:[\W_]|\d{1,2}[.)])*(?:subject:\s*(?:\w{0,12}fm\s+)?)?", re.I)
WITH_OPTIONS = ("NEWGAME", "CHANGEGAME")
# The shortest line that a mail program breaks, before a long word.
SHORTEST_BROKEN = 60
BLOCK_OPENERS = ("GAME", "MOVE", "MAGE")
BATTLE_LINES = ("TURN", "WHY", "END")
SUBJECT_PREFIX = re.compile(r"\s*\w{0,12}FM\s+(?P<rest>.+)", re.I)
HELP_SUBJECT = re.compile(r"\s*(help|rules)\W*", re.I)
RULESET_NAMES = [*BOOKS, *(word for name, __ in list_rulesets() for word in (name, *name.split("-")))]
VOCABULARY = Vocabulary(
    words=frozenset(
        {name for order in TABLE for name in order.names}
        | {name for option in OPTIONS for name in option.names}
        | {word.upper() for word in (*RULESET_NAMES, *GROUPS)}
        | {"DUEL", "MELEE", "ALL", "PARTS", "CHANGE", "CHANGES", "EVERYTHING", "PART", "END", "*****"}
    ),
    commands=tuple(order.name for order in TABLE if order.who != "mage"),
)


def process_line(talk: Conversation, line: Line) -> None:
    """Process one line that may be an order, or note why not. Not called for blank and cut lines."""
    text = tidy_line(line.text)
    keyword, rest = split_keyword(text)
    if sum(echo.verdict != "ignored" for echo in talk.state.echoes) >= MOST_ORDERS:
        talk.ignore(line.number, _("an email can have at most %(count)s orders") % {"count": MOST_ORDERS})
        return
    order = find_order(keyword)
    if is_prose(talk, line):
        talk.ignore(line.number, _("not an order"), show_line(line.text), is_unread=True)
    elif order is not None and order.who != "mage":
        if order.name in WITH_OPTIONS:
            line = take_options(talk, line)
            rest = split_keyword(tidy_line(line.text))[1]
        process_order(talk, line, order, rest)
    elif keyword == "END" and rest.upper() in ENDED_BY_NAME:
        reason = _("This END %(order)s has nothing to end.") % {"order": rest.upper()}
        talk.reject(line, text, OrderRejected(reason, nearest=f"HELP {rest.upper()}"))
    elif keyword == "END":
        talk.state.ended = True
        if block := find_block(talk):
            block.lines.append((line, "END"))
        else:
            talk.accept(line, "END")
    elif opens_block(text, keyword):
        put_aside(talk, line, text, keyword)
    elif order is not None or SHORTHAND.match(text) or is_misspelt_command(talk, text, keyword):
        process_mage_command(talk, line, text, keyword, rest)
    else:
        put_aside(talk, line, text, keyword)


def is_order(text: str) -> bool:
    """Return whether a line is an order of any kind, valid or not. A sentence about HTML or a browser is none, although
    it may begin like one: "Show this email in your browser"."""
    text = tidy_line(text)
    if find_order(split_keyword(text)[0]) is None:
        return any(form.match(text) for form in (SHORTHAND, GESTURE_PAIR, ALMOST_PAIR)) or has_gesture_words(text)
    return bool(CLEAR_ORDER.match(text)) or len(text.split()) <= SHORTEST_NOTE or not NOTE_ON_HTML.search(text)


def put_after_end(talk: Conversation, line: Line) -> None:
    """Note a line after END; if it is an order, say what to do with it."""
    order = find_order(split_keyword(tidy_line(line.text))[0])
    why = _("after END") if order is None else _("after END, so send another email")
    talk.ignore(line.number, why, is_unread=True)


def process_order(talk: Conversation, line: Line, order: Order, rest: str) -> None:
    """Process an order outside blocks."""
    assert order.handle is not None
    if line.is_too_long:
        reject_long_line(talk, line, order.name)
        return
    shown = show_line(line.text)
    talk.state.text_lines = []
    try:
        results = order.handle(talk, rest)
    except OrderRejected as rejection:
        talk.reject(line, shown, rejection)
        ignore_text(talk, talk.state.text_lines, order.name)
    else:
        talk.accept(line, shown, *results)


def take_options(talk: Conversation, line: Line) -> Line:
    """Return NEWGAME or CHANGEGAME with the lines below it that a mail program has broken off, or its writer."""
    last, text, is_next = line, line.text, True
    for row in list_below(talk) if line.number else ():  # the subject has no second line
        if row.is_blank:
            is_next = False
        elif row.ignored is not None or not continues_options(text, last.text, row.text, is_next=is_next):
            break
        else:
            last, text, is_next = row, f"{text} {row.text}", True
    talk.state.taken_to = max(talk.state.taken_to, last.number)
    return replace(line, text=text)


def continues_options(text: str, last: str, row: str, *, is_next: bool) -> bool:
    """Return whether a row continues the options in `text`, whose last row is `last`. `is_next`: no blank row is
    between them."""
    words = [word.strip(",") for word in tidy_line(row).split()]
    if ";" in text or is_order(row):
        return False
    begins = any(is_option(word) for word in words[:1])
    if not is_next:
        return last.endswith(",") and begins
    is_broken = len(last) >= SHORTEST_BROKEN and (bool(COMMENT.search(text)) or any(map(is_option, words)))
    return last.endswith(",") or begins or is_broken


def reject_long_line(talk: Conversation, line: Line, order: str) -> None:
    """Reject an order of which we have only the beginning, with the lines that belong to it."""
    reason = _("A line can have at most %(most)s characters.") % {"most": LONGEST_LINE}
    talk.reject(line, f"{show_line(line.text)[:LONGEST_SHOWN]} ...", OrderRejected(reason))
    if order in BLOCK_OPENERS:
        battle.begin_block(talk)
    elif order in ENDED_BY_NAME:
        ignore_text(talk, take_lines(talk, order)[0], order)


def ignore_text(talk: Conversation, numbers: list[int], order: str) -> None:
    for number in numbers:
        talk.ignore(number, _("the text of %(order)s, which is rejected") % {"order": order})


def process_mage_command(talk: Conversation, line: Line, text: str, keyword: str, rest: str) -> None:
    """Put a mage command into the block, or reject it if there is none."""
    block = find_block(talk)
    if block is None:
        talk.reject(line, text, battle.explain_missing_block(talk, keyword or text))
    elif block.is_stopped:
        talk.reject(line, text, OrderRejected(str(STOPPED)))
    elif keyword == "TURN":
        battle.add_turn(talk, block, line, text, rest)
    elif keyword == "WHY":
        answer_why(talk, line, text, rest)
    else:
        # Everyone hears SAY, so it loses the writer's passwords and reply addresses.
        block.lines.append((line, talk.cover_secrets(text) if split_keyword(text)[0] == "SAY" else text))


def note_hidden_orders(talk: Conversation) -> None:
    """Say below each line that an order in its comment is not read: if no order is missing, nothing else says so."""
    remark = str(battle.COMMENTED)
    for echo in talk.state.echoes:
        if echo.verdict != "ignored" and hides_order(echo.shown) and remark not in echo.remarks:
            echo.remarks.append(remark)


def find_block(talk: Conversation) -> OrderBlock | None:
    """Return the block for mage commands, if there is one; a reply address for a turn begins one by itself."""
    return talk.state.block or battle.open_block_of_address(talk)


def opens_block(text: str, keyword: str) -> bool:
    """Return whether a misspelt line was meant to name a mage: then the lines below it are for no other mage."""
    is_known = find_order(keyword) is not None or SHORTHAND.match(text) or ALMOST_GESTURE.match(text)
    return not is_known and len(text.split()) <= 4 and find_nearest(keyword, BY_NAME) in BLOCK_OPENERS


def is_misspelt_command(talk: Conversation, text: str, keyword: str) -> bool:
    """Return whether a line seems to be a command for the block's mage; a wrong one there rejects the block."""
    return bool(SURRENDER.match(text) or is_near_command(text, keyword)) and find_block(talk) is not None


def hide_mage_commands(text: str) -> str:
    """Return an email without the contents of its mage commands; the keywords stay."""
    return "\n".join(hide_mage_command(row) for row in text.split("\n"))


def hide_mage_command(row: str) -> str:
    row = UNSEEN_MARKS.sub("", row)
    bare = row.translate(TYPOGRAPHY)
    lead = LEAD.match(bare)[0]  # type: ignore[index]  # it matches anything
    text = bare[len(lead) :]
    order = find_order(split_keyword(text)[0])
    said = (bare.strip(), text, remove_format(bare.strip()), remove_format(strip_marks(bare)[0]))
    if any(form.match(one) for form in (SHORTHAND, ALMOST_PAIR, GESTURE_PAIR) for one in said):
        return "…"
    if (order is not None and order.who == "mage" and order.name not in BATTLE_LINES) or looks_like_gestures(text):
        return f"{lead}{split_keyword(text)[0]} …"
    return row


def put_aside(talk: Conversation, line: Line, text: str, keyword: str) -> None:
    """Reject a line that is nearly an order, with the nearest one; note any other as ignored."""
    nearest = find_nearest(keyword, BY_NAME)
    shown = show_line(line.text)
    if nearest is not None and len(text.split()) <= 6 and not is_sentence(text):
        # As it was written, not by the order's other name: "LISTE" is LIST, although that is GAMES too.
        form = BY_NAME[nearest].grammar.replace(BY_NAME[nearest].name, nearest, 1)
        talk.reject(line, shown, reject_unknown(keyword, form))
        if nearest in BLOCK_OPENERS:
            battle.begin_block(talk)
        elif nearest in ENDED_BY_NAME and has_end(talk, nearest):
            ignore_text(talk, take_lines(talk, nearest)[0], nearest)
    elif len(text.split()) == 1 and keyword.isalpha() and not talk.state.block and len(keyword) > 3 and text.isupper():
        talk.reject(line, shown, reject_unknown(keyword, "HELP"))
    else:
        talk.ignore(line.number, _("not an order"), shown, is_unread=True)


def is_sentence(text: str) -> bool:
    """Return whether a line reads like a sentence in a letter or a footer, even if it begins like an order."""
    return len(text.split()) > 3 and text.endswith((".", "!", "?"))


def reject_unknown(keyword: str, nearest: str) -> OrderRejected:
    reason = _('There is no order "%(word)s".') % {"word": keyword[:20]}
    return OrderRejected(reason, nearest=nearest, is_unknown=True)


def read_subject_line(subject: str) -> str:
    """Return the order in the subject, if any: `FM <order>`, or just help. "FM Orders" is not one."""
    found = SUBJECT_PREFIX.fullmatch(subject)
    if found and "[" not in subject:
        rest = found["rest"].strip()
        return "" if rest.lower().startswith("orders") else rest
    return "HELP" if HELP_SUBJECT.fullmatch(subject) else ""
