"""SCORES and HELP: what anybody may ask, without a USER line (FM-ORDINF-24: the answer holds what was asked for)."""

from functools import partial

from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRefused
from email_gateway.links import link_to
from email_gateway.orders.entry import Order
from email_gateway.orders.words import find_nearest, split_words
from email_gateway.posting.wrapping import indent, wrap
from ladder.selectors import MageSummary, list_honour_roll, list_remembered, list_retired

MOST_ROWS = 200
KINDS = {"duel": ("duel",), "melee": ("melee",), "all": ("duel", "melee"), "": ("duel", "melee")}


def obey_scores(talk: Conversation, rest: str) -> list[str]:
    """SCORES {duel|melee|all}: the honour roll, both without a word (FM-ORDINF-4)."""
    words = split_words(rest)
    kind = words[0].lower() if words else ""
    if kind not in KINDS or len(words) > 1:
        raise OrderRefused("SCORES takes duel, melee, all or nothing.", nearest="SCORES duel", clause="FM-ORDINF-4")
    report_scores(talk, kind)
    return []


def report_scores(talk: Conversation, kind: str) -> None:
    """Put the honour rolls into the answer, as REGISTER does too (FM-INTRO-6)."""
    for one in KINDS[kind]:
        talk.report(f"scores {one}", partial(write_scores, one))


def write_scores(kind: str) -> str:
    """Return the honour roll of one kind as a table, then the retired mages with the scores they keep."""
    head = f"{kind.capitalize()} scores"
    active = write_table(*list_honour_roll(kind, limit=MOST_ROWS))
    retired = write_table(*list_retired(kind, limit=MOST_ROWS))
    tables = [f"{head} {active}" if active else f"{head}\n\n  No mage is registered."]
    tables += [f"Retired, with the scores they keep {retired}"] if retired else []
    return "\n\n".join(tables) + write_remembered(kind)


def write_table(rows: list[MageSummary], in_all: int) -> str:
    """Return how many mages there are, and those listed below; blank for none."""
    if not rows:
        return ""
    mages = max(8, *(len(row.mage.name) for row in rows))
    users = max(8, *(len(row.user_name) for row in rows))
    table = [f"({in_all} mage{'' if in_all == 1 else 's'})", ""]
    table += [f"{'Mage':<{mages}}  {'User':<{users}}  {'Duel':>5}  {'Melee':>5}  Doing"]
    table += [
        f"{row.mage.name:<{mages}}  {row.user_name:<{users}}  {row.duel:>5}  {row.melee:>5}  {write_doing(row)}"
        for row in rows
    ]
    more = in_all - len(rows)
    table += [f"and {more} more: {link_to('ladder')}"] if more > 0 else []
    return "\n".join(table)


def write_remembered(kind: str) -> str:
    """Return the dead with the scores that died with them, the ten highest; nothing where nobody died."""
    dead = list(list_remembered(kind))
    if not dead:
        return ""
    mages = max(8, *(len(each.mage.name) for each in dead))
    users = max(8, *(len(each.mage.user.username) for each in dead))
    table = [f"{each.mage.name:<{mages}}  {each.mage.user.username:<{users}}  {each.score:>5}" for each in dead]
    return "\n".join(["", "", "Remembered, with the scores that died with them", "", *table])


def write_doing(row: MageSummary) -> str:
    if row.mage.is_retired:
        return "retired"
    return "free" if row.number is None else f"{row.status} {row.number}"


def obey_test(talk: Conversation, rest: str) -> list[str]:
    """TEST_COMMAND: nothing but an answer, by which somebody sees that their emails arrive."""
    return ["Your email arrived and was read. Nothing was changed."]


TEST_COMMAND = Order(
    "TEST_COMMAND",
    "TEST_COMMAND",
    "anyone",
    "email_gateway.orders.information.obey_test",
    "Answers that your email arrived, and does nothing else.",
    "FM-ORDGEN-17",
    obey_test,
)


def write_help(table: tuple[Order, ...], rest: str) -> str:
    """Return the list of orders, or all there is to say about one of them."""
    word = (split_words(rest) or [""])[0].upper()
    if not word:
        return "\n".join(["Orders", "", *(write_help_line(order) for order in table), "", *map(wrap, HINTS)])
    order = next((one for one in table if word in one.names), None)
    if order is None:
        nearest = find_nearest(word, [name for one in table for name in one.names])
        raise OrderRefused(f'There is no order "{word[:20]}".', nearest=f"HELP {nearest}" if nearest else "HELP")
    also = f"\n  Also: {', '.join(order.synonyms)}." if order.synonyms else ""
    example = f"\n  Example: {order.example}" if order.example else ""
    more = f"\n\n{order.more}" if order.more else ""
    return f"{order.grammar}\n{indent(order.help, 2)}{also}{example}\n  Rule: {order.clause}.{more}"


def write_help_line(order: Order) -> str:
    first = order.help.split(". ")[0].rstrip(".")
    return f"  {order.grammar}\n{indent(f'{first}.', 6)}"


HINTS = (
    "Begin with USER, unless you answer the report of a turn or news of a challenge: its address says who you are.",
    "GAME begins the orders of one mage; they count together or not at all. Every other line stands alone.",
    "Words in {} may be left out. What follows a ; is a comment. Nothing after END is read.",
    "HELP with the name of an order says more about it.",
)
