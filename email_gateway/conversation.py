"""What happens while one mail is obeyed: who speaks, what became of each line, and what the answer is to contain."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from accounts.models import User
from accounts.selectors import read_hold
from duels.models import Combatant
from email_gateway.addresses import ReplyToken, TokenKind
from email_gateway.errors import OrderRefused
from email_gateway.text.lines import Line
from email_gateway.text.quotes import NOTHING, Printed

Verdict = Literal["obeyed", "refused", "ignored"]
# What whoever was warned or is suspended does not do; orders for a mage are held in their block.
HELD_ORDERS = frozenset(
    {"REGISTER", "NEWGAME", "CHANGEGAME", "ACCEPT", "OPPOSE", "INVITE", "MESSAGE", "ANNOUNCE"}
    | {"TIME", "GIVE", "PAUSE", "CALLOFF"}
)
# What a reply address may be for.
THINGS: dict[TokenKind, str] = {"turn": "battle", "challenge": "challenge"}


@dataclass
class Echo:
    """One line of the mail as the answer repeats it: `shown` holds no secret, `remarks` say why it was not obeyed."""

    number: int
    shown: str
    verdict: Verdict
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class TurnLine:
    """A TURN line of the block: the line, how the answer repeats it, and the turn that it names."""

    line: Line
    shown: str
    label: str


@dataclass
class Block:
    """The mage commands of one mail, from its GAME, MOVE or MAGE line (or its reply address) to END.

    `combatant` is None when that line was refused; the commands are then refused with it, and `why_not` says so. `turn`
    is what TURN said. `is_stopped`: a line below named another mage, and what follows is not for this one.
    """

    combatant: Combatant | None
    lines: list[tuple[Line, str]] = field(default_factory=list)
    turn: TurnLine | None = None
    why_not: str = "The mage they are for is not known."
    is_stopped: bool = False
    ended: bool = False


@dataclass(frozen=True)
class Vocabulary:
    """What an answer says of the commands: every word that belongs to one, in capitals, and the names of those that
    stand alone."""

    words: frozenset[str] = frozenset()
    commands: tuple[str, ...] = ()


@dataclass
class Conversation:
    """One mail being obeyed.

    `stage_mark` says which turns were open when it came (duels.selectors.take_stage_mark).
    `user` is who may give orders here: `proof` says by what. `token` is the reply address the mail came to, which
    names its `owner` even when it no longer allows anything.
    """

    now: datetime
    stage_mark: int
    sender: str
    vocabulary: Vocabulary = Vocabulary()
    token: ReplyToken | None = None
    owner: User | None = None
    user: User | None = None
    proof: Literal["reply address", "mail password", "confirmation"] | None = None
    wrong_password: bool = False
    # The mail's rows as they were written, its lines as they are read, the line being obeyed (0: the subject), and the
    # last one that was taken as the text of another.
    rows: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    # What it may quote of our own emails.
    printed: Printed = NOTHING
    line_number: int = 0
    taken_to: int = 0
    # The lines that the order being obeyed has taken as its text.
    text_lines: list[int] = field(default_factory=list)
    block: Block | None = None
    ended: bool = False
    echoes: list[Echo] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    reported: set[str] = field(default_factory=set)
    battle: int | None = None
    # The challenges that this user's orders were about.
    challenges: list[int] = field(default_factory=list)
    # The answer holds what nobody else may read: no copy of it is kept.
    secret: bool = False
    confirm_request: int | None = None
    # A change of the account that the answer asks the owner's address to confirm.
    confirm_change: int | None = None
    # The sender, where the mail came to a reply address of somebody who has not this address.
    is_elsewhere: bool = False
    elsewhere: str = ""
    # Where the answer goes to a user who has just ended, and has no address any more.
    farewell: str = ""
    faults: list[str] = field(default_factory=list)

    # Passwords and tokens that stand in the mail: nothing that we write repeats them.
    secrets: set[str] = field(default_factory=set)

    @property
    def is_trusted(self) -> bool:
        """Whether the sender may do what goes beyond ordinary play."""
        return self.user is not None and self.proof in ("mail password", "confirmation")

    def require_user(self, order: str) -> User:
        """Return who gives orders; raise OrderRefused when nobody has said so credibly."""
        if self.user is not None and self.is_trusted:
            return self.refuse_held(order, self.user)
        if self.wrong_password:
            raise OrderRefused(f"{order} needs a user, and the USER line is refused.", clause="FM-ORDGEN-3")
        raise OrderRefused(
            f"{order} needs a USER line before it.", nearest="USER <name> <mail password>", clause="FM-ORDGEN-3"
        )

    def require_user_for(self, order: str, kind: TokenKind, number: int) -> User:
        """As `require_user`, but the reply address that names this very challenge or battle does as well."""
        if self.user is not None and self.token is not None and self.token.kind in THINGS and not self.is_trusted:
            if (self.token.kind, self.token.about) == (kind, number):
                return self.refuse_held(order, self.user)
            raise OrderRefused(
                f"This reply address is for {THINGS[self.token.kind]} {self.token.about} alone. For {THINGS[kind]} "
                f"{number}, answer its own mail or begin with a USER line.",
                nearest="USER <name> <mail password>",
            )
        return self.require_user(order)

    def refuse_held(self, order: str, user: User) -> User:
        """Return the user; raise OrderRefused for an order that has to wait because of a warning or suspension."""
        hold = read_hold(user, self.now) if order in HELD_ORDERS else None
        if hold is not None:
            raise OrderRefused(hold.say(), nearest="ACKNOWLEDGE" if hold.warnings else None)
        return user

    def report(self, what: str, write: Callable[[], str]) -> None:
        """Put a report into the answer; what has been asked for before is there already."""
        if what not in self.reported:
            self.reported.add(what)
            self.reports.append(write())

    def obey(self, line: Line, shown: str, *results: str) -> None:
        self.echoes.append(Echo(line.number, shown, "obeyed"))
        self.results.extend(results)

    def refuse(self, line: Line, shown: str, refusal: OrderRefused) -> None:
        remarks = [refusal.reason + (f" [{refusal.clause}]" if refusal.clause else "")]
        if refusal.nearest:
            remarks.append(f"Nearest: {refusal.nearest}")
        self.echoes.append(Echo(line.number, shown, "refused", remarks))


AFTER_END = "after END"


MORE_AFTER_END = "after END, so send another mail"


NO_ORDER = "not an order"


NO_SUCH_ORDER = "There is no order"


# Why a line is not read that its writer may have meant as an order, unlike a quotation or a signature.
UNREAD = (AFTER_END, MORE_AFTER_END, NO_ORDER)


def is_unknown(echo: Echo) -> bool:
    """Tell whether a line is nothing that its writer knows to be an order."""
    return echo.verdict == "ignored" or any(remark.startswith(NO_SUCH_ORDER) for remark in echo.remarks)
