"""What if: a turn is tried another way, continued, parted, named and shared; and nothing secret is learned."""

import re
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from duels.models import Battle, OrderSheet
from duels.selectors.battle_rows import read_battle_state
from fm_site.pages.export import export_user
from operations.web.throttle import Throttle
from rules_engine import read_state, write_state
from studies.models import Branch, Study
from studies.selectors.collections import list_collections_of, list_entries_for_reader
from studies.selectors.starts import read_start
from studies.services.begin import MOST_STUDIES, begin_study, copy_study
from studies.services.collections import add_to_collection, make_collection
from tests.duels.fights import changed_state, start_fight
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.studies.fights import fields

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SECRETS_OF_FORMS = re.compile(r'name="csrfmiddlewaretoken" value="[^"]+"|studies/[\w-]{16}|study[-=][\w-]{16}')


def try_turn(client, fight, seq, orders, mage):
    return client.post(f"/battles/{fight.number}/what-if/{seq}/", fields(orders, mage))


def test_a_lost_battle_is_tried_again_and_won(ended):
    """Bung gave up in turn 5; here they play on instead, beside what really happened."""
    bung = log_in(ended.user("Bung"))
    page = bung.get(f"/battles/{ended.number}/").content.decode()
    assert f'href="/battles/{ended.number}/what-if/"' in page and f'href="/battles/{ended.number}/what-if/5/"' in page
    root = bung.get(f"/battles/{ended.number}/what-if/5/").content.decode()
    assert "What if: turn 5" in root and 'id="pad-LH"' in root and not Study.objects.exists()
    answer = try_turn(bung, ended, 5, "D/F", "Bung")
    study = Study.objects.get()
    assert answer["Location"] == f"/studies/{study.slug}/1/"
    page = bung.get(answer["Location"]).content.decode()
    # Froodal does as in the battle.
    assert study.branches.get(number=1).orders == {"Froodal": ["LH W", "RH S"], "Bung": ["LH D", "RH F"]}
    assert "Here, turn 5" in page and "What really happened" in page and "show both palms" in page
    assert 'id="pad-LH"' in page and "Why?" in page
    assert Battle.objects.get(number=ended.number).result["winners"] == ["Froodal"]
    for _turn in range(60):
        branch = study.branches.last()
        if read_state(branch.state).over:
            break
        study.answers = {"Froodal": "hand", "Bung": "hand"}
        study.save()
        here = f"/studies/{study.slug}/{branch.number}/"
        # Froodal gives up, which the page asks about once.
        sent = fields("P/P", "Froodal")
        assert "Confirm" in (asked := bung.post(here, sent).content.decode()) or 'name="confirmed"' in asked
        assert bung.post(here, {**sent, "confirmed": "yes"})["Location"] == here
        assert bung.post(here, fields("S/S", "Bung")).status_code == 302
    assert read_state(study.branches.last().state).outcome.winners == ("Bung",)
    end = bung.get(f"/studies/{study.slug}/{study.branches.last().number}/").content.decode()
    assert "Victory to Bung" in end and 'id="pad-LH"' not in end


def test_the_orders_of_the_battle_repeat_the_battle(ended):
    """The dice fall as they fell, so that the same orders end in the same state; sent twice they are one branch."""
    froodal = log_in(ended.user("Froodal"))
    sent = ["S/W", "D/W", ">/F", "F/F", "W/S"]
    place = f"/battles/{ended.number}/what-if/1/"
    for number, orders in enumerate(sent, 1):
        answer = froodal.post(place, fields(orders, "Froodal"))
        assert answer.status_code == 302, number
        if number > 1:
            assert froodal.post(place, fields(orders, "Froodal"))["Location"] == answer["Location"]
        place = answer["Location"]
    study = Study.objects.get()
    assert study.branches.count() == 6
    battle = Battle.objects.get(number=ended.number)
    assert study.branches.last().state == write_state(read_battle_state(battle))


def test_branches_split_and_are_named_and_removed(ended):
    froodal = log_in(ended.user("Froodal"))
    first = try_turn(froodal, ended, 3, "W/W", "Froodal")["Location"]
    study = Study.objects.get()
    root = f"/studies/{study.slug}/0/"
    second = froodal.post(root, fields("D/S", "Froodal"))["Location"]
    assert first != second and study.branches.filter(parent__number=0).count() == 2
    froodal.post(f"{second}change/", {"act": "name", "name": " The  other\nspell ", "comment": "Slower, but safe."})
    page = froodal.get(first).content.decode()
    assert "The other spell" in page and "Slower, but safe." in page and f'href="{second}"' in page
    assert froodal.post(f"{second}change/", {"act": "remove"})["Location"] == root
    assert [each.number for each in study.branches.all()] == [0, 1]
    assert froodal.post(root, fields("S/S", "Froodal"))["Location"].endswith("/3/")
    assert froodal.post(f"{root}change/", {"act": "delete"})["Location"] == "/studies/"
    assert not Study.objects.exists() and not Branch.objects.exists()


