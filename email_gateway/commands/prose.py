"""What stands beside orders in an email: greetings, names, initials, polite words, the footers of phones.

After complete gestures, the last paragraphs of what a player wrote are a closing if no line in them is certainly an
order. They are listed as not read, and never make us reject the orders above. A misspelt order there is one only if
another word of its line fits it: "TARGT LH Bung", but not "Tim", "DS" or "Chris D". So is a paragraph above the orders,
as above a quote with gestures filled in.

After other orders, like ACCEPT, a closing is only what cannot be the order it resembles, or looks like a name.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from duels.errors import UnreadableBattle
from duels.selectors.order_words import OrderWords, list_order_words
from email_gateway.commands.line_forms import (
    ALMOST_GESTURE,
    ALMOST_PAIR,
    ENDED_BY_NAME,
    SHORTHAND,
    SURRENDER,
    find_order,
    has_gesture_words,
    is_near_command,
    split_keyword,
    tidy_line,
)
from email_gateway.commands.order_entry import Order
from email_gateway.commands.table import BY_NAME
from email_gateway.commands.words import find_nearest
from email_gateway.conversation import Conversation, Prose
from email_gateway.text.lines import GESTURE_PAIR, Line

# In these a ; is part of the text.
SPEECH = ("SAY", "REPORT")
NO_WORDS = OrderWords(frozenset(), frozenset(), are_gestures_asked=True)
HAND = re.compile(r"(?:(?P<left>LH|left)|(?P<right>RH|right))\b(?:\s+hand)?[\s:=]*[FPSWDC>\-](?!\w)", re.I)
PAIR = re.compile(r"[FPSWDC>\-]\s*[/ ,]\s*[FPSWDC>\-](?:[\s,:;]|$)", re.I)
CLAP = re.compile(r"C\s*(?:;|$)", re.I)
# LH or RH with a wrong key beside the right one, unlike a name or initials.
ALMOST_HAND = re.compile(r"(?:[LRKOPETFD]H+|[LR][GJBNY]H?)2?$", re.I)
NEARLY_HAND = 0.85
# What a word may be, by how the forms of orders name their gaps.
HANDS = {"LH", "RH", "BH", "LH2", "RH2", "BH2", "LEFT", "RIGHT", "BOTH"}
GESTURES = set("FPSWDC>-")
NUMBERED = ("number", "numbers", "battle", "days", "count", "n", "name or battle", "ruleset or battle", "turn")
NAMED = ("mage", "mages", "your mage", "name", "names", "monster", "LH, RH, BH or monster", "spell or name")
GAP = re.compile(r"<([^<>]+)>|\{<?([a-z][^{}<>]*)>?\}")
# Gaps for any number of words.
ENDLESS = ("bots", "choices", "groups", "mages", "names", "numbers", "options", "text", "what happened")
# "Red Goblin", "Cause Light Wounds".
WORDS_OF_A_NAME = 2
NUMBER = re.compile(r"#?\d{1,12}[A-Z]?[,.]?$", re.I)


def is_prose(talk: Conversation, line: Line) -> bool:
    """Return whether a line is in a paragraph without orders, and none either."""
    if talk.state.prose is None:
        answered = talk.request.token.kind if talk.request.token is not None else ""
        talk.state.prose = find_prose(talk.state.lines, answered)
    prose = talk.state.prose
    text = tidy_line(line.text)
    if line.number in prose.above:
        keyword = split_keyword(text)[0]
        order = find_order(keyword)
        if order is not None:
            return is_sentence_like(order, text)
        is_doubtful = not SHORTHAND.match(text) and is_near_command(text, keyword)
        return is_doubtful and not may_be_order(talk, text, is_after_gestures=True)
    if line.number not in prose.below:
        return False
    if not prose.is_for_mage:
        return is_closing(talk, text)
    return not may_be_order(talk, text, is_after_gestures=prose.is_below_gestures)


def find_prose(lines: Sequence[Line], answered: str) -> Prose:
    """Return the paragraphs that have no order for certain, if others have one. `answered` is the kind of the reply
    address that they came to."""
    paragraphs = list(split_paragraphs(lines))
    are_orders = [any(is_certain_order(line.text) for line in paragraph) for paragraph in paragraphs]
    first = count_to_last(are_orders)
    written = [line.text for paragraph in paragraphs[:first] for line in paragraph]
    if not any(is_mage_command(text) for text in written):
        in_reply = [any(is_order_in_reply(line.text, answered) for line in paragraph) for paragraph in paragraphs]
        first = max(first, count_to_last(in_reply))
        return Prose(below=list_numbers(paragraphs[first:])) if first else Prose()
    is_complete = len(find_hands(written)) == 2
    above = [paragraphs[place] for place in range(first) if is_complete and not are_orders[place]]
    return Prose(list_numbers(above), list_numbers(paragraphs[first:]), is_complete, is_for_mage=True)


def count_to_last(are_orders: Sequence[bool]) -> int:
    """Return how many paragraphs there are up to the last one with an order."""
    return max((place + 1 for place, found in enumerate(are_orders) if found), default=0)


def list_numbers(paragraphs: Iterable[Sequence[Line]]) -> frozenset[int]:
    return frozenset(line.number for paragraph in paragraphs for line in paragraph)


def split_paragraphs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the lines that were written together: nothing blank or quoted is between them."""
    paragraph: list[Line] = []
    for line in lines:
        if line.number and not line.is_blank and line.ignored is None:
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def find_hands(rows: Sequence[str]) -> set[str]:
    """Return the hands that have a gesture in these lines."""
    hands: set[str] = set()
    for row in rows:
        text = tidy_line(row).strip()
        if PAIR.match(text) or CLAP.match(text):
            hands |= {"left", "right"}
        hands |= {str(found.lastgroup) for found in HAND.finditer(text.partition(";")[0])}
    return hands


