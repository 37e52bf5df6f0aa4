"""Players who use email: they write to the gateway like mail programs, and read its answers."""

import itertools
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage

from accounts.models import Mage, User
from accounts.services.mages import register_mage
from accounts.services.mail_passwords import set_mail_password
from accounts.services.users import create_user
from duels.models import Battle
from duels.selectors.viewer import get_combatant_for_user
from duels.services.orders import submit_orders
from duels.services.start import start_battle, take_number
from duels.terms import Terms
from email_gateway.compose.outbox import AT_ONCE, deliver_due
from email_gateway.models import InboundMail, LocalMail
from email_gateway.receive.intake import ingest_mail
from email_gateway.receive.process_mail import claim_inbound, process_mail
from email_gateway.text.quotes import MARKER
from notifications.models import Delivery
from operations.encryption import unseal_bytes
from tests.scenes import NOW

PASSWORD = "three-black-moths"
numbers = itertools.count(1)
# Headers that mail systems add on the way: a short email from a stranger gets a short answer.
TRACE = b"Received: from mail.example.org by mx.example.org with ESMTPS; Sun, 4 May 2031 12:00:00 +0000\r\n"
TRACES = TRACE * 5 + b"X-Signatures:\r\n" + b"".join(b" %s\r\n" % (b"0123456789abcdef" * 6) for _ in range(115))


def write_mail(text: str, *, sender: str = "wil@example.org", subject: str = "FM Orders", **headers: str) -> bytes:
    """Return a plain mail as a mail program would send it; header names have underscores for dashes."""
    mail = EmailMessage()
    mail["From"] = f"<{sender}>"
    mail["Subject"] = subject
    mail["Message-ID"] = f"<{next(numbers)}@example.org>"
    for name, value in headers.items():
        del mail[name.replace("_", "-")]
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return TRACES + mail.as_bytes(policy=policy.SMTP)


@dataclass
class MailWorld:
    """The gateway with its clock. `send` receives an email, processes it, sends due emails and returns those sent."""

    now: datetime = NOW
    read: set[str] = field(default_factory=set)

    def wait(self, **span: float) -> None:
        self.now += timedelta(**span)

    def user(self, name: str, *, address: str = "", verified: bool = True, password: str = PASSWORD) -> User:
        user = create_user(
            name=name, email=address or f"{name.lower()}@example.org", email_verified=verified, now=self.now
        )
        if password:
            set_mail_password(user=user, raw=password, now=self.now)
        return user

    def mage(self, name: str, user: User | None = None) -> Mage:
        return register_mage(user=user or self.user(f"{name}s"), name=name, now=self.now)

    def duel(self, *mages: Mage, **terms: object) -> Battle:
        battle = self.begin(*mages, **terms)
        self.pass_over_mails()
        return battle

    def pass_over_mails(self) -> None:
        """Count waiting emails as sent, without composing them."""
        self.wait(seconds=1)
        Delivery.objects.exclude(state="sent").update(state="sent", sent_at=self.now, sealed_mail="")

    def begin(self, *mages: Mage, **terms: object) -> Battle:
        """A battle whose emails nobody has sent yet."""
        return start_battle(number=take_number(), terms=Terms(**terms), mages=mages, now=self.now)  # type: ignore[arg-type]

    def order(self, battle: Battle, mage: Mage, text: str) -> None:
        """Orders from the website."""
        combatant = get_combatant_for_user(number=battle.number, user=mage.user, mage_name=mage.name)
        submit_orders(combatant=combatant, text=text, via="web", now=self.now, ready=True)

    def take(self, raw: bytes, *, sender: str = "wil@example.org", to: str = "fm@localhost") -> InboundMail:
        return ingest_mail(raw=raw, mail_from=sender, rcpt_tos=[to], now=self.now)

    def process(self) -> None:
        """Do the worker's job: process everything that waits."""
        self.wait(seconds=1)
        for mail in InboundMail.objects.filter(state__in=["received", "claimed"]).order_by("pk"):
            claimed = claim_inbound(mail_id=mail.pk, now=self.now)
            if claimed is not None:
                process_mail(mail=claimed, now=self.now)

    def new_mails(self) -> list[EmailMessage]:
        """Send what is due and return the emails not returned before, oldest first."""
        self.wait(seconds=1)
        while deliver_due(now=self.now) >= AT_ONCE:
            pass
        rows = [row for row in LocalMail.objects.order_by("pk") if row.message_id not in self.read]
        self.read |= {row.message_id for row in rows}
        mails = [message_from_bytes(unseal_bytes(bytes(row.sealed)), policy=policy.default) for row in rows]
        return [mail for mail in mails if isinstance(mail, EmailMessage)]

    def send(
        self, text: str | bytes, *, sender: str = "wil@example.org", to: str = "fm@localhost"
    ) -> list[EmailMessage]:
        raw = text if isinstance(text, bytes) else write_mail(text, sender=sender)
        self.take(raw, sender=sender, to=to)
        self.process()
        return self.new_mails()

    def ask(self, text: str | bytes, *, sender: str = "wil@example.org", to: str = "fm@localhost") -> str:
        """Send an email and return the text of its one answer; notices to anyone are passed over."""
        answers = [mail for mail in self.send(text, sender=sender, to=to) if mail["Auto-Submitted"] == "auto-replied"]
        assert len(answers) == 1, [mail["Subject"] for mail in answers]
        return body(answers[0])


def body(mail: EmailMessage, kind: str = "plain") -> str:
    """Return what an email says, without the marker line that all begin with."""
    return whole_body(mail, kind).removeprefix(f"{MARKER}\n\n")


def whole_body(mail: EmailMessage, kind: str = "plain") -> str:
    part = mail.get_body(preferencelist=(kind,))
    return str(part.get_content()) if part is not None else ""


def reply_address(mail: EmailMessage) -> str:
    return str(mail["Reply-To"])
