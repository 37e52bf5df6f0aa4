"""One email being processed: the request, the state of its processing, and the answer."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.held_users import may_order
from accounts.models import User
from accounts.selectors.hold import read_hold
from duels.models import Combatant
from duels.selectors.order_words import OrderWords
from email_gateway.addresses import ReplyToken, TokenKind
from email_gateway.errors import OrderRejected
from email_gateway.scrub import hide_reply_addresses
from email_gateway.text.letter import Letter
from email_gateway.text.lines import Line
from email_gateway.text.order_forms import write_form
from email_gateway.text.password_lines import mask_secrets, show_line
from email_gateway.text.quotes import NOTHING, Printed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Verdict = Literal["accepted", "rejected", "ignored"]
# What answers these orders never repeats the password.
WITH_PASSWORD = re.compile(r"\W*(?:(?:NEW)?USER|PASSWORD)\b", re.I)
# The subjects of reply addresses.
THINGS: frozenset[TokenKind] = frozenset({"turn", "challenge"})


@dataclass
class Echo:
    """One line of the email as the answer repeats it: `shown` has no secrets, `remarks` say why it was rejected.

    `is_unread`: its writer may have meant it as an order, unlike a quotation or a signature. `is_unknown`: there is no
    such order.
    """

    number: int
    shown: str
    verdict: Verdict
    remarks: list[str] = field(default_factory=list)
    is_unread: bool = False
    is_unknown: bool = False


@dataclass(frozen=True)
class TurnLine:
    """A TURN line of the block: the line, how the answer repeats it, and the turn that it names."""

    line: Line
    shown: str
    label: str


NO_ORDERS = gettext_lazy("We found no orders in your email.")
HOW_TO_PLAY = gettext_lazy("Each line has a hand and a gesture: LH W, and below it RH P.")
UNKNOWN_MAGE = gettext_lazy("We don't know which mage they are for.")


@dataclass
class OrderBlock:
    """The mage commands of one email, from its GAME, MOVE or MAGE line (or its reply address) to END.

    `combatant` is None when that line was rejected; the commands are then rejected with it, and `why_not` says so.
    `turn` is what TURN said. `is_stopped`: a line below named another mage, and what follows is not for this one.
    """

    combatant: Combatant | None
    lines: list[tuple[Line, str]] = field(default_factory=list)
    turn: TurnLine | None = None
    why_not: "StrOrPromise" = UNKNOWN_MAGE
    is_stopped: bool = False
    ended: bool = False


@dataclass(frozen=True)
class Prose:
    """The numbers of the lines that seem to be no orders: above or between orders with complete gestures, and below all
    orders. `is_below_gestures`: the gestures above the last ones are complete. `is_for_mage`: any order is for a mage.
    """

    above: frozenset[int] = frozenset()
    below: frozenset[int] = frozenset()
    is_below_gestures: bool = False
    is_for_mage: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """The words of our commands that an answer may repeat, in capitals, and the names of commands that stand alone."""

    words: frozenset[str]
    commands: tuple[str, ...]


@dataclass(frozen=True)
class MailRequest:
    """The email as it was read, its sender, and its time.

    `received_at` is when it was accepted, and `now` when it is processed. `stage_mark` says which turns were open when
    it came (duels.selectors.take_stage_mark). `token` is the reply address that it came to. `printed` are our own
    emails that it may quote. `secrets` are the passwords and tokens in it: nothing that we write repeats them.
    `proven_senders` are the addresses that it is known to come from, and `confirmed_by` is the user (their id) who has
    confirmed that they wrote it.
    """

    now: datetime
    received_at: datetime
    stage_mark: int
    sender: str
    letter: Letter
    token: ReplyToken | None = None
    printed: Printed = NOTHING
    secrets: frozenset[str] = frozenset()
    proven_senders: frozenset[str] = frozenset()
    confirmed_by: int | None = None

    @cached_property
    def rows(self) -> list[str]:
        """The lines of the email as they were written."""
        return self.letter.text.split("\n")


@dataclass
class ConversationState:
    """The state of the processing: who gives the orders, and a verdict for each line read.

    `user` may give orders here, and `proof` says why. `owner` is the recipient of the answer: the owner of the reply
    address, even if it no longer allows anything. `elsewhere` is the sender if the email came to a reply address from
    an address that isn't the owner's ("" if it is not an address), otherwise None.
    """

    owner: User | None = None
    user: User | None = None
    proof: Literal["reply address", "mail password", "confirmation"] | None = None
    wrong_password: bool = False
    elsewhere: str | None = None
    # The lines as they are read, the one being processed (0: the subject), and the last one that is an order's text.
    lines: list[Line] = field(default_factory=list)
    line_number: int = 0
    taken_to: int = 0
    # None until it is looked for.
    prose: Prose | None = None
    # The words that orders of the block's mage may name; None until they are looked up.
    order_words: OrderWords | None = None
    # The lines that the order being processed takes as its text.
    text_lines: list[int] = field(default_factory=list)
    block: OrderBlock | None = None
    ended: bool = False
    echoes: list[Echo] = field(default_factory=list)
    battle: int | None = None
    # The challenges that this user's orders were about.
    challenges: list[int] = field(default_factory=list)
    # The name that the email is a message to, if it replies to one: it then contains no orders.
    message_to: str = ""
    # Whether its words are a line for the lobby's room.
    is_to_room: bool = False


@dataclass
class Answer:
    """The answer, apart from each line and its verdict.

    `results` are sentences that confirm orders; `reports` are the requested texts, each under its key. `secret`:
    nobody else may read it, and no copy is stored. `confirm_request` and `confirm_change` are what the reader must
    confirm: a new user, or a change of the account. `farewell` is the address of a user who has just closed their
    account. `reply_to` is where a reply to the answer goes, if not to its battle or challenge.
    """

    vocabulary: Vocabulary
    results: list[str] = field(default_factory=list)
    reports: dict[str, str] = field(default_factory=dict)
    secret: bool = False
    confirm_request: int | None = None
    confirm_change: int | None = None
    farewell: str = ""
    reply_to: str = ""


@dataclass(frozen=True)
class Conversation:
    """One email being processed."""

    request: MailRequest
    state: ConversationState
    answer: Answer

    @property
    def is_trusted(self) -> bool:
        """Whether the sender may do more than ordinary play."""
        return self.state.user is not None and self.state.proof in ("mail password", "confirmation")

    @property
    def combatant(self) -> Combatant | None:
        """The mage that the orders are for, if we know."""
        return self.state.block.combatant if self.state.block is not None else None

    def get_token(self, kind: TokenKind) -> ReplyToken | None:
        """Return the contents of the reply address that received the email, if it is of this kind."""
        token = self.request.token
        return token if token is not None and token.kind == kind else None

    def cover_secrets(self, text: str) -> str:
        """Return a text for others without the passwords and reply addresses in it."""
        return hide_reply_addresses(mask_secrets(text, self.request.secrets))

    def cover_words_of(self, number: int, text: str) -> str:
        """Return our own text about a line without the passwords that it can repeat from that line. One that is only in
        its place in a USER line may be a word of ours: "orders"."""
        if not self.request.secrets:
            return text
        line = self.read_line(number)
        said = show_line(line) if WITH_PASSWORD.match(line) else line
        return mask_secrets(text, [secret for secret in self.request.secrets if secret in said])

    def read_line(self, number: int) -> str:
        return next((line.text for line in self.state.lines if line.number == number), "")

    def require_user(self, order: str) -> User:
        """Return the user who gives orders; raise OrderRejected if nobody has proved their identity."""
        if self.state.user is not None and self.is_trusted:
            return self.check_hold(order, self.state.user)
        if self.answer.confirm_request is not None:
            needed = _(
                "%(order)s needs your account, which exists once you reply with CONFIRM. Write the order again below "
                "CONFIRM."
            )
            raise OrderRejected(needed % {"order": order}, clause="FM-ORDGEN-3")
        if self.state.wrong_password:
            raise OrderRejected(
                _("%(order)s needs a user, and the USER line is rejected.") % {"order": order}, clause="FM-ORDGEN-3"
            )
        raise OrderRejected(
            _("%(order)s needs a USER line before it.") % {"order": order},
            nearest="USER <name> <mail password>",
            clause="FM-ORDGEN-3",
        )

    def require_user_for(self, order: str, kind: TokenKind, number: int) -> User:
        """Like `require_user`, but the reply address of this challenge or battle is enough."""
        user, token = self.state.user, self.request.token
        if user is not None and token is not None and token.kind in THINGS and not self.is_trusted:
            if (token.kind, token.about) == (kind, number):
                return self.check_hold(order, user)
            message = _("This reply address is only for challenge %(about)s.")
            if token.kind == "turn":
                message = _("This reply address is only for battle %(about)s.")
            how = _("For challenge %(number)s, reply to an email about it or begin with a USER line.")
            if kind == "turn":
                how = _("For battle %(number)s, reply to an email about it or begin with a USER line.")
            raise OrderRejected(
                f"{message % {'about': token.about}} {how % {'number': number}}", nearest="USER <name> <mail password>"
            )
        return self.require_user(order)

    def check_hold(self, order: str, user: User) -> User:
        """Return the user; raise OrderRejected if a warning or suspension does not allow them this order."""
        reject_held_order(order, user, self.request.now)
        return user

    def report(self, what: str, write: Callable[[], str]) -> None:
        """Put a report into the answer, once."""
        if what not in self.answer.reports:
            self.answer.reports[what] = self.cover_words_of(self.state.line_number, write())

    def accept(self, line: Line, shown: str, *results: str) -> None:
        self.state.echoes.append(Echo(line.number, shown, "accepted"))
        self.answer.results.extend(self.cover_words_of(line.number, result) for result in results)

    def ignore(self, number: int, reason: str, shown: str = "", *, is_unread: bool = False) -> None:
        self.state.echoes.append(Echo(number, shown, "ignored", [reason], is_unread=is_unread, is_unknown=True))

    def reject(self, line: Line, shown: str, rejection: OrderRejected) -> None:
        remarks = [rejection.reason + (f" [{rejection.clause}]" if rejection.clause else "")]
        if rejection.nearest:
            remarks.append(write_nearest(rejection.nearest))
        remarks = [self.cover_words_of(line.number, remark) for remark in remarks]
        self.state.echoes.append(Echo(line.number, shown, "rejected", remarks, is_unknown=rejection.is_unknown))


def reject_held_order(order: str, user: User, now: datetime) -> None:
    """Raise OrderRejected if a warning or suspension does not allow `user` this order."""
    hold = read_hold(user, now)
    if hold is not None and not may_order(hold, order):
        raise OrderRejected(hold.say(), nearest="ACKNOWLEDGE" if hold.warnings else None)


def write_nearest(form: str) -> str:
    """Return the remark that names the nearest valid form of a line."""
    return _("Nearest: %(form)s") % {"form": write_form(form)}
