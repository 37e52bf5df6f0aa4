"""A user's own file holds everything that is stored about them."""

import json

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.services.users import create_user
from fm_site.pages.export import export_user
from studies.services.begin import set_up_study
from studies.services.collections import add_to_collection, make_collection
from studies.services.edit_study import name_branch
from studies.services.notes import write_note
from tests.duels.fights import start_fight
from tests.rules_engine.random_play import new_battle
from tests.scenes import NOW, make_mage

pytestmark = pytest.mark.django_db

# Tables with a user that the file leaves out.
SEALED = {"mfa_authenticator", "accounts_idempotentanswer", "email_gateway_newuserrequest"}
WORK_OF_JANITORS = {
    "accounts_usermerge",
    "django_admin_log",
    "moderation_journalentry",
    "operations_announcement",
    "operations_maintenance",
    "operations_sitepage",
    "operations_sitepolicy",
}
# The battles, results and notices behind them are in the file.
COMPUTED_OR_QUEUED = {
    "accounts_absencenews",
    "email_gateway_accountchangerequest",
    "ladder_battleside",
    "ladder_pairing",
    "ladder_pairwatch",
    "ladder_placing",
    "ladder_ratingentry",
    "notifications_delivery",
    "studies_analysis",
}


def test_every_table_with_a_user_is_read_or_left_out_for_a_reason():
    user = create_user(name="Anna", email="anna@example.org", now=NOW, email_verified=True)
    with CaptureQueriesContext(connection) as queries:
        json.dumps(export_user(user, now=NOW), cls=DjangoJSONEncoder)
    read = " ".join(query["sql"] for query in queries)
    tables = {
        model._meta.db_table
        for model in apps.get_models()
        for field in model._meta.fields
        if field.related_model is get_user_model()
    }
    left_out = {table for table in tables if f'"{table}"' not in read}
    assert left_out == SEALED | WORK_OF_JANITORS | COMPUTED_OR_QUEUED


def test_the_file_has_studies_collections_and_notes():
    froodal = make_mage("Froodal")
    duel, user = start_fight(froodal, make_mage("Bung")), froodal.user
    write_note(combatant=duel.battle.combatants.get(mage=froodal), text="A trap.", now=NOW)
    study = set_up_study(owner=user, state=new_battle(1, mages=2), title="My study", now=NOW)
    name_branch(study=study, user=user, number=0, name="Root", comment="How it begins.")
    collection = make_collection(owner=user, name="Good ones", now=NOW)
    add_to_collection(collection=collection, user=user, words="Look.", now=NOW, study=study)
    exported = export_user(user, now=NOW)
    assert exported["battle_notes"][0]["text"] == "A trap."
    (written,) = exported["studies"]
    assert written["title"] == "My study" and written["branches"][0]["comment"] == "How it begins."
    assert exported["collections"][0]["entries"][0]["words"] == "Look."
    stranger = export_user(make_mage("Crom").user, now=NOW)
    assert not (stranger["battle_notes"] or stranger["studies"] or stranger["collections"])
