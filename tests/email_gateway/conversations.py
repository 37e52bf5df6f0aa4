"""Whole conversations by email, as text: what is sent, and every email that comes back.

A file of tests/email_gateway/conversations holds, after a line of prose, blocks that begin with a mark:

    == given user Frode              a user with a verified address and a mail password
    == given mage Froodal of Frode   a mage (its user is made if need be)
    == given duel Froodal Bung       a battle between mages; "under waving-hands" names another ruleset
    == given bots                    the computer opponents
    == given orders Froodal W/P      orders from the website, lines separated by " | "
    == given wait 3 days
    >> frode                         an email from frode@example.org to fm@, with its lines below
    >> frode, subject FM scores      the same with another subject
    >> frode, answers                the same, to the Reply-To of the last email that frode got
    << frode | subject               every email that came back, in order and complete

What changes from run to run (signed addresses, links) is masked; the marker line is left out.
`FM_WRITE_CONVERSATIONS=1` rewrites the files: read the differences before you commit them.
"""

import re
import smtplib
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import parseaddr

from accounts.models import Mage, User
from accounts.selectors.names import find_mage, find_user
from duels.models import Battle
from email_gateway.addresses import REPLY_ADDRESS
from email_gateway.models import InboundMail
from ladder.tasks import sweep_unrated_battles
from studies.tasks import count_finished_battles
from tests.bots import bring_bots
from tests.email_gateway.world import MailWorld, body, write_mail

MARK = re.compile(r"(?P<mark>==|>>|<<)(?: (?P<rest>.*))?$")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
KEYED_LINK = re.compile(r"(/mail/stop/|/mail/confirm/|/challenges/join/)\S+/")


@dataclass
class SmtpWorld(MailWorld):
    """Players whose emails come in through a listener."""

    port: int = 0
    replies: dict[str, str] = field(default_factory=dict)

    def take(self, raw: bytes, *, sender: str = "wil@example.org", to: str = "fm@localhost") -> InboundMail:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=20) as line:
            assert line.sendmail(sender, [to], raw) == {}
        return InboundMail.objects.order_by("-pk")[0]


@dataclass(frozen=True)
class Block:
    """A mark, what is beside it, and the lines below."""

    mark: str
    rest: str
    lines: tuple[str, ...]

    def write(self) -> str:
        return "\n".join([f"{self.mark} {self.rest}".rstrip(), *self.lines]).rstrip() + "\n"


def read_blocks(text: str) -> tuple[str, list[Block]]:
    """Return the prose above the first mark, and the blocks."""
    prose: list[str] = []
    blocks: list[tuple[str, str, list[str]]] = []
    for row in text.split("\n"):
        found = MARK.fullmatch(row)
        if found:
            blocks.append((found["mark"], found["rest"] or "", []))
        else:
            (blocks[-1][2] if blocks else prose).append(row)
    return "\n".join(prose).strip(), [Block(mark, rest, tuple(_trim(rows))) for mark, rest, rows in blocks]


def _trim(rows: list[str]) -> list[str]:
    while rows and not rows[-1]:
        rows = rows[:-1]
    return rows


def play(world: SmtpWorld, text: str) -> str:
    """Hold a conversation and return it as it went: the emails that were expected replaced by those that came."""
    prose, blocks = read_blocks(text)
    told = [prose + "\n"]
    for block in blocks:
        if block.mark == "==":
            _prepare(world, block.rest)
            told.append(block.write())
        elif block.mark == ">>":
            told.append(block.write())
            told += [write_block(mail).write() for mail in _send(world, block)]
    return "\n".join(told)


def _prepare(world: SmtpWorld, what: str) -> None:
    _do(world, what)
    # Emails about what was there before belong to no conversation.
    world.pass_over_mails()


def _do(world: SmtpWorld, what: str) -> None:
    words = what.removeprefix("given ").split(" ")
    kind, rest = words[0], words[1:]
    if kind == "user":
        world.user(rest[0])
    elif kind == "janitor":
        User.objects.filter(pk=world.user(rest[0]).pk).update(is_staff=True)
    elif kind == "mage":
        world.mage(rest[0], find_user(rest[2]) or world.user(rest[2]))
    elif kind == "duel":
        names, _, ruleset = " ".join(rest).partition(" under ")
        world.begin(*map(_mage, names.split(" ")), **({"ruleset": ruleset} if ruleset else {}))
    elif kind == "bots":
        bring_bots(now=world.now)
    elif kind == "orders":
        mage = _mage(rest[0])
        world.order(
            Battle.objects.filter(combatants__mage=mage).latest("number"), mage, " ".join(rest[1:]).replace(" | ", "\n")
        )
    elif kind == "wait":
        world.wait(**{rest[1]: int(rest[0])})
        count_finished_battles()
        sweep_unrated_battles()
    else:
        raise ValueError(what)


def _mage(name: str) -> Mage:
    mage = find_mage(name)
    assert mage is not None, name
    return mage


def _send(world: SmtpWorld, block: Block) -> Iterator[EmailMessage]:
    who, _, how = block.rest.partition(", ")
    sender = f"{who}@example.org"
    subject = how.removeprefix("subject ") if how.startswith("subject ") else "FM Orders"
    to = world.replies[sender] if how == "answers" else "fm@localhost"
    raw = write_mail("\n".join(block.lines) + "\n", sender=sender, subject=subject)
    for mail in world.send(raw, sender=sender, to=to):
        world.replies[parseaddr(str(mail["To"]))[1]] = parseaddr(str(mail["Reply-To"]))[1]
        yield mail


def write_block(mail: EmailMessage) -> Block:
    """Return an email as the block that expects it."""
    to = parseaddr(str(mail["To"]))[1].removesuffix("@example.org")
    text = HASH.sub("<hash>", KEYED_LINK.sub(r"\1…/", REPLY_ADDRESS.sub("<signed address>", body(mail))))
    return Block("<<", f"{to} | {mail['Subject']}", tuple(row.rstrip() for row in text.rstrip("\n").split("\n")))
