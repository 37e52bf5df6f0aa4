"""Secrets of a running battle: two worlds that differ in them give the same bytes at every address of the site.

The addresses come from the URL patterns, so a new page is read without being listed; one with a new kind of argument
fails until `ARGUMENTS` knows it.
"""

import itertools
import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from duels.models import OrderSheet, TurnEvent
from duels.services import save_draft
from studies.models import Note, Study
from tests.duels.fights import NOW, make_mage, make_user, start_fight
from tests.duels.test_secrecy import INVISIBLE, differences, take_down, taken_back
from tests.site.test_addresses import list_names
from tests.studies.fights import fields

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# A form that is sent twice has the same random key; every page has its own.
ONCE = re.compile(rb'name="once" value="[0-9a-f]+"')
SLUG = "froodals-private-study"
# None: addresses with this argument have nothing to do with battles.
ARGUMENTS = {
    "number": lambda fight: fight.number,
    "seq": lambda fight: fight.battle.seq - 1,
    "name": lambda fight: "Froodal",
    "study": lambda fight: SLUG,
    "branch": lambda fight: 1,
    "collection": lambda fight: "nothing",
    "kind": lambda fight: "duel",
    "mage_id": lambda fight: fight.mages["Froodal"].pk,
    **dict.fromkeys(
        ("slug", "step", "other", "token", "pk", "code", "device_id", "token_id", "delivery_id", "key", "change")
    ),
    **dict.fromkeys(("link", "link_id")),
}
# Pages of other subjects: accounts, logging in, emails (tests/email_gateway/test_secrecy.py), the old names of calls.
ELSEWHERE = ("accounts:", "account_", "mfa_", "usersessions_", "email_gateway:", "old_api:", "challenges:", "close_")
# What else can be asked of a page.
QUERIES = {
    "duels:battle": ("?fragment=board", "?mage=Froodal", "?before=3", "?view=all"),
    "duels:replay_turn": ("?eyes=Froodal", "?eyes=all-seeing", "?fragment=turn", "?eyes=Froodal&fragment=turn"),
    "duels:search": ("?q=Froodal", "?mage=Froodal", "?spell=Invisibility"),
    "duels:position_svg": ("?eyes=Froodal", "?eyes=all-seeing"),
    "duels:position_png": ("?eyes=all-seeing",),
    "studies:analysis": ("?by=Archmage",),
    "studies:try": ("?mage=Froodal", "?fragment=board"),
    "studies:notes": ("?mage=Froodal",),
    "openings": ("?mage=Froodal",),
    "api:battle_events": ("?after=2&view=all",),
    "api:battle_search": ("?mage=Froodal",),
}
LATER = ("duels:replay_turn", "duels:position_svg", "duels:position_png", "studies:try")


def list_addresses(fight):
    """Yield every address that can be about the battle, and its queries."""
    known = {f"{namespace}{name}": names for namespace, name, names in list_arguments(get_resolver())}
    for name in sorted(set(list_names())):
        if name.startswith(ELSEWHERE):
            continue
        unknown = set(known[name]) - set(ARGUMENTS)
        assert not unknown, f"{name} wants {unknown}: say in ARGUMENTS what it means"
        if any(ARGUMENTS[each] is None for each in known[name]):
            continue
        given = {each: ARGUMENTS[each](fight) for each in known[name]}
        address = reverse(name, kwargs=given)
        yield address
        yield from (address + query for query in QUERIES.get(name, ()))
        if name in LATER:  # the turn that is still open
            yield reverse(name, kwargs={**given, "seq": given["seq"] + 1})


def list_arguments(resolver, namespace=""):
    """Yield (namespace, name, names of the arguments) of all addresses."""
    for entry in resolver.url_patterns:
        if hasattr(entry, "url_patterns"):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from list_arguments(entry, inner)
        else:
            yield namespace, entry.name, tuple(entry.pattern.converters)


def read(client, address):
    status, headers, content = take_down(client.get(address))
    return status, headers, ONCE.sub(b"", content)


def keep_secrets(fight, client, world):
    """Do everything in secret that a player can do, each time differently."""
    hidden, planned, tried, words = (
        ("S/-", "S/W", "D/F", "I hope for Fear"),
        ("F/-", "LH P\nRH W\nSAY boo", "W/W", "They will never see it coming"),
    )[world]
    fight.turn(hidden, "-/-")
    assert not TurnEvent.objects.filter(turn__seq=fight.battle.seq - 1, kind="spell").exists()
    fight.order("Froodal", planned)
    save_draft(combatant=fight.combatant("Froodal"), text=f"SAY {words}", stage=fight.key(), now=NOW)
    client.post(f"/battles/{fight.number}/notes/", {"text": words, "mage": "Froodal"})
    client.post(f"/battles/{fight.number}/what-if/{fight.battle.seq}/", fields(tried, "Froodal"))
    Study.objects.update(slug=SLUG, title=words)
    assert (Note.objects.count(), Study.objects.count(), OrderSheet.objects.exclude(draft="").count()) == (1, 1, 1)


def test_no_secret_of_a_running_battle_changes_a_byte_of_any_page(db):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(INVISIBLE)
    readers = {"opponent": Client(), "stranger": Client(), "nobody": Client()}
    readers["opponent"].force_login(fight.user("Bung"))
    readers["stranger"].force_login(make_user("Stranger"))
    froodal = Client()
    froodal.force_login(fight.user("Froodal"))
    seen, own = [], []
    for world in (0, 1):
        with taken_back():
            keep_secrets(fight, froodal, world)
            pages = list(itertools.product(readers, list_addresses(fight)))
            seen.append({page: read(readers[page[0]], page[1]) for page in pages})
            mine = {address for _, address in pages if f"/{fight.number}/" in address}
            own.append({address: read(froodal, address) for address in sorted(mine)})
    assert differences(*seen) == []
    assert len(seen[0]) > 200 and sum(status == 200 for status, _, _ in seen[0].values()) > 100
    # They are secrets that Froodal can read.
    told = {address.split("?")[0].rsplit(f"/{fight.number}/")[-1] for address in differences(*own)}
    assert {"", "notes/", "what-if/", "replay/5/"} <= told
