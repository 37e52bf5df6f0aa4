"""Notes are sealed until the end, from everyone; then everyone reads them beside the turns."""

import re

import pytest
from django.test import Client

from accounts.models import User
from duels.models import Battle
from studies.models import Note
from studies.selectors.records import get_record_after_end
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SECRET = "Expect-the-wave-and-a-shield"
CSRF = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]+"')


@pytest.fixture
def fight():
    return start_fight(make_mage("Froodal"), make_mage("Bung"))


def note(fight, name, text):
    return log_in(fight.user(name)).post(f"/battles/{fight.number}/notes/", {"text": text, "mage": name})


def everyone_else(fight):
    """Every role that must not read Froodal's notes: the opponent, a stranger, nobody, a janitor at the desk."""
    keeper = User.objects.create_superuser("Keeper", "keeper@example.org", "not so secret")
    return {
        "opponent": log_in(fight.user("Bung")),
        "stranger": log_in(make_user("Olga")),
        "nobody": Client(),
        "janitor": log_in(keeper),
    }


def read_all(fight, readers):
    n = fight.number
    paths = [f"/battles/{n}/", f"/battles/{n}/notes/", f"/battles/{n}/notes/?mage=Froodal", f"/battles/{n}/table/"]
    paths += [f"/battles/{n}/story/", f"/battles/{n}/transcript/", f"/battles/{n}/what-if/", f"/battles/{n}/analysis/"]
    paths += [
        f"/api/battles/{n}/",
        f"/api/battles/{n}/events/",
        "/",
        "/admin/",
        "/admin/duels/battle/",
        "/admin/studies/",
    ]
    battle = Battle.objects.get(number=n)
    paths += [f"/admin/duels/battle/{battle.pk}/change/", "/admin/studies/note/", "/dump/"]
    found = {}
    for name, client in readers.items():
        for path in paths:
            answer = client.get(path)
            found[name, path] = answer.status_code, CSRF.sub(b"", answer.content)
    return found


def test_not_a_byte_of_a_note_reaches_anyone_else_before_the_end(fight):
    readers = everyone_else(fight)
    fight.turn("S/W", "P/S")
    before = read_all(fight, readers)
    assert note(fight, "Froodal", SECRET).status_code == 302
    assert Note.objects.count() == 1
    after = read_all(fight, readers)
    assert {key for key in before if before[key] != after[key]} == set()
    assert not [key for key, (_, content) in after.items() if SECRET.encode() in content]
    own = log_in(fight.user("Froodal")).get(f"/battles/{fight.number}/notes/").content.decode()
    assert SECRET in own and "not even the janitors" in own


def test_after_the_end_everyone_reads_them_beside_the_turns(fight):
    note(fight, "Froodal", SECRET)
    fight.turn("S/W", "P/S")
    note(fight, "Bung", "<b>I give up</b>")
    own = log_in(fight.user("Froodal")).get(f"/battles/{fight.number}/notes/").content.decode()
    assert SECRET in own and "I give up" not in own
    fight.order("Froodal", "D/F")
    fight.order("Bung", "P/P", confirmed=True)
    assert Battle.objects.get().is_over
    for name, client in everyone_else(fight).items():
        page = client.get(f"/battles/{fight.number}/notes/").content.decode()
        assert SECRET in page and "&lt;b&gt;I give up" in page and 'id="turn-2"' in page, name
    assert f'href="/battles/{fight.number}/notes/"' in Client().get(f"/battles/{fight.number}/").content.decode()
    assert SECRET not in get_record_after_end(number=fight.number)


def test_a_note_is_changed_and_removed_while_the_battle_runs_and_never_afterwards(fight):
    for text, kept in ((SECRET, SECRET), ("Something else", "Something else"), (" ", None)):
        note(fight, "Froodal", text)
        assert Note.objects.values_list("text", flat=True).first() == kept
    fight.order("Froodal", "D/F")
    fight.order("Bung", "P/P", confirmed=True)
    late = note(fight, "Froodal", SECRET)
    assert late.status_code == 409 and "nobody can add" in late.content.decode() and not Note.objects.exists()


def test_nobody_writes_for_another_mage(fight):
    n = fight.number
    assert log_in(fight.user("Bung")).post(f"/battles/{n}/notes/", {"text": "x", "mage": "Froodal"}).status_code == 403
    assert log_in(make_user("Olga")).post(f"/battles/{n}/notes/", {"text": "x"}).status_code == 403
    assert Client().post(f"/battles/{n}/notes/", {"text": "x"})["Location"].startswith("/accounts/login/")
    assert not Note.objects.exists()


def test_a_battle_that_is_reopened_seals_its_notes_again(fight):
    note(fight, "Froodal", SECRET)
    fight.order("Froodal", "D/F")
    fight.order("Bung", "P/P", confirmed=True)
    page = f"/battles/{fight.number}/notes/"
    assert SECRET in Client().get(page).content.decode()
    Battle.objects.update(status="running", finished_at=None)
    assert SECRET not in Client().get(page).content.decode()
