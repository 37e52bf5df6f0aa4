"""Four players who settle a challenge by email."""

from collections.abc import Mapping, Sequence

from accounts.models import Mage
from challenges.models import Challenge, Seat
from challenges.services.answers import accept_challenge
from notifications.models import Delivery, Notice
from tests.email_gateway.world import PASSWORD, MailWorld, write_mail

USERS = {"Froodal": "Frode", "Bung": "Bill", "Ulf": "Urs", "Crom": "Cora"}
Mages = Mapping[str, Mage]


def login(name: str, text: str) -> str:
    return f"USER {name} {PASSWORD}\n{text}"


def flat(text: str) -> str:
    """The text on one line, remarks below a line after it."""
    return " ".join(text.replace("\n >", " ").split())


def say(world: MailWorld, mage: str, text: str) -> str:
    """Send a line as the user of this mage and return the answer, on one line."""
    return flat(world.ask(login(USERS[mage], text)))


def make(world: MailWorld, mages: Mages, options: str, *joined: str) -> Challenge:
    """Froodal's challenge, made by email, which these have joined. No notices of it are left."""
    before = set(Challenge.objects.values_list("pk", flat=True))
    world.take(write_mail(login("Frode", f"NEWGAME Froodal {options}")))
    world.process()
    challenge = Challenge.objects.exclude(pk__in=before).get()
    for name in joined:
        accept_challenge(number=challenge.number, mage=mages[name], now=world.now)
    for tidings in (Delivery, Notice):
        tidings.objects.all().delete()
    challenge.refresh_from_db()
    return challenge


def refuse_all(world: MailWorld, user: str, lines: Sequence[str], **sent: str) -> dict[str, str]:
    """Send lines, each of which is rejected; return what is said below each of them. No USER line without a `user`."""
    text = "\n".join(lines)
    answer = world.ask(login(user, text) if user else text, **sent)
    told: dict[str, list[str]] = {}
    for row in answer.split("\n"):
        if row in lines:
            told[row] = []
        elif row.startswith(" > ") and told:
            told[list(told)[-1]].append(row[3:])
    assert set(told) == set(lines) and all(told.values()), answer
    return {line: " ".join(rows) for line, rows in told.items()}


def state_of(name: str) -> str:
    return str(Seat.objects.get(mage__name=name).state)
