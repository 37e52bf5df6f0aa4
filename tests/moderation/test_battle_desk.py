"""The janitors' pages of a battle: permissions, each action by its form, and what no page ever shows."""

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from accounts.models import User
from duels.models import Battle, OrderSheet
from moderation.admin.battle_actions import BATTLE_ACTIONS
from moderation.admin.battles import BattleAdmin
from moderation.models import JournalEntry
from tests.duels.fights import start_fight
from tests.duels.janitors import WHY, make_janitor
from tests.scenes import make_mage

pytestmark = pytest.mark.django_db

PEOPLE = (
    "visitor", "player", "player in it", "reader", "reader in it", "janitor", "janitor in it", "superuser",
    "superuser in it",
)  # fmt: skip
# The response to an empty form: it "asks" for the missing fields, "refused", or "log in".
AWAY = ("log in",) * 3
TO_JANITORS = (*AWAY, "refused", "refused", "asks", "refused", "asks", "refused")
TO_READERS = (*AWAY, "asks", "refused", "asks", "refused", "asks", "refused")
MATRIX = {
    "play-on": TO_JANITORS,
    "void": TO_JANITORS,
    "look": TO_READERS,
    "ask": TO_JANITORS,
    "rewind": TO_JANITORS,
    "order": TO_JANITORS,
    "extend": TO_JANITORS,
    "excuse": TO_JANITORS,
    "remove-line": TO_JANITORS,
    "week": TO_JANITORS,
    "pause": TO_JANITORS,
    "resume": TO_JANITORS,
    "result": TO_JANITORS,
    "annul": TO_JANITORS,
    "compare": TO_JANITORS,
    "undo": TO_JANITORS,
}


def make_person(words):
    name = f"Somebody_{PEOPLE.index(words)}"
    if words.startswith("superuser"):
        return User.objects.create_superuser(name, password="five-green-eels")
    if words.startswith(("janitor", "reader")):
        return make_janitor(name, reads_only=words.startswith("reader"))
    return make_mage("Inside" if words.endswith("in it") else "Outside").user


def browser_of(user):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


def address(battle, slug):
    return reverse("admin:duels_battle_act", args=[battle.pk, slug])


def answer(response):
    return {302: "log in", 403: "refused", 422: "asks", 200: "page"}[response.status_code]


def test_every_action_is_in_the_matrix():
    assert list(MATRIX) == [action.slug for action in BATTLE_ACTIONS]


def test_the_page_of_a_battle_words_its_mages_terms_and_result_in_the_reader_s_language(duel, desk):
    page = reverse("admin:duels_battle_change", args=[duel.battle.pk])
    assert ": kämpft" in desk.get(page, headers={"Accept-Language": "de"}).content.decode()
    duel.order("Froodal", "P/P", confirmed=True)
    duel.order("Bung", "D/W")
    told = desk.get(page).content.decode()
    assert ": surrendered" in told and ": victorious" in told
    assert "Victory to Bung" in told
    assert "standard spells, classic pace, 21 days a turn, ladder" in told


def test_permissions_for_every_action(duel):
    told = {slug: [] for slug in MATRIX}
    for words in PEOPLE:
        person = None if words == "visitor" else make_person(words)
        battle = duel.battle
        if words.endswith("in it"):
            own = person.mages.first() or make_mage(f"Own_{person.pk}", person)
            battle = start_fight(own, make_mage(f"Other_{person.pk}")).battle
        client = browser_of(person)
        for slug in MATRIX:
            told[slug].append(answer(client.post(address(battle, slug), {})))
    assert {slug: tuple(row) for slug, row in told.items()} == MATRIX
    assert not JournalEntry.objects.exists()


def test_rejected_attempts_are_logged_without_their_input(janitor):
    fight = start_fight(make_mage("Merlyn", janitor), make_mage("Morgan"))
    reader = make_janitor("Rita", reads_only=True)
    for person, slug in ((janitor, "look"), (janitor, "order"), (reader, "order"), (fight.user("Morgan"), "look")):
        do(browser_of(person), fight, slug, mage="Morgan", orders="SAY the quiet word")
    logged = LogEntry.objects.order_by("pk").values_list("user__username", "object_repr", "change_message")
    whose, battle = "Your mage Merlyn is in battle", str(fight.battle)
    assert [(name, about, words.partition(f" {fight.number}")[0]) for name, about, words in logged] == [
        ("Jane", battle, f'Refused: "Look through a mage\'s eyes". {whose}'),
        ("Jane", battle, f'Refused: "Enter orders for a mage". {whose}'),
        ("Rita", battle, 'Refused: "Enter orders for a mage". This janitor does not have permission.'),
    ]
    # A janitor still cannot see the log of their own battle.
    assert "Refused" not in browser_of(janitor).get(reverse("admin:admin_logentry_changelist")).content.decode()