def is_mage_command(text: str) -> bool:
    order = find_order(split_keyword(tidy_line(text))[0])
    return bool(find_hands([text])) or (order is not None and order.who == "mage" and order.name != "END")


def is_certain_order(text: str) -> bool:
    """Return whether a line is an order and nothing else: its first word exactly, and another that fits it, if it needs
    any."""
    text = tidy_line(text).strip()
    if SURRENDER.match(text) or (SHORTHAND.match(text) and not CLAP.match(text)):
        return True
    keyword, rest = split_keyword(text)
    order, words = find_order(keyword), split_bare(rest)
    if order is None or (keyword == "END" and words and rest.upper() not in ENDED_BY_NAME):
        return False
    if order.name == "SAY" or not words:
        return bool(words) or (not rest and "<" not in order.grammar)
    is_capital = text.startswith(keyword) and len(keyword) > 2
    return is_capital or (not is_wordy(order, words) and any(is_fitting(order, word, NO_WORDS) for word in words))


def is_order_in_reply(text: str, answered: str) -> bool:
    """Return whether a line is only the name of an order, and the reply address says the rest: "Accept"."""
    keyword, rest = split_keyword(tidy_line(text).strip())
    order = find_order(keyword)
    return order is not None and not split_bare(rest) and not order.needs_words(answered)


def is_closing(talk: Conversation, text: str) -> bool:
    """Return whether a line below orders that are for no mage cannot be the order that it resembles, or looks like a
    name: "tim" or "Jules" below ACCEPT, but not "SCORSE" or "REGSTER Merlyn"."""
    keyword, rest = split_keyword(text)
    order, nearest = find_order(keyword), find_nearest(keyword, BY_NAME)
    if order is not None:
        return is_sentence_like(order, text)
    if nearest is None:
        return False
    order, words = BY_NAME[nearest], split_bare(rest)
    if words:
        needs_number = any(gap in NUMBERED for gap, _optional in GAP.findall(order.grammar)[:1])
        return needs_number and not any(is_fitting(order, word, NO_WORDS) for word in words)
    token = talk.request.token
    has_mage = talk.state.block is not None or talk.get_token("turn") is not None
    needs_words = order.needs_words(token.kind if token is not None else "")
    is_misfit = needs_words or (order.who == "mage" and not has_mage)
    return not text.isupper() and (text[0].isupper() or is_misfit)


