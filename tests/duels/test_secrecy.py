"""Secrets: whatever one mage plans or does unseen, no byte that others get is different.

Each example plays two worlds that differ only in a secret of Froodal, and takes down all that Bung, a spectator and a
stranger who is logged in can fetch. A savepoint takes each world back.
"""

import json
import re
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from accounts.services.tokens import issue_api_token
from duels.api.battle_stream import BattleFeed
from duels.models import OrderSheet, TurnEvent
from duels.services.orders import save_draft
from rules_engine import Viewer, look, read_state
from tests.duels.fights import charm_for_good, start_fight
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.services.plugin import LONG

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("stopped_clock")]

# A page costs thirty milliseconds, and a world is a dozen of them: few examples each time, many in the long run.
SECRETS = settings(
    max_examples=150 if LONG else 2,
    phases=[Phase.generate, Phase.shrink] if LONG else [Phase.generate],
    suppress_health_check=list(HealthCheck),
)
# Commitments have random salts: they differ in every world, and may be anything in any of them.
HASH = re.compile(rb"\b[0-9a-f]{64}\b")
# When an event was stored, and when a program asked for it: by the machine's clock.
MOMENT = re.compile(rb"\d{16}(?=-[0-9a-f]{16}[\"@])|(?<=@)\d{16}(?=\")")
CSRF = re.compile(rb'(name="csrfmiddlewaretoken" value=")[^"]+')

gestures = st.sampled_from("FPSWDC>-")
# Gestures that end no spell by themselves and touch nobody.
quiet = st.sampled_from("FSWDC-")
words = st.text(st.characters(codec="ascii", categories=["L", "Nd"]), min_size=1, max_size=12)
tries = st.sampled_from(
    [
        "P/P",
        "S/W",
        "LH W\nRH F\nTARGET LH Froodal",
        "LH X\nRH Y",
        "TARGET LH RH:Froodal",
        "CHOOSE LH Shield",
        "TARGET LH Frodoal\nDANCE",
    ]
)
order_texts = st.builds("LH {}\nRH {}\nSAY {}".format, gestures, gestures, words)


class World:
    """A fight, and everything that those who must not know can fetch about it."""

    def __init__(self, fight):
        self.fight = fight
        self.bung, self.stranger, self.nobody = Client(), Client(), Client()
        self.bung.force_login(fight.user("Bung"))
        stranger = make_user("Stranger")
        self.stranger.force_login(stranger)
        tokens = {"bung": fight.user("Bung"), "stranger": stranger}
        self.tokens = {who: issue_api_token(user=user, name=who, now=timezone.now())[0] for who, user in tokens.items()}

    def everything(self, tried):
        """All bytes, by reader and address, with the answer when Bung tries the orders `tried`."""
        n = self.fight.number
        page, api = f"/battles/{n}/", f"/api/battles/{n}/"
        paths = [page, api, f"{api}events/?after=2&view=all", f"{page}proof/", f"{api}proof/", f"{api}position/"]
        found = {("bung", path): take_down(self.bung.get(path)) for path in (*paths, f"{page}?mage=Froodal", "/")}
        watched = ("/battles/", f"/battles/featured/?shown=battle-{n}", f"/battles/featured/?shown=replay-{n}&turn=3")
        found |= {("nobody", path): take_down(self.nobody.get(path)) for path in (*paths, *watched)}
        # A player who watches sees no more there than others do.
        found["bung", watched[1]] = take_down(self.bung.get(watched[1]))
        found["stranger", page] = take_down(self.stranger.get(page))
        found |= {(who, "stream"): self.stream(token) for who, token in self.tokens.items()}
        found |= self.replays()
        return found | self.answers_to_bung(tried)

    def stream(self, token):
        """What the stream of the battle begins with; one who asks for another's mage gets none."""
        path = f"/api/v1/battles/{self.fight.number}/stream/"
        own, others = (
            BattleFeed({"path": path, "query_string": query, "headers": []}, token) for query in (b"", b"mage=Froodal")
        )
        assert others.read(token, is_woken=True) is None
        return own.read(token, is_woken=True).texts

    def replays(self):
        """The last turn that is over, as everyone may look back at it, and the one that is still open."""
        page, seq = f"/battles/{self.fight.number}/replay/", self.fight.battle.seq - 1
        paths = [f"{page}{seq}/{query}" for query in ("", "?eyes=Froodal&fragment=turn", "?eyes=all-seeing")]
        paths += [page, f"{page}{seq + 1}/", f"{page}{seq}/position.svg", f"{page}{seq}/position.png"]
        readers = {"bung": self.bung, "stranger": self.stranger, "nobody": self.nobody}
        return {(name, path): take_down(client.get(path)) for name, client in readers.items() for path in paths}

    def answers_to_bung(self, tried):
        """Hints, warnings, receipts, refusals."""
        n, key = self.fight.number, str(self.fight.key())
        fields = {"stage": key, "mage": "Bung", "act": "preview", "line": tried, "save": "0"}
        asked = {"draft": take_down(self.bung.post(f"/battles/{n}/draft/", fields))}
        for name, stage in (("orders", key), ("stale", "77.0.0")):
            with taken_back():
                body = json.dumps({"orders": tried, "ready": False, "key": stage})
                answer = self.bung.post(f"/api/battles/{n}/orders/", body, content_type="application/json")
                asked[name] = take_down(answer)
        return asked


def take_down(answer):
    # An ETag is a hash of the answer: it differs where a commitment does.
    left_out = ("Expires", "X-Request-ID", *(["ETag"] if HASH.search(answer.content) else []))
    headers = {name: value for name, value in answer.headers.items() if name not in left_out}
    content = MOMENT.sub(b"<moment>", CSRF.sub(rb"\1", answer.content))
    return answer.status_code, headers, HASH.sub(b"<hash>", content)


