"""Small boards: what each reader sees of a battle in a list, as a drawing and as a sentence."""

import io
import re
import xml.etree.ElementTree as ET

import pytest
from django.template import Context, Template
from django.test import Client
from PIL import Image

from accounts.arms.blazons import State, change_state
from accounts.models import User
from duels.selectors.battle_lists import list_battles_by_number, list_running_battles
from pictures.drawing.raster import write_png
from pictures.drawing.small_board import FORMS, THEME, describe_small_board, draw_small_board, find_form
from pictures.drawing.vector import write_page_svg, write_svg
from pictures.selectors.small_boards import SmallBead, read_small_boards, seen_boards
from tests.duels.fights import changed_state, start_fight
from tests.scenes import log_in, make_mage

pytestmark = pytest.mark.django_db

NAMES = ("Froodal", "Bung", "Crom", "Dagny", "Edric", "Fenella", "Gudrun", "Halvard")


@pytest.fixture(autouse=True)
def nothing_kept():
    seen_boards.memory.clear()


def board_of(fight, user=None):
    (row,) = list_battles_by_number([fight.number], user)
    return read_small_boards([row])[fight.number]


def fight_of(count, **terms):
    return start_fight(*(make_mage(name) for name in NAMES[:count]), **terms)


def letters(beads):
    return "".join(bead.letter if bead else "." for bead in beads)


def test_a_board_has_the_last_five_turns_with_the_spells_that_went_off(duel):
    duel.turns(
        [("F/-", "-/-"), ("F/P", "-/-"), ("S/W", "D/F"), ("D/W\nTARGET LH Bung", "-/F"), ("F/-", "F/-"), ("W/W", "S/S")]
    )
    board = board_of(duel)
    froodal, bung = board.mages
    assert (letters(froodal.left), letters(bung.right)) == ("FSDFW", "-FF-S")
    assert froodal.left[2] == SmallBead("D", is_cast=True)
    # A Shield is completed by each palm.
    assert froodal.right[0] == SmallBead("P", is_cast=True)
    assert (froodal.hp, bung.hp) == (15, 14)
    assert (froodal.now, bung.now, board.has_now) == ("thinking", "thinking", True)
    assert describe_small_board(board, 3) == "Froodal 15, Bung 14 hit points, turn 7, 3 watching."


def test_a_board_says_who_is_ready_and_the_readers_mage_comes_last(duel):
    duel.turns([("F/-", "W/-")])
    duel.order("Froodal", "LH S\nRH W")
    board = board_of(duel, duel.user("Froodal"))
    assert [(mage.name, mage.now) for mage in board.mages] == [("Bung", "thinking"), ("Froodal", "ready")]
    assert [mage.name for mage in board_of(duel).mages] == ["Froodal", "Bung"]


def test_those_who_do_not_see_a_hexagon_hear_that_it_is_a_bot(duel):
    User.objects.filter(pk=duel.user("Bung").pk).update(is_bot=True)
    duel.turn("F/-", "-/-")
    assert describe_small_board(board_of(duel)) == "Froodal 15, Bung (bot) 15 hit points, turn 2."


def test_a_fallen_mage_has_broken_arms_and_the_turn_of_their_death():
    melee = fight_of(3)
    melee.turns([("F/-", "W/-", "S/-")])
    with changed_state(melee.battle) as state:
        state.wizards["Crom"].hp = 1
    melee.turns([("-/>\nTARGET RH Crom", "-/-", "F/-")])
    board = board_of(melee)
    crom = next(mage for mage in board.mages if mage.name == "Crom")
    assert (crom.is_dead, crom.fell) == (True, "2")
    assert crom.arms == change_state(melee.mages["Crom"].arms, State.DEAD)
    assert describe_small_board(board) == "Froodal 15, Bung 15 hit points, Crom dead, turn 2, turn 3."
    drawn = write_page_svg(draw_small_board(board, 160, THEME), "small-board")
    assert "dead, turn 2" in drawn and crom.arms in drawn


def test_the_orders_of_a_turn_show_in_no_board_before_it_is_played(duel):
    duel.turns([("F/-", "W/-")])
    seen = []
    for text in ("LH S\nRH W", "LH D\nRH P\nSAY Hello"):
        duel.order("Froodal", text)
        seen_boards.memory.clear()
        seen.append([draw_small_board(board_of(duel, user), 160) for user in (None, duel.user("Bung"))])
    assert seen[0] == seen[1]


def test_gestures_of_an_invisible_mage_change_no_byte_of_the_boards_of_others(db):
    seen = []
    for number, gestures in enumerate(("S/W", "D/F")):
        names = [f"Froodal{number or ''}", f"Bung{number or ''}"]
        fight = start_fight(*map(make_mage, names))
        fight.turns([("F/-", "W/-")])
        with changed_state(fight.battle) as state:
            state.wizards[names[0]].marks["invisible"] = 3
        fight.turns([(gestures, "-/-")])
        boards = [board_of(fight, user) for user in (None, fight.user(names[1]))]
        assert all("?" in letters(mage.left) for board in boards for mage in board.mages if "Froodal" in mage.name)
        own = board_of(fight, fight.user(names[0]))
        assert letters(own.mages[-1].left) == f"F{gestures[0]}"
        seen.append([[(mage.left, mage.right, mage.hp) for mage in board.mages] for board in boards])
    assert seen[0] == seen[1]


