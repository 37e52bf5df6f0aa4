"""SCORES and HELP: open to anyone, without a USER line (FM-ORDINF-24: the answer contains what was requested)."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from email_gateway.commands.order_entry import Order
from email_gateway.commands.words import find_nearest, split_words
from email_gateway.compose.answers import HINTS
from email_gateway.compose.parts import write_scores
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.text.layout import indent, wrap
from email_gateway.text.order_forms import write_form

KINDS = {"duel": ("duel",), "melee": ("melee",), "all": ("duel", "melee"), "": ("duel", "melee")}


def handle_scores(talk: Conversation, rest: str) -> list[str]:
    """SCORES {duel|melee|all}: the honour roll; both of them without a word (FM-ORDINF-4)."""
    words = split_words(rest)
    kind = words[0].lower() if words else ""
    if kind not in KINDS or len(words) > 1:
        raise OrderRejected(
            _("SCORES takes DUEL, MELEE or ALL after it, or nothing."), nearest="SCORES duel", clause="FM-ORDINF-4"
        )
    report_scores(talk, kind)
    return []


def report_scores(talk: Conversation, kind: str) -> None:
    """Put the honour rolls into the answer, as REGISTER does too (FM-INTRO-6)."""
    for one in KINDS[kind]:
        talk.report(f"scores {one}", partial(write_scores, one))


def handle_help(talk: Conversation, rest: str, table: tuple[Order, ...]) -> list[str]:
    """HELP {order}: the list of orders, or one of them."""
    talk.report(f"help {rest}", lambda: write_help(table, rest))
    return []


def handle_test(talk: Conversation, rest: str) -> list[str]:
    """TEST_COMMAND: just an answer, which shows that emails arrive."""
    return [_("Your email arrived and was read. Nothing was changed.")]


TEST_COMMAND = Order(
    "TEST_COMMAND",
    "TEST_COMMAND",
    "anyone",
    "email_gateway.commands.information.handle_test",
    gettext_lazy("Confirms that your email arrived, and does nothing else."),
    "FM-ORDGEN-17",
    handle_test,
)


def write_help(table: tuple[Order, ...], rest: str) -> str:
    """Return the list of orders, or the full help for one of them."""
    word = (split_words(rest) or [""])[0].upper()
    if not word:
        return "\n".join(
            [_("Orders"), "", *(write_help_line(order) for order in table), "", *(wrap(str(hint)) for hint in HINTS)]
        )
    order = next((one for one in table if word in one.names), None)
    if order is None:
        nearest = find_nearest(word, [name for one in table for name in one.names])
        reason = _('There is no order "%(word)s".') % {"word": word[:20]}
        raise OrderRejected(reason, nearest=f"HELP {nearest}" if nearest else "HELP", is_unknown=True)
    rows = [write_form(order.grammar), indent(str(order.help), 2)]
    if order.synonyms:
        rows.append("  " + _("Also: %(names)s.") % {"names": ", ".join(order.synonyms)})
    if order.example:
        rows.append("  " + _("Example: %(example)s") % {"example": order.example})
    rows.append("  " + _("Rule: %(clause)s.") % {"clause": order.clause})
    return "\n".join(rows if order.more is None else [*rows, "", order.more()])


def write_help_line(order: Order) -> str:
    first = str(order.help).split(". ")[0].rstrip(".")
    return f"  {write_form(order.grammar)}\n{indent(f'{first}.', 6)}"
