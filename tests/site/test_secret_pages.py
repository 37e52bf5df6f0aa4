"""Secrets of a running battle: two worlds that differ in them give the same bytes at every address of the site.

The addresses come from the URL patterns, so a new page is read without being listed; one with a new kind of argument
fails until `ARGUMENTS` knows it.
"""

import difflib
import itertools
import re

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from duels.models import OrderSheet, TurnEvent
from duels.services.orders import save_draft
from operations import presence
from studies.models import Branch, Collection, Note, Study
from studies.selectors.starts import read_start
from studies.services.analyses import analyse_next_turn, ask_for_study_analysis
from studies.services.begin import begin_study, import_study
from studies.services.collections import add_to_collection, make_collection
from studies.services.edit_study import set_answers, share_study
from studies.services.grow_tree import order_in_study
from tests.duels.fights import start_fight
from tests.duels.test_secrecy import INVISIBLE, differences, take_down, taken_back
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.services.plugin import LONG
from tests.site.test_addresses import list_names
from tests.studies.conftest import shallow
from tests.studies.fights import fields

__all__ = ["shallow"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# A form that is sent twice has the same random key; every page has its own.
ONCE = re.compile(rb'name="once" value="[0-9a-f]+"')
SLUG, OWN, SHARED, IMPORTED, COLLECTED = "froodals-study", "bungs-study", "shared", "imported", "collected"
# None: addresses with this argument have nothing to do with battles.
ARGUMENTS = {
    "number": lambda fight: fight.number,
    "seq": lambda fight: fight.battle.seq - 1,
    "name": lambda fight: "Froodal",
    "study": lambda fight: SLUG,
    "branch": lambda fight: 1,
    "collection": lambda fight: COLLECTED,
    "kind": lambda fight: "duel",
    "page": lambda fight: "ladder",
    "size": lambda fight: 24,
    "mage_id": lambda fight: fight.mages["Froodal"].pk,
    **dict.fromkeys(
        (
            "slug",
            "step",
            "other",
            "token",
            "pk",
            "code",
            "device_id",
            "token_id",
            "hook_id",
            "key",
            "change",
            "line",
            "secret",
            # What tables say of running duels is in tests/league/test_league_pages.py.
            "tier",
            "league",
            "cup",
            "month",
        )
    ),
    **dict.fromkeys(("link", "link_id")),
}
# Pages of other subjects: accounts, logging in, emails (tests/email_gateway/test_secrecy.py), the old names of calls.
ELSEWHERE = ("accounts:", "account_", "mfa_", "usersessions_", "email_gateway:", "old_api:", "challenges:", "close_")
# What else can be asked of a page.
QUERIES = {
    "duels:battle": ("?fragment=board", "?mage=Froodal", "?before=3", "?view=all"),
    "studies:battle_replay_turn": (
        *("?eyes=Froodal", "?eyes=all-seeing"),
        *("?fragment=turn", "?eyes=Froodal&fragment=turn"),
    ),
    "studies:search": ("?q=Froodal", "?mage=Froodal", "?spell=Invisibility"),
    "studies:position_svg": ("?eyes=Froodal", "?eyes=all-seeing"),
    "studies:position_png": ("?eyes=all-seeing",),
    "pictures:board_svg": ("?width=96",),
    "studies:analysis": ("?by=Archmage",),
    "studies:try": ("?mage=Froodal", "?fragment=board"),
    "studies:notes": ("?mage=Froodal",),
    "openings": ("?mage=Froodal",),
    "api:battle_events": ("?after=2&view=all",),
    "api:battle_search": ("?mage=Froodal",),
}
LATER = ("studies:battle_replay_turn", "studies:position_svg", "studies:position_png", "studies:try")
# What is shared about a battle that is over, in which the same turns were played, and Bung's study of the running one.
OF_THE_TWIN = (
    *("what-if/", "what-if/5/", "what-if/6/", "analysis/", "analysis/?by=Archmage", "notes/", "replay/5/?eyes=Red"),
)
OF_STUDIES = {
    SHARED: ("", "0/", "1/", "1/?fragment=board", "1/?mage=Red", "analysis/", "replay/"),
    IMPORTED: (
        *("", "4/", "5/", "5/?mage=Red", "analysis/", "analysis/?by=Archmage", "replay/5/", "replay/5/?eyes=Red"),
        *("replay/5/?eyes=looking-on&fragment=turn", "record.txt", "record.json"),
    ),
    OWN: ("", "0/?fragment=board", "1/", "1/?mage=Froodal", "record.txt", "analysis/", "replay/"),
}


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


def list_shared(twin):
    yield from (f"/battles/{twin.number}/{page}" for page in OF_THE_TWIN)
    yield f"/api/v1/battles/{twin.number}/analysis/"
    yield from (f"/studies/{slug}/{page}" for slug, pages in OF_STUDIES.items() for page in pages)
    yield from (f"/collections/add/?study={slug}" for slug in (SLUG, SHARED))


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


def compare(left, right):
    """Return what a failure should show: the status and headers that differ, and the lines of the page."""
    lines = difflib.unified_diff(*(each[2].decode(errors="replace").splitlines() for each in (left, right)), n=0)
    return [*zip(left[:2], right[:2], strict=True)] if left[:2] != right[:2] else [*lines]


def keep_secrets(fight, client, world):
    """Do everything in secret that a player can do, each time differently."""
    hidden, planned, tried, words, access = (
        ("S/-", "S/W", "D/F", "I hope for Fear", "link"),
        ("F/-", "LH P\nRH W\nSAY boo", "W/W", "They will never see it coming", "public"),
    )[world]
    fight.turn(hidden, "-/-")
    assert not TurnEvent.objects.filter(turn__seq=fight.battle.seq - 1, kind="spell").exists()
    fight.order("Froodal", planned)
    save_draft(combatant=fight.combatant("Froodal"), text=f"SAY {words}", stage=fight.key())
    client.post(f"/battles/{fight.number}/notes/", {"text": words, "mage": "Froodal"})
    study = try_turn(fight, client, SLUG, [(tried, "Froodal"), ("W/S", "Bung")])
    client.post(f"/studies/{SLUG}/1/change/", {"act": "name", "name": words, "comment": words})
    assert client.post(f"/studies/{SLUG}/1/change/", {"act": "share", "access": access}).status_code == 409
    # As if it had been shared before a janitor reopened the battle.
    Study.objects.filter(pk=study.pk).update(title=words, access=access)
    if world:
        kept = Collection.objects.get()
        add_to_collection(collection=kept, user=fight.user("Froodal"), study=study, words=words, now=NOW)
    assert (Note.objects.count(), OrderSheet.objects.exclude(draft="").count()) == (1, 1)


def try_turn(fight, client, slug, orders):
    """Try the present turn; return the study, with one branch."""
    address = f"/battles/{fight.number}/what-if/{fight.battle.seq}/"
    for text, mage in orders:
        client.post(address, fields(text, mage))
        study = Study.objects.order_by("pk").last()
        Study.objects.filter(pk=study.pk).update(slug=slug)
        address = f"/studies/{slug}/0/"
    assert Branch.objects.filter(study=study).count() == len(orders)
    return study


def share_what_may_be_shared(fight, stranger):
    """Play the same turns in a battle that ends; study, import, analyse and collect it, all for everyone to read."""
    froodal, bung = fight.user("Froodal"), fight.user("Bung")
    twin = start_fight(make_mage("Red", froodal), make_mage("Blue", bung))
    twin.turns([*INVISIBLE, ("S/-", "-/-")])
    twin.order("Red", "-/-")
    twin.order("Blue", "P/P", confirmed=True)
    study = begin_study(owner=froodal, start=read_start(number=twin.number, user=froodal, seq=5), now=NOW)
    order_in_study(study=study, branch=study.branches.get(), mage="Red", text="F/W", now=NOW)
    record = Client().get(f"/battles/{twin.number}/record.txt").content.decode()
    imported = import_study(owner=froodal, text=record, now=NOW)
    for each, slug in ((study, SHARED), (imported, IMPORTED)):
        Study.objects.filter(pk=each.pk).update(slug=slug)
        share_study(study=each, user=froodal, access="public", title=slug, now=NOW)
    ask_for_study_analysis(study=imported, user=stranger, now=NOW)
    while analyse_next_turn(now=NOW):
        pass
    kept = make_collection(owner=froodal, name="Duels with Bung", now=NOW)
    Collection.objects.update(slug=COLLECTED, access="public")
    for about in ({"battle": twin.battle}, {"battle": fight.battle}, {"study": study}, {"study": imported}):
        add_to_collection(collection=kept, user=froodal, words="", now=NOW, **about)
    return twin


def ask_about_studies(fight, guess):
    """Yield (address, fields) of requests for what is not the reader's, and of a bot's help where it may not help."""
    yield f"/studies/{SLUG}/0/", fields("F/F", "Bung")
    yield f"/studies/{SLUG}/copy/", {}
    yield f"/studies/{SLUG}/analysis/", {}
    yield f"/studies/{SLUG}/1/change/", {"act": "delete"}
    yield f"/studies/{SHARED}/0/", fields("F/F", "Blue")
    yield "/collections/add/", {"study": SLUG, "collection": COLLECTED}
    yield f"/battles/{fight.number}/analysis/", {}
    yield f"/studies/{guess}/0/", fields("F/F", "Blue")
    yield f"/studies/{OWN}/0/", fields("F/F", "Bung")
    yield f"/studies/{OWN}/0/", fields("P/F", "Froodal")


@pytest.mark.usefixtures("shallow", "stopped_clock")
def test_no_secret_of_a_running_battle_changes_a_byte_of_any_page(db):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns(INVISIBLE)
    bung, stranger = fight.user("Bung"), make_user("Stranger")
    twin = share_what_may_be_shared(fight, stranger)
    # Bung asks a bot at what may be the position of the running battle.
    guess = begin_study(owner=bung, start=read_start(number=twin.number, user=bung, seq=6), now=NOW)
    set_answers(study=guess, user=bung, answers={"Red": "Warder"})
    readers = {"opponent": Client(), "stranger": Client(), "nobody": Client()}
    readers["opponent"].force_login(bung)
    readers["stranger"].force_login(stranger)
    froodal = log_in(fight.user("Froodal"))
    own_pages = [f"/battles/{fight.number}/{page}" for page in ("", "notes/", "what-if/", "replay/5/")]
    own_pages += [f"/studies/{SLUG}/1/"]
    seen, own = [], []
    for world in (0, 1):
        # Who was here is public, and not taken back with the rows.
        presence._connect(presence.settings.REDIS_URL).flushdb()
        with taken_back():
            keep_secrets(fight, froodal, world)
            try_turn(fight, readers["opponent"], OWN, [("W/S", "Bung"), ("D/F", "Froodal")])
            addresses = [*list_addresses(fight), *list_shared(twin)]
            found = {}
            for place, (address, name) in enumerate(itertools.product(addresses, readers)):
                # What nobody gets, a stranger gets too: at the short count, a third of it is enough.
                if name == "nobody" and not LONG and place % 9 > 2:
                    continue
                # A GET where there is no page is answered before anyone is asked to log in.
                if found.get(("opponent", address), (0,))[0] != 405:
                    found[name, address] = read(readers[name], address)
            for name, (number, (address, sent)) in itertools.product(
                readers, enumerate(ask_about_studies(fight, guess.slug))
            ):
                found[name, address, number] = take_down(readers[name].post(address, sent))
            seen.append(found)
            own.append({address: read(froodal, address) for address in own_pages})
    assert [(key, compare(seen[0][key], seen[1][key])) for key in differences(*seen)] == []
    assert len(seen[0]) > 300 and sum(status == 200 for status, _, _ in seen[0].values()) > 150
    # They are secrets that Froodal can read.
    assert differences(*own) == own_pages
    # Bung's own study, what is shared, and the refusal of a bot's help are among what was compared.
    answers = {page[:2]: answer[0] for page, answer in seen[0].items()}
    for slug in (OWN, SHARED, IMPORTED):
        assert answers["opponent", f"/studies/{slug}/1/" if slug != IMPORTED else f"/studies/{slug}/5/"] == 200
    assert answers["opponent", f"/studies/{guess.slug}/0/"] == 409