@pytest.fixture
def desk(janitor):
    return browser_of(janitor)


def do(desk, fight, slug, **data):
    response = desk.post(address(fight.battle, slug), {"reason": WHY, **data}, follow=True)
    fight.battle.refresh_from_db()
    return response


def test_an_action_is_undone_from_the_journal(duel, desk):
    page = do(desk, duel, "pause").content.decode()
    assert "Undo…" in page
    undone = do(desk, duel, "undo", entry="1").content.decode()
    assert JournalEntry.objects.get().undone_at is not None
    assert "Undone by Jane" in undone and "Undo…" not in undone


def test_a_stuck_battle_is_tried_again_and_its_players_can_read_the_result(duel, desk):
    Battle.objects.filter(pk=duel.battle.pk).update(status="stuck", stuck_reference="ab12cd", stuck_release="x")
    page = do(desk, duel, "play-on").content.decode()
    assert "A janitor replayed turn 1, and it is waiting for orders again." in page
    player = browser_of(duel.user("Bung")).get(f"/battles/{duel.number}/").content.decode()
    assert "A janitor replayed turn 1" in player and WHY in player
    Battle.objects.filter(pk=duel.battle.pk).update(status="running", stuck_reference="", stuck_release="")
    assert do(desk, duel, "play-on").status_code == 422


def test_looking_shows_only_that_mages_orders_and_no_buttons(duel, desk):
    duel.order("Bung", "P/D")
    duel.order("Froodal", "S/W\nSAY the quiet word", ready=False)
    page = do(desk, duel, "look", mage="Bung").content.decode()
    assert "You see the battle as Bung does." in page
    assert "LH P, RH D" in page
    assert "quiet word" not in page and "RH W" not in page
    assert 'action="/battles/' not in page and "/ws/" not in page
    assert do(desk, duel, "look", mage="Bung", reason="").status_code == 422
    assert JournalEntry.objects.filter(kind="looked").count() == 1


def test_a_mage_without_orders_is_marked_as_such(duel, desk):
    assert "Bung has no orders" in do(desk, duel, "look", mage="Bung").content.decode()


def test_a_read_only_janitor_looks_without_pending_orders_and_gets_no_other_action(duel):
    duel.order("Bung", "P/D")
    reader = browser_of(make_janitor("Rita", reads_only=True))
    assert "LH P" not in do(reader, duel, "look", mage="Bung").content.decode()
    page = reader.get(reverse("admin:duels_battle_change", args=[duel.battle.pk])).content.decode()
    assert "Look through" in page and "Annul" not in page


def test_a_janitor_in_the_battle_sees_why_there_are_no_actions(janitor, desk):
    fight = start_fight(make_mage("Merlyn", janitor), make_mage("Morgan"))
    other = browser_of(make_janitor("Jack"))
    do(other, fight, "look", mage="Merlyn")
    for address_of in (
        reverse("admin:duels_battle_change", args=[fight.battle.pk]),
        reverse("admin:moderation_journalentry_changelist"),
        reverse("admin:admin_logentry_changelist"),
    ):
        page = desk.get(address_of).content.decode()
        assert "through the eyes" not in page, address_of
        assert "through the eyes" in other.get(address_of).content.decode(), address_of
    history = reverse("admin:duels_battle_history", args=[fight.battle.pk])
    assert desk.get(history).status_code == 403
    assert "through the eyes" in other.get(history).content.decode()
    page = desk.get(reverse("admin:duels_battle_change", args=[fight.battle.pk])).content.decode()
    assert "Your mage Merlyn is in battle" in page and "Annul" not in page


def test_no_page_shows_states_seeds_or_what_an_entry_kept(duel, desk):
    duel.turn("S/W", "P/-")
    do(desk, duel, "order", mage="Bung", orders="LH P\nRH D", stage="2.0.0")
    do(desk, duel, "rewind", turn="2", without_consent="both are away")
    battle = Battle.objects.get()
    entry = JournalEntry.objects.get(kind="rewound")
    assert OrderSheet.objects.filter(via="janitor").exists()
    for page in (
        reverse("admin:duels_battle_change", args=[battle.pk]),
        reverse("admin:moderation_journalentry_change", args=[entry.pk]),
        reverse("admin:moderation_journalentry_changelist"),
        reverse("admin:duels_battle_history", args=[battle.pk]),
    ):
        text = desk.get(page).content.decode()
        for secret in (battle.seed, "wizards", "LH P", "RH D", "&quot;movers&quot;"):
            assert secret not in text, (page, secret)
    assert not {"state", "seed"} & {*BattleAdmin.readonly_fields, *BattleAdmin.list_display}


