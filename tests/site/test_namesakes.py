"""A mage named like its user gets a new name before the account is closed, if the user likes, for pages only."""

import json
import re

import pytest
from django.apps import apps
from django.core.cache import cache

from accounts.models import Mage, User
from accounts.services.mages import set_pronoun
from accounts.services.rename import rename_user
from duels.models import Battle, Combatant
from ladder.tasks import refresh_places, sweep_unrated_battles
from rules_engine.records import parse_record, verify_record
from studies.selectors.records import get_record_after_end
from studies.tasks import count_finished_battles
from tests.duels.fights import start_fight
from tests.email_gateway.world import PASSWORD, MailWorld
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.site.test_web_does_what_mail_does import prove_lately

pytestmark = pytest.mark.django_db


@pytest.fixture
def zelmira():
    """A user with a mage of their own name, who has won a duel and fallen in another one."""
    user = make_user("Zelmira")
    mage = make_mage("Zelmira", user)
    mage = set_pronoun(user=user, mage_id=mage.pk, pronoun=Mage.Pronoun.SHE)
    bung = make_mage("Bung")
    first = start_fight(mage, bung)
    first.turns([("S/D", "W/F\nSAY Zelmira, and zelmiras of all kinds"), ("D/P", "P/P")])
    assert first.battle.is_over
    second = start_fight(mage, make_mage("Cor"))
    second.turns([("S/P", "S/P\nSAY Well met, Zelmira"), ("F/P\nTARGET LH Cor", "P/F"), ("P/P", "-/-")])
    assert second.battle.is_over
    for sweep in (count_finished_battles, sweep_unrated_battles, refresh_places):
        sweep()
    return user, mage, (first, second)


def close(user, **names):
    client = log_in(user)
    prove_lately(client, user)
    return client.post("/accounts/close/", {"name": user.username, **names})


def test_the_page_offers_a_name_and_every_page_then_shows_it(zelmira):
    user, mage, fights = zelmira
    page = log_in(user).get("/accounts/close/").content.decode()
    assert f'name="mage_{mage.pk}"' in page
    assert close(user, **{f"mage_{mage.pk}": "morwen"}).status_code == 302
    mage.refresh_from_db()
    assert (mage.name, User.objects.get(pk=user.pk).is_active) == ("Morwen", False)
    cache.clear()
    reader = log_in(make_user("Carl"))
    addresses = ["/ladder/", "/battles/", "/statistics/", "/mages/Morwen/", "/mages/Bung/", "/mages/Cor/"]
    addresses += [f"/battles/{fight.number}/{part}" for fight in fights for part in ("", "replay/", "chat/")]
    for address in addresses:
        answer = reader.get(address, follow=True)
        assert answer.status_code == 200, address
        assert not re.search(r"\bZelmira\b", answer.content.decode()), address
    assert "Morwen" in reader.get(f"/battles/{fights[0].number}/").content.decode()
    for old in ("/mages/Zelmira/", "/users/Zelmira/"):
        assert reader.get(old).status_code == 404
    for taken in ("Zelmira", "Morwen"):
        assert not Mage.objects.filter(name=taken).exclude(pk=mage.pk).exists()


def test_its_battles_are_still_proved_by_the_record_which_alone_says_the_old_name(zelmira):
    user, mage, fights = zelmira
    close(user, **{f"mage_{mage.pk}": "Morwen"})
    for fight in fights:
        record = parse_record(get_record_after_end(number=fight.number))
        assert record.proof.former_names == {"Morwen": "Zelmira"} and verify_record(record) == ()
        assert Battle.objects.get(number=fight.number).pronouns == {"Morwen": "she"}
    found = {
        model._meta.label
        for model in apps.get_models()
        for row in model._default_manager.values()
        if re.search(r"\bZelmira\b", json.dumps(row, default=str))
    }
    assert found <= {"accounts.Name", "duels.Combatant"}, found
    assert set(Combatant.objects.filter(mage=mage).values_list("former_name", flat=True)) == {"Zelmira"}


def test_a_name_left_empty_is_kept(zelmira):
    user, mage, _fights = zelmira
    assert close(user, **{f"mage_{mage.pk}": ""}).status_code == 302
    mage.refresh_from_db()
    assert mage.name == "Zelmira"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("Bung", "is taken"),
        ("zelmira", "already have a mage called Zelmira"),
        ("Osse", "is taken"),
        ("Well", "occurs in a battle"),
        ("a b", "a space"),
    ],
)
def test_a_name_that_would_not_do_closes_nothing(zelmira, name, problem):
    user, mage, _fights = zelmira
    rename_user(user=user, name="Osse", now=NOW)
    user.refresh_from_db()
    answer = close(user, **{f"mage_{mage.pk}": name})
    assert answer.status_code == 422 and problem in answer.content.decode()
    mage.refresh_from_db()
    assert mage.name == "Zelmira" and User.objects.get(pk=user.pk).is_active
    assert not Combatant.objects.exclude(former_name="").exists()


def test_a_mage_named_like_a_spell_keeps_the_name(db):
    user = make_user("Fireball")
    mage = make_mage("Fireball", user)
    page = log_in(user).get("/accounts/close/").content.decode()
    assert f'name="mage_{mage.pk}"' not in page and "also a word of the rules" in page


def test_nobody_renames_another_users_mage(zelmira):
    _user, mage, _fights = zelmira
    carl = make_user("Carl")
    assert close(carl, **{f"mage_{mage.pk}": "Morwen"}).status_code == 302
    mage.refresh_from_db()
    assert mage.name == "Zelmira" and not User.objects.get(pk=carl.pk).is_active


def test_closing_by_email_says_where_the_mage_gets_another_name(settings):
    settings.EMAIL_BACKEND = "email_gateway.deliver.local_mailbox.LocalMailboxBackend"
    world = MailWorld()
    wil = world.user("Wil")
    mage = world.mage("Wil", wil)
    Mage.objects.filter(pk=mage.pk).update(died_at=NOW)
    answer = " ".join(world.ask(f"USER Wil {PASSWORD}\nQUIT").split())
    assert "keeps it: Wil" in answer and "/accounts/close/" in answer