@contextmanager
def taken_back():
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def differences(left, right):
    return [key for key in left if left[key] != right[key]]


@pytest.fixture
def world(duel):
    duel.turns([("F/-", "W/-"), ("S/W", "D/F")])
    return World(duel)


@SECRETS
@given(one=order_texts, other=order_texts, tried=tries)
def test_pending_orders_of_one_mage_show_in_nothing_that_others_get(world, one, other, tried):
    seen = []
    for number, text in enumerate((one, other)):
        with taken_back():
            world.fight.order("Froodal", text, via=("web", "mail")[number], now=NOW + timedelta(hours=number))
            seen.append(world.everything(tried))
    assert differences(*seen) == []


@SECRETS
@given(one=order_texts, other=order_texts, tried=tries)
def test_drafts_and_orders_that_are_not_ready_leave_no_trace_for_others(world, one, other, tried):
    with taken_back():
        without = world.everything(tried)
    with taken_back():
        world.fight.order("Froodal", one, ready=None)
        save_draft(combatant=world.fight.combatant("Froodal"), text=other, stage=world.fight.key())
        assert OrderSheet.objects.filter(draft=other).exists()
        assert differences(without, world.everything(tried)) == []


@pytest.mark.parametrize("tried", ["LH -\nRH -\nSUICIDE", "DIRECT LH W Froodal"])
@pytest.mark.parametrize("ready", [True, None])
def test_others_get_no_sign_that_a_mage_will_end_their_own_life(db, tried, ready):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"), ruleset="warlocks")
    charm_for_good(fight.battle, "Froodal", by="Bung")
    world, seen = World(fight), []
    for text in ("LH W\nRH -", "LH W\nRH -\nSUICIDE"):
        with taken_back():
            fight.order("Froodal", text, ready=ready)
            seen.append(world.everything(tried))
    assert differences(*seen) == []
    assert OrderSheet.objects.exclude(lines=[]).count() == 0


@SECRETS
@given(one=order_texts, other=order_texts)
def test_wake_ups_are_the_same_whatever_is_ordered(world, django_capture_on_commit_callbacks, one, other):
    counts = []
    for text in (one, other):
        with taken_back(), django_capture_on_commit_callbacks() as woken:
            world.fight.order("Froodal", text)
            world.fight.order("Froodal", text + "x")
            world.fight.order("Froodal", text, ready=False)
            counts.append(len(woken))
    assert counts[0] == counts[1]


INVISIBLE = [("P/-", "-/-"), ("P/-", "-/-"), ("W/W", "-/-"), ("S/S", "-/-")]
BLIND = [("D/-", "-/-"), ("W/-", "-/-"), ("F/-", "-/-"), ("F/-", "-/-"), ("D/D", "-/-")]


@pytest.fixture(params=["invisible", "blind"])
def hidden_world(request, db):
    """Froodal is invisible, or Bung blind: Bung sees none of Froodal's gestures."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(INVISIBLE if request.param == "invisible" else BLIND)
    return World(fight)


@SECRETS
@given(one=st.tuples(quiet, quiet), other=st.tuples(quiet, quiet), tried=tries)
def test_gestures_that_others_could_not_see_show_in_nothing_that_they_get(hidden_world, one, other, tried):
    seen = []
    for left, right in (one, other):
        with taken_back():
            hidden_world.fight.turn(f"{left}/{right}", "-/-")
            # A spell may be noticed however it was made: only worlds without one differ in secrets alone.
            assume(not TurnEvent.objects.filter(turn__seq=hidden_world.fight.battle.seq - 1, kind="spell").exists())
            assume(not hidden_world.fight.battle.is_over)
            seen.append(hidden_world.everything(tried))
    assert differences(*seen) == []


def test_the_hidden_worlds_do_hide_something(hidden_world):
    hidden_world.fight.turn("S/W", "-/-")
    body = hidden_world.bung.get(f"/api/battles/{hidden_world.fight.number}/").json()
    froodal = next(mage for mage in body["mages"] if mage["name"] == "Froodal")
    assert (froodal["left"][-1], froodal["right"][-1]) == ("?", "?")
    me = log_in(hidden_world.fight.user("Froodal"))
    own = next(
        mage
        for mage in me.get(f"/api/battles/{hidden_world.fight.number}/").json()["mages"]
        if mage["name"] == "Froodal"
    )
    assert (own["left"][-1], own["right"][-1]) == ("S", "W")


def test_numbers_of_events_leave_no_gap_where_something_was_hidden(hidden_world):
    hidden_world.fight.turns([("S/W", "-/-"), ("D/F", "S/S")])
    for client in (hidden_world.bung, hidden_world.nobody):
        events = client.get(f"/api/battles/{hidden_world.fight.number}/events/").json()["events"]
        assert [event["number"] for event in events] == list(range(1, len(events) + 1))
    assert len(events) < hidden_world.fight.battle.event_count


GOBLIN = [("S/-", "-/-"), ("F/-", "-/-"), ("W/-", "-/-")]


def test_the_name_of_an_unseen_creature_is_refused_in_the_same_words_as_a_name_of_nothing(db):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([*GOBLIN, *BLIND])
    goblin = next(monster.name for monster in look(read_state(fight.battle.state), Viewer.all_seeing()).monsters)
    nothing = goblin[:-6] + "Gobbin"
    world = World(fight)
    told = []
    for name in (goblin, nothing):
        text = f"S/W\nTARGET LH {name}"
        said = world.answers_to_bung(text)
        nameless = re.compile(f"{goblin}|{nothing}".encode())
        told.append({door: (status, nameless.sub(b"X", body)) for door, (status, _, body) in said.items()})
    assert told[0]["orders"][0] == 422
    assert told[0] == told[1]