def test_an_error_of_a_service_is_above_the_form(duel, desk):
    response = do(desk, duel, "rewind", turn="1")
    assert response.status_code == 422
    assert "Ask them first" in response.content.decode()
    response = do(desk, duel, "order", mage="Bung", orders="LH Q", stage="1.0.0")
    assert response.status_code == 422 and "Nothing" not in str(JournalEntry.objects.all())


@pytest.mark.parametrize(
    ("slug", "data", "told"),
    [
        ("extend", {"mage": "Bung", "hours": "9999"}, "Enter at most 2160."),
        ("pause", {"reason": ""}, "Enter a reason."),
        ("excuse", {}, "Turns already excused are not listed"),
        ("undo", {}, "that can still be undone"),
    ],
)
def test_an_error_suggests_what_would_work(duel, desk, slug, data, told):
    response = do(desk, duel, slug, **data)
    assert response.status_code == 422 and told in response.content.decode()


def test_every_form_says_how_its_act_is_undone(duel, desk):
    page = desk.get(address(duel.battle, "pause")).content.decode()
    assert "<b>Undo:</b> until another pause starts or ends." in page
    assert {action.slug for action in BATTLE_ACTIONS if not action.undo} == {"look", "compare", "undo"}


def test_the_page_of_a_battle_shows_whom_it_waits_for_and_until_when(duel, desk):
    duel.order("Froodal", "S/W")
    page = desk.get(reverse("admin:duels_battle_change", args=[duel.battle.pk])).content.decode()
    assert "Bung: due on" in page or "Bung: was due on" in page
    assert "Froodal: " not in page and f"/admin/accounts/user/{duel.user('Bung').pk}/change/" in page


def open_form(desk, fight, slug):
    """Return the mark of the journal that the form has."""
    return desk.get(address(fight.battle, slug)).context["form"]["seen"].value()


def complain(response):
    assert response.status_code == 422, response.status_code
    return " ".join(response.context["form"].non_field_errors())


def test_a_janitor_learns_what_another_did_while_a_form_was_open_and_can_then_send_it(duel, desk):
    other = browser_of(make_janitor("Rolf"))
    duel.order("Froodal", "W/P")
    duel.order("Bung", "S/D")
    seen = open_form(desk, duel, "result")
    do(other, duel, "rewind", turn=1, without_consent="Nobody answers.", seen=open_form(other, duel, "rewind"))
    late = do(desk, duel, "result", winners=["Bung"], seen=seen)
    told = complain(late)
    assert "Rolf: Turns 1 to 2 were undone, and turn 1 is played again." in told and WHY in told
    assert "press Set result again" in told
    assert not duel.battle.is_over
    do(desk, duel, "result", winners=["Bung"], seen=late.context["form"]["seen"].value())
    assert duel.battle.is_over


def test_the_second_of_two_janitors_who_undo_the_same_entry_learns_who_was_first(duel, desk):
    other = browser_of(make_janitor("Rolf"))
    do(desk, duel, "pause")
    marks = [open_form(browser, duel, "undo") for browser in (other, desk)]
    do(other, duel, "undo", entry=1, seen=marks[0])
    told = complain(do(desk, duel, "undo", entry=1, seen=marks[1]))
    assert "Rolf: Undone: " in told
    assert JournalEntry.objects.get().undone_by.username == "Rolf"


@pytest.mark.parametrize(("first", "second"), [("annul", "result"), ("annul", "annul"), ("pause", "pause")])
def test_two_forms_that_were_open_together_do_not_both_act(duel, desk, first, second):
    other = browser_of(make_janitor("Rolf"))
    marks = open_form(other, duel, first), open_form(desk, duel, second)
    do(other, duel, first, seen=marks[0])
    assert "Rolf: " in complain(do(desk, duel, second, winners=["Bung"], seen=marks[1]))
    assert JournalEntry.objects.count() == 1


def test_looks_and_marks_that_make_no_sense_stop_nothing(duel, desk):
    other = browser_of(make_janitor("Rolf"))
    seen = open_form(desk, duel, "pause")
    do(other, duel, "look", mage="Bung")
    do(other, duel, "compare")
    do(desk, duel, "pause", seen=seen)
    for mark in ("x", "1.x", "9" * 40 + ".1", "²."):
        do(desk, duel, "resume", seen=mark)
        do(desk, duel, "pause", seen=mark)
    assert JournalEntry.objects.filter(kind__in=["paused", "resumed"]).count() == 9