def test_bots_answer_the_same_again(ended):
    froodal = log_in(ended.user("Froodal"))
    made = []
    for _time in range(2):
        Study.objects.all().delete()
        try_turn(froodal, ended, 1, "S/W", "Froodal")
        study = Study.objects.get()
        Study.objects.update(seed="always")
        here = f"/studies/{study.slug}/1/"
        froodal.post(f"{here}change/", {"act": "answers", "for:Bung": "Magus", "for:Nobody": "Magus"})
        froodal.post(here, fields("F/F", "Froodal"))
        assert Study.objects.get().answers == {"Froodal": "hand", "Bung": "Magus"}
        made.append(study.branches.get(number=2).orders)
    assert made[0] == made[1] and made[0]["Bung"]


def test_a_study_is_private_until_it_is_shared(ended):
    froodal, nobody = log_in(ended.user("Froodal")), Client()
    other, janitor = log_in(make_user("Olga")), log_in(make_user("Keeper"))
    ended_user = ended.user("Bung")
    place = try_turn(froodal, ended, 2, "W/W", "Froodal")["Location"]
    study = Study.objects.get()
    keeper = make_user("Chief")
    keeper.is_superuser = keeper.is_staff = True
    keeper.save()
    readers = [nobody, other, janitor, log_in(ended_user), log_in(keeper)]
    listing = f"/battles/{ended.number}/what-if/"

    def read_page():
        pages = [(each.get(place).status_code, study.slug in each.get(listing).content.decode()) for each in readers]
        assert len(set(pages)) == 1
        return pages[0]

    change = f"{place}change/"
    assert read_page() == (404, False)
    froodal.post(change, {"act": "share", "access": "link", "title": "The wave"})
    assert read_page() == (200, False)
    froodal.post(change, {"act": "share", "access": "public", "title": "The wave"})
    assert read_page() == (200, True)
    shown = nobody.get(place).content.decode()
    assert "The wave" in shown and 'id="pad-LH"' not in shown and "Who orders here" not in shown
    # Reading is not changing.
    assert other.post(place, fields("S/S", "Froodal")).status_code == 403
    for act in ("answers", "name", "share", "remove", "delete"):
        assert other.post(change, {"act": act, "access": "private"}).status_code == 403, act
    assert nobody.post(place, fields("S/S", "Froodal")).status_code == 302
    assert study.branches.count() == 2
    froodal.post(change, {"act": "share", "access": "private"})
    assert read_page() == (404, False)


def test_a_running_battle_offers_only_what_its_player_knows():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "P/S")
    froodal, address = log_in(fight.user("Froodal")), f"/battles/{fight.number}/what-if/2/"
    for who in (Client(), log_in(make_user("Olga"))):
        for place in (address, f"/battles/{fight.number}/what-if/"):
            assert who.get(place).status_code == 409
    assert froodal.get(f"/battles/{fight.number}/what-if/1/").status_code == 409
    assert "with what Froodal knows" in froodal.get(f"/battles/{fight.number}/what-if/").content.decode()
    # Both sides' orders are set by hand: no bot thinks for anyone while the battle is running.
    here = froodal.post(address, fields("D/W\nTARGET RH Bung", "Froodal"))["Location"]
    study = Study.objects.get()
    assert (study.mage, here) == ("Froodal", f"/studies/{study.slug}/0/")
    assert "Archmage" not in froodal.get(here).content.decode()
    froodal.post(f"{here}change/", {"act": "answers", "for:Bung": "Magus"})
    assert "answer while this battle is running" in froodal.post(here, fields("F/F", "Froodal")).content.decode()
    froodal.post(f"{here}change/", {"act": "answers", "for:Bung": "hand"})
    assert froodal.post(here, fields("W/S", "Bung"))["Location"].endswith("/1/")
    shared = froodal.post(f"{here}change/", {"act": "share", "access": "public"})
    assert shared.status_code == 409 and Study.objects.get().access == "private"


def test_a_mage_without_a_choice_waits_for_the_next_turn():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    with changed_state(fight.battle) as state:
        state.wizards["Froodal"].phase = "ready"
    assert "no gestures" in log_in(fight.user("Froodal")).get(
        f"/battles/{fight.number}/what-if/"
    ).content.decode().replace("Your mage has no gestures", "no gestures")


