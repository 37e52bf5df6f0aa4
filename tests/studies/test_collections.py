"""Collections: battles and studies put together, shared as their owner says, and never a way to what is private."""

from datetime import timedelta

import pytest
from django.test import Client

from studies.models import Collection, CollectionEntry, Study
from studies.selectors.collections import list_collections_of, list_public_collections
from studies.selectors.starts import read_start
from studies.selectors.trees import list_studies_for_reader, list_studies_of
from studies.services.begin import begin_study
from studies.services.collections import MOST_COLLECTIONS, MOST_ENTRIES, make_collection
from studies.services.edit_study import share_study
from tests.duels.fights import start_fight
from tests.scenes import NOW, log_in, make_mage, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def make(user, name="Fine kills", **more) -> Collection:
    answer = log_in(user).post("/collections/", {"name": name, **more})
    assert answer.status_code == 302, answer.content
    return Collection.objects.get(slug=answer["Location"].split("/")[2])


def share(collection, access):
    sent = {"act": "change", "name": collection.name, "words": "Read them in this order.", "access": access}
    assert log_in(collection.owner).post(f"/collections/{collection.slug}/", sent).status_code == 302


def study_of(ended, user):
    return begin_study(owner=user, start=read_start(number=ended.number, user=user, seq=3), now=NOW)


def test_a_battle_and_a_study_are_added_with_words_and_removed(ended):
    froodal = ended.user("Froodal")
    client = log_in(froodal)
    page = client.get(f"/battles/{ended.number}/").content.decode()
    assert f'href="/collections/add/?battle={ended.number}"' in page
    assert "Or a new collection" in client.get(f"/collections/add/?battle={ended.number}").content.decode()
    kept = make(froodal, battle=str(ended.number))
    study = study_of(ended, froodal)
    shown = client.get(f"/studies/{study.slug}/").content.decode()
    assert f'href="/collections/add/?study={study.slug}"' in shown
    sent = {"study": study.slug, "collection": kept.slug, "words": "What should have been"}
    for _again in range(2):
        assert client.post("/collections/add/", sent)["Location"] == f"/collections/{kept.slug}/"
    assert kept.entries.count() == 2
    shown = client.get(f"/collections/{kept.slug}/").content.decode()
    assert f'href="/battles/{ended.number}/"' in shown and f'href="/studies/{study.slug}/"' in shown
    assert "What should have been" in shown
    entry = kept.entries.get(battle__isnull=False)
    client.post(f"/collections/{kept.slug}/", {"act": "remove", "entry": str(entry.pk)})
    assert [each.study for each in kept.entries.all()] == [study]
    client.post(f"/collections/{kept.slug}/", {"act": "delete"})
    assert not Collection.objects.exists() and Study.objects.exists()


def test_access_to_collections(ended):
    froodal, sam = ended.user("Froodal"), make_user("Sam")
    kept = make(froodal, battle=str(ended.number))
    path = f"/collections/{kept.slug}/"
    everyone = [Client(), log_in(sam)]
    assert {client.get(path).status_code for client in everyone} == {404}
    share(kept, "link")
    assert {client.get(path).status_code for client in everyone} == {200}
    assert all("Fine kills" not in client.get("/collections/").content.decode() for client in everyone)
    share(kept, "public")
    assert all("Fine kills" in client.get("/collections/").content.decode() for client in everyone)
    assert "Read them in this order." in Client().get(path).content.decode()
    share(kept, "private")
    assert {client.get(path).status_code for client in everyone} == {404}


def test_a_collection_shows_no_study_that_its_reader_may_not_open(ended):
    froodal = ended.user("Froodal")
    study = study_of(ended, froodal)
    share_study(study=study, user=froodal, access="private", title="My secret plan", now=NOW)
    running = start_fight(make_mage("Cela", froodal), make_mage("Dana"))
    own = begin_study(owner=froodal, start=read_start(number=running.number, user=froodal), now=NOW)
    own.title = "The plan for tomorrow"
    own.save()
    kept = make(froodal, study=study.slug)
    log_in(froodal).post("/collections/add/", {"study": own.slug, "collection": kept.slug, "words": "a hint"})
    share(kept, "public")
    mine = log_in(froodal).get(f"/collections/{kept.slug}/").content.decode()
    assert "My secret plan" in mine and "The plan for tomorrow" in mine
    for client in (Client(), log_in(running.user("Dana")), log_in(ended.user("Bung"))):
        shown = client.get(f"/collections/{kept.slug}/").content.decode()
        assert not any(words in shown for words in ("secret plan", "for tomorrow", "a hint", study.slug, own.slug))
    assert "2 entries" in log_in(froodal).get("/collections/").content.decode()
    assert "0 entries" in Client().get("/collections/").content.decode()
    share_study(study=study, user=froodal, access="link", title="My secret plan", now=NOW)
    assert "1 entry" in Client().get("/collections/").content.decode()
    assert "My secret plan" in Client().get(f"/collections/{kept.slug}/").content.decode()


