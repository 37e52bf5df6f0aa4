"""The delay until the other page shows a turn: python -m benchmarks.live_update [TURNS]

Two players fight on a `./run` stack of their own. One has the battle open in Chromium; the other sends the last orders.
Each turn is timed from before those orders leave (so before their commit) until the open page has changed, by the clock
that both share. Ends with 1 when the 95th percentile is above LIMIT seconds.
"""

import json
import re
import statistics
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.journeys.page_list import PASSWORD, settle, start_duel
from tests.journeys.web_player import WebPlayer
from tests.services.browser import ARGUMENTS, find_chromium
from tests.services.stack import Stack

LIMIT = 1.0
ORDERS = "LH -\nRH P"
# Notes when the page that is open asks for a new turn.
WATCH = """
window.changes = [];
let key = document.getElementById("state").dataset.key;
new MutationObserver(() => {
  const fresh = document.getElementById("state")?.dataset.key;
  if (fresh && fresh !== key) { key = fresh; window.changes.push((performance.timeOrigin + performance.now()) / 1000); }
}).observe(document.getElementById("battle"), { childList: true, subtree: true, attributes: true });
"""


def main(turns: int) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        stack = Stack(Path(scratch) / "var")
        stack.start()
        try:
            stack.wait_until_open()
            waits = measure(stack, turns)
        finally:
            stack.interrupt()
    p50, p95 = statistics.median(waits), statistics.quantiles(waits, n=20)[-1]
    print(f"{turns} turns, from the last orders to the other page: p50 {p50:.3f} s, p95 {p95:.3f} s, limit {LIMIT} s")
    return 0 if p95 <= LIMIT else 1


def measure(stack: Stack, turns: int) -> list[float]:
    """Play so many turns and return for each how long the other page took, in seconds."""
    first, second = settle(stack, "Watcher", "Ayla"), settle(stack, "Sender", "Crom")
    number = start_duel(first, "Ayla", second, "Crom")
    tokens = [make_token(player) for player in (first, second)]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), headless=True, args=ARGUMENTS)
        page = open_battle(browser, stack, number)
        waits = [play_turn(stack, page, number, tokens, turn) for turn in range(1, turns + 1)]
        browser.close()
    return waits


def make_token(player: WebPlayer) -> str:
    page = player.read("/accounts/tokens/")
    made = player.send(page, page.find_form_with("name"), name="live update")
    found = re.search(r"shown this once:</b> <code>(\S+)</code>", made.html)
    assert found, made.html
    return found[1]


def open_battle(browser: Any, stack: Stack, number: int) -> Any:
    page = browser.new_page()
    page.goto(f"{stack.url}/accounts/login/")
    page.locator("[name=login]").fill("Watcher")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(lambda address: "/login/" not in address)
    page.goto(f"{stack.url}/battles/{number}/")
    page.evaluate(WATCH)
    return page


def play_turn(stack: Stack, page: Any, number: int, tokens: list[str], turn: int) -> float:
    send_orders(stack, number, tokens[0])
    page.wait_for_selector("#state[data-state=sealed]", state="attached")
    sent = time.time()
    send_orders(stack, number, tokens[1])
    page.wait_for_selector(f"#state[data-stage^='{turn + 1}.']", state="attached")
    return float(page.evaluate(f"window.changes[{turn - 1}]")) - sent


def send_orders(stack: Stack, number: int, token: str) -> None:
    body = json.dumps({"orders": ORDERS, "ready": True}).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{stack.url}/api/battles/{number}/orders/", body, headers)
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 50))