WORLDS = {
    "orders": lambda fight: OrderSheet.objects.filter(combatant__mage__name="Bung").update(
        lines=["LH P", "RH W"], draft="SAY boo", ready=True, submitted_at=NOW, via="web"
    ),
    "seed": lambda fight: Battle.objects.filter(number=fight.number).update(seed="another"),
}


@pytest.mark.parametrize("secret", [*WORLDS, "unseen gestures"])
def test_nothing_hidden_changes_a_byte_of_a_study(secret, monkeypatch):
    """Two worlds that differ only in what Froodal may not know give the same pages, and the same tree."""
    monkeypatch.setattr("secrets.token_hex", lambda size=None: "always")
    pages = []
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("S/W", "P/S"), ("D/F", "W/S")])
    for changed in (False, True):
        Study.objects.all().delete()
        if secret == "unseen gestures":
            # Bung was invisible in the last turn: Froodal saw no gesture of theirs.
            with changed_state(fight.battle) as state:
                bung = state.wizards["Bung"]
                bung.unseen_columns = "0" * (len(bung.left) - 1) + "1"
                bung.marks["invisible"] = 2
                bung.left = bung.left[:-1] + ("F" if changed else "W")
                bung.begun = bung.reached = state.ruleset.book.states_of(bung.left, bung.right)
        elif changed:
            WORLDS[secret](fight)
        froodal = log_in(fight.user("Froodal"))
        address = f"/battles/{fight.number}/what-if/3/"
        read = [froodal.get(address).content, froodal.get(f"/battles/{fight.number}/what-if/").content]
        here = froodal.post(address, fields("S/W", "Froodal"))["Location"]
        after = froodal.post(here, fields("D/D", "Bung"))["Location"]
        read += [froodal.get(here).content, froodal.get(after).content]
        rows = [(each.state, each.events, each.orders) for each in Branch.objects.order_by("number")]
        pages.append(([SECRETS_OF_FORMS.sub("", each.decode()) for each in read], rows))
    assert pages[0] == pages[1]


def test_a_battle_that_is_reopened_closes_its_studies(ended):
    """The contents of a study of the whole battle are secret again."""
    froodal = log_in(ended.user("Froodal"))
    place = try_turn(froodal, ended, 2, "W/W", "Froodal")["Location"]
    froodal.post(f"{place}change/", {"act": "share", "access": "public"})
    Battle.objects.update(status="running", finished_at=None)
    assert froodal.get(place).status_code == 409
    assert Client().get(place).status_code == 404
    assert froodal.post(place, fields("S/S", "Froodal")).status_code == 409