def test_the_wrong_person_changes_nothing(ended):
    froodal, bung = ended.user("Froodal"), ended.user("Bung")
    kept = make(froodal, battle=str(ended.number))
    study = study_of(ended, froodal)
    path = f"/collections/{kept.slug}/"
    acts = [
        {"act": "delete"},
        {"act": "change", "name": "Stolen"},
        {"act": "remove", "entry": str(kept.entries.get().pk)},
    ]
    for access in ("private", "public"):
        share(kept, access)
        refused = 404 if access == "private" else 403
        assert {log_in(bung).post(path, act).status_code for act in acts} == {refused}
        assert {Client().post(path, act).status_code for act in acts} == {302}
        sent = {"battle": str(ended.number), "collection": kept.slug}
        assert log_in(bung).post("/collections/add/", sent).status_code == refused
    own = make(bung, "Of Bung")
    assert log_in(bung).post("/collections/add/", {"study": study.slug, "collection": own.slug}).status_code == 404
    assert log_in(bung).get(f"/collections/add/?study={study.slug}").status_code == 404
    assert log_in(bung).get("/collections/add/?battle=99999").status_code == 404
    for path in ("/collections/", "/collections/add/"):
        assert Client().post(path, {"name": "Nobody's"}).status_code == 302
    assert Collection.objects.count() == 2 and CollectionEntry.objects.count() == 1
    assert Collection.objects.get(pk=kept.pk).name == "Fine kills"


def test_bad_input_and_limits(ended):
    froodal = ended.user("Froodal")
    client = log_in(froodal)
    kept = make(froodal)
    assert client.post("/collections/", {"name": "  "}).status_code == 409
    for sent in ({}, {"act": "remove"}, {"act": "remove", "entry": "x"}, {"act": "change", "name": ""}):
        assert client.post(f"/collections/{kept.slug}/", sent).status_code == 409
    assert client.get("/collections/add/").status_code == 409
    assert client.get("/collections/add/?battle=%C2%B2").status_code == 409
    assert client.post(f"/collections/{kept.slug}/", {"act": "remove", "entry": "999999999999"}).status_code == 302
    client.post(
        f"/collections/{kept.slug}/", {"act": "change", "name": "<b>x</b>" * 30, "words": "<i>", "access": "open"}
    )
    kept.refresh_from_db()
    assert len(kept.name) == 80 and kept.access == "private"
    assert b"<b>x" not in client.get(f"/collections/{kept.slug}/").content
    studies = Study.objects.bulk_create(
        Study(slug=f"s-{n}", owner=froodal, seed="", created_at=NOW) for n in range(MOST_ENTRIES)
    )
    CollectionEntry.objects.bulk_create(CollectionEntry(collection=kept, study=each, added_at=NOW) for each in studies)
    sent = {"battle": str(ended.number), "collection": kept.slug}
    assert client.post("/collections/add/", sent).status_code == 409
    Collection.objects.bulk_create(
        Collection(slug=f"c-{n}", owner=froodal, name="c", created_at=NOW) for n in range(MOST_COLLECTIONS)
    )
    assert client.post("/collections/", {"name": "One more"}).status_code == 409


def test_studies_and_collections_are_listed_from_the_newest_to_the_oldest(ended):
    owner = ended.user("Froodal")
    for day in (3, 1, 4, 0, 5, 2, 9, 6, 8, 7):
        begun = NOW + timedelta(days=day)
        study = begin_study(owner=owner, start=read_start(number=ended.number, user=owner, seq=1), now=begun)
        share_study(study=study, user=owner, access="public", title=f"day {day}", now=NOW)
        made = make_collection(owner=owner, name=f"day {day}", now=begun)
        share(made, "public")
    days = [f"day {day}" for day in range(9, -1, -1)]
    assert [each.title for each in list_studies_of(owner)] == days
    assert [each.title for each in list_studies_for_reader(ended.battle, None)] == days
    assert [each.name for each in list_collections_of(owner)] == days
    assert [each.name for each in list_public_collections(make_user("Stranger"))] == days
