"""A bot in one file: play a duel on a Firetop Mountain site through its API.

    python client.py https://site.example fm_TOKEN            plays the Apprentice
    python client.py https://site.example fm_TOKEN Magus      plays another bot of the site
    python client.py https://site.example fm_TOKEN 12         plays battle 12, in which you have a mage

It follows the spells below and parries what the other mage is about to complete.
"""

import json
import sys
import time
import urllib.error
import urllib.request

# Series of gestures of one hand, and how much it is worth to complete them. Change these first.
HARM = {"SD": 1, "WFP": 2, "WPFD": 3, "DFFDD": 5, "FSSDD": 5, "DWWFWD": 7, "PWPFSSSD": 40}
REST = {"DSF": 2, "FFF": 3, "SWD": 2, "DPP": 2, "PSDF": 2, "SFW": 3, "PSFW": 5, "FPSFW": 7, "WFPSFW": 9}
WORTH = {**HARM, **REST, "P": 0.3, "DFW": 1, "DFPW": 1.5, "WPP": 1, "WWS": 1}


class Site:
    """The API of a site, called as the owner of a token."""

    def __init__(self, url, token):
        self.url = url.rstrip("/") + "/api/v1"
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def call(self, path, **body):
        data = json.dumps(body).encode() if body else None
        with urllib.request.urlopen(urllib.request.Request(self.url + path, data, self.headers), timeout=30) as answer:
            return json.load(answer)


def made(history, series):
    """How many gestures of a series the end of a history has."""
    return next(n for n in range(len(series), -1, -1) if history.endswith(series[:n]))


def value(history, gesture):
    """What a gesture is worth to a hand: what it completes, and what it brings nearer."""
    after = history + gesture.replace(">", "-").replace("C", "-")
    done = sum(worth for series, worth in WORTH.items() if after.endswith(series))
    return done + max(worth * 0.45 ** (len(series) - made(after, series)) for series, worth in WORTH.items())


def choose(me, foe, attackers, allowed):
    """The best pair of the gestures allowed to each hand. Two palms surrender, and an enchantment may add one."""
    hands = (foe["left"], foe["right"])
    danger = attackers + sum(worth for hand in hands for series, worth in HARM.items() if hand.endswith(series[:-1]))
    left, right = (allowed.get(hand) or ["-"] for hand in ("LH", "RH"))
    pairs = [(one, other) for one in left for other in right if (one + other).count("P") < 2 - bool(me["enchantments"])]
    guard = min(danger, 4)
    return max(pairs, key=lambda each: value(me["left"], each[0]) + value(me["right"], each[1]) + ("P" in each) * guard)


def answer(question, foe):
    """The order line that answers a question: harm goes to the other mage, of two spells the longer name wins."""
    allowed = [option for option in question["options"] if option["allowed"]]
    return max(allowed, key=lambda option: (option["value"] == foe, len(option["label"])))["line"]


def play_turn(site, number, battle):
    """Give the orders that a battle waits for."""
    orders = battle["orders"]
    me = next(mage for mage in battle["mages"] if mage["name"] == orders["mage"])
    foe = next(mage for mage in battle["mages"] if mage["name"] != me["name"])
    asked = {question["id"]: question["options"] for question in orders["questions"] if question["kind"] == "gesture"}
    allowed = {hand: [each["value"] for each in options if each["allowed"]] for hand, options in asked.items()}
    pair = choose(me, foe, sum(monster["target"] == me["name"] for monster in battle["monsters"]), allowed)
    lines = [f"{hand} {gesture}" for hand, gesture in zip(("LH", "RH"), pair, strict=True) if hand in asked]
    key = "{seq}.{attempt}.{stage}".format(**battle["key"])
    for _ in range(6):  # an answer may lead to another question
        sent = site.call(f"/battles/{number}/orders/", orders="\n".join(lines), ready=True, key=key, replace=True)
        if not sent["missing"]:
            return
        lines += [answer(question, foe["name"]) for question in sent["missing"]]


def play(site, number):
    """Play a battle to its end, and return the result."""
    while (battle := site.call(f"/battles/{number}/"))["status"] in ("running", "stuck"):
        if battle["orders"] and not battle["orders"]["ready"]:
            try:
                play_turn(site, number, battle)
            except urllib.error.HTTPError as problem:
                if problem.code != 409:  # the turn has resolved since
                    raise
        time.sleep(0.2)
    return battle["result"]


if __name__ == "__main__":
    site, what = Site(*sys.argv[1:3]), (sys.argv[3:] or ["Apprentice"])[0]
    try:
        number = int(what) if what.isdigit() else site.call("/play/", strength=what)["battle"]
        print(f"Battle {number}: {play(site, number)}")
    except urllib.error.HTTPError as problem:
        sys.exit(json.load(problem)["detail"])