@pytest.mark.parametrize("since", ["nothing", "as in the battle", "by hand"])
def test_a_study_of_one_mage_stays_open_to_its_owner_alone_until_it_goes_on_after_the_end(since):
    """Then it may have the opponent's orders; and anybody else's copy of it has what this mage hides."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "W/D")
    froodal, bung, before = log_in(fight.user("Froodal")), log_in(fight.user("Bung")), fight.battle
    here = try_turn(froodal, fight, before.seq, "F/-", "Froodal")["Location"]
    fight.turns([("-/-", "F/S"), ("-/-", "P/P")])
    assert fight.battle.is_over
    froodal.post(f"{here}change/", {"act": "name", "name": "Plan", "comment": "SD comes next"})
    froodal.post(f"{here}change/", {"act": "share", "access": "public", "title": "Why SD comes next"})
    copies = [each.post(f"{here.removesuffix('0/')}copy/")["Location"] for each in (bung, froodal)]
    if since == "as in the battle":
        froodal.post(f"{here}change/", {"act": "answers", "for:Bung": "record"})
        assert froodal.post(here, fields("F/-", "Froodal"))["Location"].endswith("/1/")
        assert Branch.objects.get(study__slug=here.split("/")[2], number=1).orders["Bung"] == ["LH F", "RH S"]
    elif since == "by hand":
        assert froodal.post(here, fields("F/S", "Bung"))["Location"].endswith("/1/")
    for user, places in ((fight.user("Froodal"), [here, copies[1]]), (fight.user("Bung"), [copies[0]])):
        mine = make_collection(owner=user, name="Of the end", now=NOW)
        for place in places:
            study = Study.objects.get(slug=place.split("/")[2])
            add_to_collection(collection=mine, user=user, words="", now=NOW, study=study)

    def read():
        pages = [*((froodal, place) for place in (here, copies[1])), *((bung, place) for place in (copies[0], here))]
        return [client.get(place).status_code for client, place in pages]

    def count_entries(name):
        (mine,) = list_collections_of(fight.user(name))
        shown = list_entries_for_reader(mine, fight.user(name))
        assert mine.size == len(shown)
        return len(shown)

    def can_read_words(client, name):
        in_list, in_file = client.get("/studies/").text, str(export_user(fight.user(name), now=NOW))
        assert ("SD comes next" in in_list) == ("SD comes next" in in_file)
        return "SD comes next" in in_list

    assert (read(), count_entries("Froodal"), count_entries("Bung")) == ([200] * 4, 2, 1)
    assert can_read_words(froodal, "Froodal") and can_read_words(bung, "Bung")
    Battle.objects.update(status="running", finished_at=None)
    kept = since == "nothing"
    assert read() == [200 if kept else 409, 200, 409, 404]
    assert (count_entries("Froodal"), count_entries("Bung")) == (1 + kept, 0)
    assert can_read_words(froodal, "Froodal") and not can_read_words(bung, "Bung")


def test_studies_of_before_that_may_know_the_end_are_marked():
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turn("S/W", "W/D")
    froodal, bung = fight.user("Froodal"), fight.user("Bung")
    kept = begin_study(owner=froodal, start=read_start(number=fight.number, user=froodal), now=NOW)
    fight.turn("-/-", "P/P")
    later = begin_study(owner=froodal, start=read_start(number=fight.number, user=froodal), now=NOW)
    copied = copy_study(study=kept, owner=bung, now=NOW)
    recorded, grown = (copy_study(study=kept, owner=froodal, now=NOW) for _ in range(2))
    Study.objects.filter(pk=recorded.pk).update(answers={"Froodal": "hand", "Bung": "record"})
    Battle.objects.update(finished_at=NOW)
    root = grown.branches.get()
    Branch.objects.create(study=grown, number=1, parent=root, digest="x", state=root.state, created_at=NOW)
    Study.objects.update(knows_end=True)
    import_module("studies.migrations.0010_studies_that_know_the_end").mark_studies(apps, None)
    known = Study.objects.filter(knows_end=True)
    assert set(known) == {later, copied, recorded, grown}


def test_no_bot_helps_at_a_position_of_a_running_battle(ended):
    """The first turn of every battle is alike: a bot that plays it on would help in the one that is running."""
    start_fight(make_mage("Second", ended.user("Froodal")), make_mage("Third"))
    froodal = log_in(ended.user("Froodal"))
    try_turn(froodal, ended, 1, "S/W", "Froodal")
    study = Study.objects.get()
    here = f"/studies/{study.slug}/0/"
    froodal.post(f"{here}change/", {"act": "answers", "for:Bung": "Magus"})
    refused = froodal.post(here, fields("W/W", "Froodal"))
    assert refused.status_code == 409 and "which is still running" in refused.content.decode()


def test_a_user_can_have_only_a_limited_number_of_studies(ended):
    user = ended.user("Froodal")
    start = read_start(number=ended.number, user=user, seq=1)
    Study.objects.bulk_create(
        Study(slug=f"s{n}", owner=user, battle=start.battle, seed="s", created_at=NOW) for n in range(MOST_STUDIES)
    )
    answer = try_turn(log_in(user), ended, 1, "S/W", "Froodal")
    assert answer.status_code == 409 and f"{MOST_STUDIES} studies" in answer.content.decode()


def test_problems_with_orders_are_reported(ended):
    froodal = log_in(ended.user("Froodal"))
    wrong = froodal.post(f"/battles/{ended.number}/what-if/2/", {"mage": "Froodal", "line": "DANCE", "act": "ready"})
    assert wrong.status_code == 422 and not Study.objects.exists()
    preview = froodal.post(
        f"/battles/{ended.number}/what-if/2/?fragment=board", fields("D/W", "Froodal", act="preview")
    )
    assert preview.status_code == 200 and "Magic Missile" in preview.content.decode()
    assert froodal.get(f"/battles/{ended.number}/what-if/99/").status_code == 409
    assert froodal.get("/studies/nothing/").status_code == 404
    visitor = Client().get(f"/battles/{ended.number}/what-if/2/").content.decode()
    assert "Log in to try another move" in visitor and 'id="pad-LH"' not in visitor


def test_turns_are_counted_and_slow_bots_count_more(ended, monkeypatch):
    monkeypatch.setattr("studies.views.what_if.TURNS", Throttle("what-if-tried", limit=9, seconds=600))
    froodal = log_in(ended.user("Froodal"))
    here = try_turn(froodal, ended, 2, "W/W", "Froodal")["Location"]
    froodal.post(f"{here}change/", {"act": "answers", "for:Bung": "Archmage"})
    monkeypatch.setattr("studies.services.grow_tree.choose_orders", lambda *args, **named: ["LH S", "RH S"])
    assert froodal.post(here, fields("F/F", "Froodal")).status_code == 302
    assert froodal.post(here, fields("S/F", "Froodal")).status_code == 302
    assert froodal.post(here, fields("F/S", "Froodal")).status_code == 429