def is_sentence_like(order: Order, text: str) -> bool:
    """Return whether a line begins like an order, not in capitals, and has more words than it can have: "Join me next
    time"."""
    words = split_bare(split_keyword(text)[1])
    return not is_certain_order(text) and has_too_many_words(order, words)


def hides_order(text: str) -> bool:
    """Return whether a line has an order in its comment, which is not read: "LH F; RH S"."""
    line, *comments = text.split(";")
    if split_keyword(tidy_line(line))[0] in SPEECH:
        return False
    return any(is_certain_order(comment) and not SURRENDER.match(comment.strip()) for comment in comments)


def may_be_order(talk: Conversation, text: str, *, is_after_gestures: bool) -> bool:
    """Return whether a line in a paragraph without certain orders counts all the same: as gestures, if none are
    complete; as an order, perhaps misspelt, if another word fits it."""
    words = find_order_words(talk)
    keyword, rest = split_keyword(text)
    is_in_words = has_gesture_words(text)
    if is_in_words or any(form.match(text) for form in (GESTURE_PAIR, ALMOST_PAIR, ALMOST_GESTURE, SHORTHAND)):
        is_for_hand = ALMOST_GESTURE.match(text) and is_almost_hand(text.split()[0])
        if is_for_hand or is_in_words or GESTURE_PAIR.match(text):
            return True
        return not is_after_gestures and words.are_gestures_asked
    nearest = find_nearest(keyword, BY_NAME)
    order = find_order(keyword) or (BY_NAME[nearest] if nearest else None)
    if order is None or is_wordy(order, split_bare(rest)):
        return False
    return any(is_fitting(order, word, words) for word in split_bare(rest))


def is_wordy(order: Order, words: Sequence[str]) -> bool:
    """Return whether a line has more words than this command for a mage can have: "Turn 3 will be mine"."""
    return order.who == "mage" and has_too_many_words(order, words)


def has_too_many_words(order: Order, words: Sequence[str]) -> bool:
    """Return whether a line has more words than this order can have."""
    gaps = {one or other for one, other in GAP.findall(order.grammar)}
    if order.name.startswith(("LH", "RH", "SAY", "WHY")) or not gaps.isdisjoint(ENDLESS):
        return False
    forms = order.grammar.removeprefix(order.name).split("|")
    most = max(len(GAP.sub("x", form).split()) for form in forms)
    if order.who == "mage" and any(gap in order.grammar for gap in ("spell", "name", "mage", "monster")):
        most += WORDS_OF_A_NAME
    return len(words) > most


def is_almost_hand(word: str) -> bool:
    """Return whether a word is a hand, misspelt: "LG", "lfet"."""
    word = word.lower()
    return bool(ALMOST_HAND.match(word)) or any(
        sorted(word) == sorted(hand) or SequenceMatcher(None, word, hand).ratio() > NEARLY_HAND
        for hand in ("left", "right")
    )


def find_order_words(talk: Conversation) -> OrderWords:
    """Return the words that orders for the block's mage may name."""
    if talk.state.order_words is None and talk.combatant is not None:
        try:
            talk.state.order_words = list_order_words(talk.combatant)
        except UnreadableBattle:
            talk.state.order_words = NO_WORDS
    return talk.state.order_words or NO_WORDS


def is_fitting(order: Order, word: str, words: OrderWords) -> bool:
    """Return whether a word may stand in one of the order's gaps."""
    gaps = [one or other for one, other in GAP.findall(order.grammar)]
    known = word.lower().rpartition(":")[2]
    return (
        (word.upper() in HANDS and any("LH" in gap for gap in gaps))
        or (word.upper() in GESTURES and "gesture" in gaps)
        or (bool(NUMBER.match(word)) and any(gap in NUMBERED for gap in gaps))
        or (word.lower() in ("fire", "ice") and "fire or ice" in gaps)
        or (word.lower() in words.spells and any("spell" in gap for gap in gaps))
        or (known in words.beings and any(gap in NAMED for gap in gaps))
    )


def split_bare(rest: str) -> list[str]:
    """Return the words of a line without a comment and the marks at their ends."""
    return [bare for word in rest.partition(";")[0].split() if (bare := word.strip(",:.!?()"))]
