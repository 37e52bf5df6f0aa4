"""A player at a real browser: everything by clicking and typing on the pages."""

import re
from typing import Any

from tests.journeys.secrets_used import Secrets

PATIENCE = 30_000

# Twenty-five seconds.
MOST_TRIES = 100
# Chooses the first card of each question that has no answer, and presses Ready.
CHOOSE_AND_PRESS = """() => {
  for (const question of document.querySelectorAll(".question .cards")) {
    if (!question.querySelector("input:checked")) question.querySelector("input:enabled")?.click();
  }
  document.getElementById("ready")?.click();
}"""


class BrowserPlayer:
    """One browser profile on the site at `url`. `page` is a `playwright.sync_api.Page`."""

    def __init__(self, page: Any, url: str, secrets: Secrets) -> None:
        self.page = page
        self.url = url
        self.secrets = secrets
        page.set_default_timeout(PATIENCE)
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: message.type == "error" and self.faults.append(message.text))

    def open(self, path: str) -> None:
        self.page.goto(self.url + path)

    def sign_up(self, name: str, *, email: str, password: str) -> None:
        """Sign up and arrive at the registration of a first mage."""
        self.open("/accounts/signup/")
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_label("Email").fill(email)
        self.page.get_by_label("Password").fill(self.secrets.note("password", password))
        self.page.get_by_role("button", name="Sign up").click()
        self.page.wait_for_url(re.compile(r"/accounts/mages/new/"))

    def log_in(self, name: str, password: str) -> None:
        self.open("/accounts/login/")
        self.page.locator("[name=login]").fill(name)
        self.page.locator("[name=password]").fill(password)
        self.page.locator("[name=password]").press("Enter")
        self.page.wait_for_url(lambda address: "/login/" not in address)

    def register_mage(self, name: str) -> None:
        """Register a mage on the page that is open."""
        self.page.get_by_label("Name").fill(name)
        self.page.get_by_role("button", name="Register", exact=True).click()
        self.page.wait_for_url(lambda address: "/mages/new/" not in address)

    def challenge(self, mage: str, against: str, *, stakes: str = "friendly", **terms: str) -> int:
        """Challenge one mage as the only free one, with these values of the folded selects; return the number."""
        self.open("/challenges/new/")
        assert self.page.locator("input[name=mage]").input_value() == mage
        self.choose_card("A mage I name")
        self.page.locator(f".choice-card:has([name=stakes][value={stakes}])").click()
        self.page.locator("[name=against]").fill(against)
        if terms:
            self.page.get_by_text("More terms").click()
        for name, value in terms.items():
            self.page.locator(f"select[name={name}]").select_option(value)
        self.page.get_by_role("button", name="Create challenge").click()
        self.page.wait_for_url(re.compile(r"/challenges/\d+/$"))
        return int(self.page.url.rstrip("/").rpartition("/")[2])

    def choose_card(self, words: str) -> None:
        """Click one of the large choices of the form, as a reader sees it."""
        self.page.locator(".choice-card", has_text=words).click()

    def accept(self, number: int) -> None:
        """Take the seat and arrive at the battle."""
        self.open(f"/challenges/{number}/")
        self.page.get_by_role("button", name="Accept").click()
        self.page.wait_for_url(re.compile(rf"/battles/{number}/"))

    def follow(self, number: int) -> None:
        """Return when the page of the challenge has led to its battle, which it does by itself."""
        self.page.wait_for_url(re.compile(rf"/battles/{number}/"))

    def show_keys(self) -> None:
        """Go on from the result of a turn, which a phone shows in place of the keys."""
        result = self.page.locator("[data-play]")
        if result.is_visible():
            result.click()

    def choose(self, left: str, right: str) -> None:
        """Click the key of each hand; a clap first, because that click claps with both."""
        self.show_keys()
        wanted = (("LH", left), ("RH", right))
        for hand, gesture in sorted(wanted, key=lambda pair: pair[1] != "C"):
            key = self.page.locator(f"label.key:has(input[name={hand}][value='{gesture}'])")
            if not key.locator("input").is_checked():
                key.click()
        chosen = [self.page.locator(f"input[name={hand}]:checked").get_attribute("value") for hand in ("LH", "RH")]
        assert chosen == [left, right]

    def choose_allowed(self, left: str, right: str) -> dict[str, str]:
        """Choose these gestures, or nothing where a bot's spell forbids one. Return the choice by hand, without a hand
        that a spell holds: it has no keys."""
        self.show_keys()
        chosen: dict[str, str] = {}
        for hand, wanted in (("LH", left), ("RH", right)):
            for gesture in (wanted, "-"):
                key = self.page.locator(
                    f"label.key:has(input[name={hand}][value='{gesture}']:not([aria-disabled=true]))"
                )
                if hand in chosen or not key.count():
                    continue
                if not key.locator("input").is_checked():
                    key.click()
                chosen[hand] = gesture
        return chosen

    def read_chosen(self) -> dict[str, str]:
        """Return the gesture of each hand whose key is down."""
        keys = self.page.locator("input:is([name=LH], [name=RH]):checked").all()
        return {str(key.get_attribute("name")): str(key.get_attribute("value")) for key in keys}

    def answer(self, slot: str, order: str) -> None:
        """Answer one of the page's questions with an order line."""
        question = self.page.locator(f"[data-slot='{slot}']")
        question.wait_for(state="attached")  # until the page has asked about the keys
        if question.evaluate("each => each.tagName") == "SELECT":
            question.select_option(order)
        elif (card := question.locator(f"input[value='{order}']")).count():
            card.check()
        else:
            question.locator("select").select_option(order)

    def ready(self) -> None:
        """Press the button, as quickly as a hand does: the page may still be counting the last choice."""
        self.page.locator("#ready").click(force=True)

    def play(self, left: str, right: str) -> None:
        self.choose(left, right)
        self.ready()

    def wait_for_turn(self, number: int) -> None:
        """Return when the page, by itself, asks for this turn."""
        self.page.wait_for_selector(f"#state[data-stage^='{number}.'][data-waits=yes]", state="attached")

    def finish_turn(self, number: int) -> None:
        """Press Ready until the page shows a later turn or the end: a bot's spell, or the gestures that it leaves, may
        lead to questions. Any answer will do."""
        state = self.page.locator("#state")
        for _try in range(MOST_TRIES):
            self.page.wait_for_timeout(250)
            turn = int(str(state.get_attribute("data-stage")).partition(".")[0])
            if turn > number or state.get_attribute("data-state") == "over":
                return
            self.page.evaluate(CHOOSE_AND_PRESS)
        raise AssertionError(f"turn {number} does not end")

    def wait_until_sealed(self) -> None:
        self.page.wait_for_selector("#state[data-state=sealed]", state="attached")

    def hit_points(self, mage: str) -> int:
        """The hit points that the page shows for the mage once a turn's reveal is over: until then they are the old."""
        self.page.wait_for_selector(".battle:not(.revealing)")
        head = self.page.locator(".mage-head", has=self.page.locator("h2", has_text=mage))
        return int(head.locator(".hp b").inner_text())

    def mark_page(self) -> None:
        """Leave a mark that any loading of a new page wipes out."""
        self.page.evaluate("window.notReloaded = true")

    def was_reloaded(self) -> bool:
        return not self.page.evaluate("window.notReloaded === true")
