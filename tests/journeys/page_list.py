"""Every page that someone can visit, and a stack with enough data for each of them."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime

from tests.journeys.web_player import WebPlayer
from tests.services.stack import Stack

PASSWORD = "nine-blue-doors-27"
SIZES = {"phone": (390, 844), "desktop": (1280, 900)}


@dataclass(frozen=True)
class Visit:
    """A page: its name, its address, and its viewer (a key of `Cast`, "" for a visitor)."""

    name: str
    path: str
    who: str = ""


@dataclass(frozen=True)
class Cast:
    """The viewers: user name and password by role, their battles, and a challenge that waits."""

    log_ins: dict[str, tuple[str, str]]
    running: int
    finished: int
    challenge: int


def furnish(stack: Stack) -> Cast:
    """Make a newcomer without a mage, someone whose only battle is over, and a running duel between two players."""
    first, second = (settle(stack, f"Reader_{mage}", mage) for mage in ("Aldith", "Corvin"))
    finished = start_duel(first, "Aldith", second, "Corvin")
    send_orders(first, finished, LH="P", RH="P")
    send_orders(second, finished, LH="W", RH="S")
    third, fourth = (settle(stack, f"Reader_{mage}", mage) for mage in ("Edwyn", "Gunhild"))
    running = start_duel(third, "Edwyn", fourth, "Gunhild")
    # An ogre on one side, a threat on the other, and an order line that waits.
    for mine, other in ((("P", "S"), ("P", "W")), (("S", "F"), ("W", "P")), (("F", "W"), ("P", "S"))):
        send_orders(third, running, LH=mine[0], RH=mine[1])
        send_orders(fourth, running, LH=other[0], RH=other[1])
    newcomer = WebPlayer(stack.url)
    newcomer.sign_up("Reader_new", email="reader.new@example.org", password=PASSWORD)
    players = {"player": third, "waiting": fourth, "idle": first, "newcomer": newcomer}
    send_orders(fourth, running, LH="D", RH="F")
    settle(stack, "Reader_Hewe", "Hewe")
    waiting = second.make_challenge("Corvin", against="Hewe")
    return Cast({role: (player.name, PASSWORD) for role, player in players.items()}, running, finished, waiting)


def settle(stack: Stack, name: str, mage: str) -> WebPlayer:
    player = WebPlayer(stack.url)
    player.sign_up(name, email=f"{name.lower()}@example.org", password=PASSWORD)
    player.register_mage(mage)
    return player


def start_duel(first: WebPlayer, mage: str, second: WebPlayer, against: str) -> int:
    number = first.make_challenge(mage, against=against)
    second.answer(number, "accept")
    return number


def send_orders(player: WebPlayer, number: int, **gestures: str) -> None:
    """Choose a gesture for each hand and press Ready, twice where the page asks again."""
    path = f"/battles/{number}/"
    page = player.press(path, path, act="ready", **gestures)
    form = next((form for form in page.forms if form.fields.get("confirmed") == "yes"), None)
    if form is not None:
        page = player.send(page, form, act="ready", **gestures)
    assert page.status == 200 and not re.search(r'class="field-error"', page.html), page.html


def list_visits(cast: Cast) -> list[Visit]:
    """Every page, each for someone who has a reason to be there."""
    running, finished = f"/battles/{cast.running}/", f"/battles/{cast.finished}/"
    challenge = f"/challenges/{cast.challenge}/"
    return [
        Visit("front", "/"),
        Visit("signup", "/accounts/signup/"),
        Visit("login", "/accounts/login/"),
        Visit("login-by-code", "/accounts/login/code/"),
        Visit("password-reset", "/accounts/password/reset/"),
        Visit("rules", "/rules/"),
        Visit("ruleset", "/rules/warlocks/"),
        Visit("rulesets-compared", "/rules/firetop-standard/against/warlocks/"),
        Visit("battles", "/battles/"),
        Visit("search", "/battles/search/?kind=duel"),
        Visit("classics", "/classics/"),
        Visit("challenges-stranger", "/challenges/"),
        Visit("challenge-stranger", challenge),
        Visit("play-stranger", "/play/"),
        Visit("bots", "/bots/"),
        Visit("learn", "/learn/"),
        Visit("lesson", "/learn/creatures/2/"),
        Visit("puzzles", "/puzzles/"),
        Visit("month", f"/months/{datetime.now(UTC):%Y-%m}/"),
        Visit("puzzle", "/puzzles/1/"),
        Visit("ladder", "/ladder/"),
        Visit("league", "/league/"),
        Visit("league-rules", "/league/rules/"),
        Visit("statistics", "/statistics/"),
        Visit("dump", "/dump/"),
        Visit("api-docs", "/api/docs/"),
        Visit("privacy", "/privacy/"),
        Visit("status", "/status/"),
        Visit("openings", "/openings/?line=SW"),
        Visit("user", "/users/Reader_Aldith/"),
        Visit("mage", "/mages/Corvin/"),
        Visit("not-found", "/nothing/"),
        Visit("mailbox", "/mailbox/"),
        Visit("mail", "/mailbox/1/"),
        Visit("battle-spectator", running),
        Visit("battle-finished-spectator", finished),
        Visit("proof", f"{finished}proof/"),
        Visit("proof-running", f"{running}proof/"),
        Visit("replay-spectator", f"{finished}replay/1/"),
        Visit("register-mage", "/accounts/mages/new/", "newcomer"),
        Visit("home-without-mage", "/", "newcomer"),
        Visit("home-without-battles", "/", "idle"),
        Visit("battle-finished", finished, "idle"),
        Visit("replay", f"{finished}replay/1/", "idle"),
        Visit("challenges", "/challenges/", "idle"),
        Visit("challenge-new", "/challenges/new/", "idle"),
        Visit("play", "/play/", "idle"),
        Visit("find-opponent", "/challenges/match/", "idle"),
        Visit("challenge", challenge, "idle"),
        Visit("home", "/", "player"),
        Visit("battle", running, "player"),
        Visit("mages", "/accounts/mages/", "player"),
        Visit("settings", "/accounts/settings/", "player"),
        Visit("mail-password", "/accounts/mail-password/", "player"),
        Visit("tokens", "/accounts/tokens/", "player"),
        Visit("devices", "/accounts/notices/", "player"),
        Visit("hooks", "/accounts/hooks/", "player"),
        Visit("blocks", "/accounts/blocks/", "player"),
        Visit("reports", "/reports/", "player"),
        Visit("report-new", "/reports/new/?about=1", "player"),
        Visit("standing", "/accounts/hold/", "player"),
        Visit("addresses", "/accounts/email/", "player"),
        Visit("sessions", "/accounts/sessions/", "player"),
        Visit("password-change", "/accounts/password/change/", "player"),
        Visit("logout", "/accounts/logout/", "player"),
        Visit("following", "/following/", "player"),
        Visit("studies", "/studies/", "player"),
        Visit("import", "/studies/import/", "player"),
        Visit("position", "/studies/position/", "player"),
        Visit("collections", "/collections/", "player"),
        Visit("inbox", "/inbox/", "player"),
        Visit("message", "/messages/new/", "player"),
        Visit("emails", "/accounts/emails/", "player"),
        Visit("name", "/accounts/name/", "player"),
        Visit("account-close", "/accounts/close/", "player"),
        Visit("chat", f"{running}chat/", "player"),
        Visit("home-waiting", "/", "waiting"),
        Visit("battle-ready", running, "waiting"),
        Visit("battle-change", f"{running}?change=1", "waiting"),
    ]