def test_a_kept_board_of_one_reader_is_not_shown_to_another(duel):
    duel.turns([("F/-", "W/-")])
    with changed_state(duel.battle) as state:
        state.wizards["Froodal"].marks["invisible"] = 3
    duel.turns([("S/W", "-/-")])
    own = board_of(duel, duel.user("Froodal"))
    assert letters(own.mages[-1].left) == "FS"
    for user in (None, duel.user("Bung"), make_mage("Crom").user):
        board = board_of(duel, user)
        assert letters(next(mage for mage in board.mages if mage.name == "Froodal").left) == "F?"


def test_boards_take_two_queries_however_many_there_are_and_none_when_kept(django_assert_num_queries):
    for count in (2, 3, 2):
        start_fight(*(make_mage(f"{name}{count}{len(list_running_battles())}") for name in NAMES[:count]))
    rows = list_running_battles()
    with django_assert_num_queries(2):
        boards = read_small_boards(rows)
    assert len(boards) == 3
    with django_assert_num_queries(0):
        assert read_small_boards(rows) == boards
    seen_boards.memory.clear()


@pytest.mark.parametrize("count", [2, 3, 6, 7, 8])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: str(form.width))
def test_every_form_holds_what_is_in_it(count, form):
    fight = fight_of(count)
    fight.turns([tuple("F/-" for _ in range(count)), tuple("S/P" for _ in range(count))])
    picture = draw_small_board(board_of(fight), form.width)
    root = ET.fromstring(write_svg(picture))
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))
    for each in root.iter():
        if each.tag.endswith("text"):
            assert all(0 <= float(x) <= form.width for x in each.get("x").split())
            assert 0 < float(each.get("y")) < picture.height
            assert float(each.get("font-size")) >= 11
    image = Image.open(io.BytesIO(write_png(picture)))
    assert image.size == (picture.width, picture.height)
    if count > 6:
        assert len(re.findall("<clipPath", write_svg(picture))) == count


def test_a_tile_takes_the_form_for_its_width():
    assert [find_form(width).width for width in (96, 100, 128, 159, 160, 240)] == [96, 96, 128, 128, 160, 160]


def test_a_tile_is_one_link_that_is_called_by_its_sentence(duel):
    duel.turns([("F/-", "W/-")])
    page = "{% load arms %}{% with_arms %}{% include 'pictures/_small_board.html' %}{% endwith_arms %}"
    html = Template(page).render(Context({"board": board_of(duel), "width": 160, "caption": "live", "watching": 2}))
    assert html.count("<a ") == 1 and 'aria-label="Froodal 15, Bung 15 hit points, turn 2, 2 watching."' in html
    used = set(re.findall(r'<use href="#(arms-[^"]+)"', html))
    assert used == set(re.findall(r'<symbol id="(arms-[^"]+)"', html)) and len(used) == 2
    assert not re.search(r'(fill|stroke)="#', html.split("<symbol")[0])


def test_the_pictures_of_a_board_show_what_everyone_may_see(duel):
    duel.turns([("F/-", "W/-")])
    address, client = f"/battles/{duel.number}/board", log_in(duel.user("Froodal"))
    drawn = client.get(f"{address}.svg")
    assert drawn.headers["Content-Type"] == "image/svg+xml" and "href" not in drawn.content.decode()
    assert "Froodal 15, Bung 15 hit points, turn 2." in drawn.content.decode()
    assert Image.open(io.BytesIO(client.get(f"{address}.png?width=96").content)).size == (96, 121)
    duel.order("Froodal", "LH S\nRH W")
    # Everyone sees who is ready; nobody sees with what.
    assert client.get(f"{address}.svg").content == Client().get(f"{address}.svg").content
    assert client.get("/battles/77/board.svg").status_code == 404


def test_home_play_and_profiles_show_the_boards_as_their_reader_sees_them(duel):
    duel.turns([("F/-", "W/-")])
    with changed_state(duel.battle) as state:
        state.wizards["Froodal"].marks["invisible"] = 3
    duel.turns([("S/W", "D/-")])
    seen_boards.memory.clear()
    own, other = log_in(duel.user("Froodal")), log_in(make_mage("Crom").user)
    for page in ("/mages/Froodal/", "/challenges/"):
        assert ">FS</text>" in own.get(page).content.decode()
    for page in ("/", "/play/", "/mages/Froodal/", "/mages/Bung/", "/users/Bung_user/"):
        text = other.get(page).content.decode()
        assert 'class="small-board"' in text and ">F?</text>" in text and ">FS</text>" not in text, page
