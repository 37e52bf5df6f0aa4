"""Coats of arms: the rule, what is stored, and what is drawn."""

import io
import itertools
import re
import xml.etree.ElementTree as ET
from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from accounts.arms.blazons import JANITORS, LEFT, State, blazon_bot, blazon_mage, blazon_user, change_state
from accounts.arms.design import COLOURS, METALS, PARTNERS, Arms, design, read_code
from accounts.arms.drawing import CLASSES, LIGHT, class_of, write_svg, write_symbol
from accounts.arms.parts import CHARGES, DIVISIONS, FACES, SHAPES, SIGILS
from accounts.arms.paths import flatten
from accounts.arms.raster import draw_arms
from accounts.bots import BOTS, MAGES
from accounts.models import Mage
from accounts.services.mages import MOST_ARMS, kill_mage, register_mage, rename_mage
from duels.services.rename_mage import rename_mage_on_leaving
from tests.bots import bring_bots
from tests.duels.fights import start_fight
from tests.scenes import NOW, log_in, make_mage, make_user
from tests.ui.test_house_style import DARK, contrast
from tests.ui.test_house_style import LIGHT as LIGHT_TOKENS

SVG = "{http://www.w3.org/2000/svg}"
DRAWN = [
    blazon_mage("Emberlin"),
    blazon_mage("Brunhild", state=State.DEAD),
    blazon_mage("Edric", state=State.RETIRED),
    blazon_user("Anna"),
    blazon_bot("Pipkin", "Apprentice"),
    blazon_bot("Apprentice", "Apprentice"),
    blazon_bot("Clockwork"),
    change_state(blazon_bot("Odile", "Journeyman"), State.DEAD),
    JANITORS,
    LEFT,
]


@pytest.mark.parametrize(
    ("name", "arms"),
    [
        ("Emberlin", Arms(1, 8, True, "heather", "pine", "brass", 20)),
        ("Ottokar", Arms(2, 1, True, "brass", "chalk", "basalt", 28)),
        ("Brunhild", Arms(0, 13, False, "madder", "basalt", "brass", 4)),
        ("Maren", Arms(3, 5, True, "chalk", "brass", "pine", 3)),
    ],
)
def test_names_have_the_arms_of_the_rule(name, arms):
    assert design(name) == arms == design(name.upper()) == read_code(arms.code)


@given(st.text(max_size=30), st.integers(1, MOST_ARMS), st.sampled_from(State))
def test_any_name_has_arms_that_can_be_drawn_and_charge_and_field_differ_in_class(text, number, state):
    arms = design(text, number)
    assert read_code(arms.code) == arms and len(arms.likeness) == 6
    classes = [METALS if each in METALS else COLOURS for each in (arms.first, arms.second, arms.tincture)]
    assert classes[0] == classes[1] != classes[2]
    ET.fromstring(write_svg(blazon_mage(text, number, state=state), 48, alt="Arms"))


def test_an_unknown_edition_is_refused_rather_than_drawn_by_another_rule():
    with pytest.raises(ValueError, match="edition 2"):
        design("Emberlin", edition=2)


@pytest.mark.parametrize("scheme", [LIGHT_TOKENS, LIGHT_TOKENS | DARK], ids=["light", "dark"])
def test_every_charge_stands_out_from_both_parts_of_every_field(scheme):
    for metal, colour in itertools.product(METALS, COLOURS):
        assert contrast(scheme[f"t-{metal}"], scheme[f"t-{colour}"]) >= 4.55, (metal, colour)
    for first, partners in PARTNERS.items():
        assert first in COLOURS and set(partners) <= set(COLOURS) - {first}
    # Stone, for those who are not living.
    for stone in ("t-stone1", "t-stone2"):
        assert contrast(scheme["t-dust"], scheme[stone]) >= 3
    for ground in ("page", "surface"):
        assert contrast(scheme["t-rim"], scheme[ground]) >= 7


def test_pictures_have_the_colours_of_the_light_theme():
    assert {name: LIGHT_TOKENS[f"t-{name}"] for name in LIGHT if name != "paper"} | {
        "paper": LIGHT_TOKENS["surface"]
    } == LIGHT


def test_the_parts_are_those_of_the_rule():
    assert (len(SHAPES), len(DIVISIONS), len(CHARGES)) == (4, 16, 32)
    assert set(FACES) == set(MAGES) and set(SIGILS) == {bot.strength for bot in BOTS}


@pytest.mark.parametrize("blazon", DRAWN)
@pytest.mark.parametrize("letter", [letter for letter, *_ in CLASSES])
def test_each_drawing_is_well_formed_and_refers_only_to_its_own_ids(blazon, letter):
    symbol = ET.fromstring(write_symbol(blazon, letter, "one"))
    ids = [each.get("id") for each in symbol.iter() if each.get("id")]
    assert len(ids) == len(set(ids)) and all(each.startswith("one") for each in ids)
    text = ET.tostring(symbol, encoding="unicode")
    assert set(re.findall(r"url\(#([^)]+)\)", text)) <= set(ids)
    # Colours of the theme only, so that it follows the scheme of the page.
    assert not re.search(r"#[0-9A-Fa-f]{6}", text)


def test_rims_are_wider_in_small_drawings_and_inner_lines_only_in_large_ones():
    assert [class_of(size) for size in (18, 28, 32, 40, 48, 64, 72, 120)] == list("ssmmllxx")
    drawn = {letter: write_symbol(blazon_mage("Brunhild"), letter, "a") for letter in "smlx"}
    for letter, rim in {"s": "2.4", "m": "2", "l": "1.6", "x": "1.1"}.items():
        assert f'stroke-width="{rim}"' in drawn[letter]
    assert ['stroke-width="1.3"' in drawn[letter] for letter in "smlx"] == [False, False, True, True]


@pytest.mark.parametrize("state", [State.RETIRED, State.DEAD])
def test_only_the_living_have_tinctures(state):
    for name in ("Emberlin", "Maren"):
        drawn = write_svg(blazon_mage(name, state=state), 48, alt=name)
        assert not any(LIGHT[each] in drawn for each in (*METALS, *COLOURS))


def test_a_bot_has_no_tinctures():
    for blazon in (blazon_bot("Pipkin", "Apprentice"), blazon_bot("Apprentice", "Apprentice"), blazon_bot("Clockwork")):
        drawn = write_svg(blazon, 48, alt="")
        assert set(re.findall(r"#[0-9A-F]{6}", drawn)) == {LIGHT["rim"], LIGHT["paper"]}


def test_a_user_who_takes_a_bots_name_gets_no_face():
    assert blazon_bot("Pipkin2", "Apprentice") == blazon_bot("Pipkin", "Apprentice")
    assert "Pipkin" not in blazon_bot("Pipkin") + blazon_mage("Pipkin")


def test_a_page_draws_each_symbol_once_and_only_those_it_uses():
    page = Template(
        "{% load arms %}{% with_arms %}{% arms a 24 %}{% arms a 28 %}{% arms a 48 %}"
        "{% arms b 24 'B' %}{% endwith_arms %}"
    )
    html = page.render(Context({"a": blazon_mage("Emberlin"), "b": blazon_user("Boris")}))
    symbols = re.findall(r'<symbol id="([^"]+)"', html)
    assert len(symbols) == len(set(symbols)) == 3
    assert set(re.findall(r'<use href="#([^"]+)"', html)) == set(symbols)
    assert html.count('aria-hidden="true"><use') == 3 and 'role="img" aria-label="B"' in html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


def test_a_page_without_arms_has_no_sprite_and_a_piece_with_its_own_gets_no_second():
    inner = "{% load arms %}{% with_arms %}{% arms a 24 %}{% endwith_arms %}"
    html = Template("{% load arms %}{% with_arms %}" + inner + "{% endwith_arms %}").render(
        Context({"a": blazon_mage("Emberlin")})
    )
    assert html.count("<symbol") == 1
    assert Template("{% load arms %}{% with_arms %}a{% endwith_arms %}").render(Context()) == "a"


@pytest.mark.django_db
def test_a_mage_stores_how_its_arms_are_drawn_and_a_new_name_does_not_change_them():
    mage = make_mage("Emberlin")
    assert (mage.arms_text, mage.arms_number, mage.arms_edition) == ("Emberlin", 1, 1)
    before = mage.arms
    rename_mage(mage=mage, name="Cinder", now=NOW)
    mage.refresh_from_db()
    assert (mage.name, mage.arms_text, mage.arms) == ("Cinder", "Emberlin", before)


@pytest.mark.django_db
def test_the_arms_of_a_mage_named_like_a_user_who_leaves_keep_nothing_of_the_name():
    mage = make_mage("Emberlin")
    rename_mage_on_leaving(mage=mage, name="Cinder", now=NOW)
    stored = Mage.objects.get(pk=mage.pk)
    assert (stored.arms_text, stored.arms_likeness) == ("Cinder", design("Cinder").likeness)


@pytest.fixture
def alike(monkeypatch):
    """Let names be alike that differ only in case and digits at their end."""
    real = design
    for module in ("accounts.services.mages",):
        monkeypatch.setattr(f"{module}.design", lambda name, *more: real(name.rstrip("0123456789"), *more))


@pytest.mark.django_db
def test_a_new_mage_gets_arms_that_no_living_mage_has(alike):
    first, second = make_mage("Emberlin"), make_mage("Emberlin2")
    assert (first.arms_number, second.arms_number) == (1, 2)
    assert first.arms_likeness != second.arms_likeness
    kill_mage(mage=first, now=NOW)
    # The arms of the dead are free again.
    assert make_mage("Emberlin3").arms_number == 1


@pytest.mark.django_db
def test_registering_a_mage_costs_one_query_for_its_arms(alike, django_assert_num_queries):
    from accounts.services.mages import choose_arms

    make_mage("Emberlin")
    with django_assert_num_queries(1):
        assert choose_arms("Emberlin7")["arms_number"] == 2


@pytest.mark.django_db
def test_with_all_arms_taken_a_mage_still_gets_some(monkeypatch):
    monkeypatch.setattr("accounts.services.mages.design", lambda *_: design("Emberlin"))
    assert [make_mage(name).arms_number for name in ("One_mage", "Two_mage")] == [1, 1]


@pytest.mark.django_db
def test_arms_tell_living_retired_and_dead_and_a_user_who_has_left():
    mage = make_mage("Emberlin")
    assert mage.arms == blazon_mage("Emberlin")
    mage.retired_at = NOW
    assert mage.arms == blazon_mage("Emberlin", state=State.RETIRED)
    mage.died_at = NOW
    assert mage.arms == blazon_mage("Emberlin", state=State.DEAD)
    mage.has_left = True
    assert mage.arms == blazon_mage("Emberlin", state=State.RETIRED)
    user = mage.user
    assert user.arms == blazon_user(user.username)
    user.is_active = False
    assert user.arms == LEFT


@pytest.mark.django_db
def test_mages_from_before_get_arms_in_the_order_of_their_registration():
    user = make_user("Anna")
    for name in ("Emberlin", "Ottokar"):
        register_mage(user=user, name=name, now=NOW)
    Mage.objects.update(arms_text="", arms_number=7, arms_likeness="")
    import_module("accounts.migrations.0018_arms_of_mages").draw_arms(apps, None)
    for mage in Mage.objects.all():
        assert (mage.arms_text, mage.arms_number, mage.arms_edition) == (mage.name, 1, 1)
        assert mage.arms_likeness == design(mage.name).likeness


@pytest.mark.django_db
def test_anyone_can_fetch_a_mages_arms_and_they_need_nothing_else():
    mage = make_mage("Emberlin")
    client = Client()
    drawn = client.get("/mages/Emberlin/arms.svg")
    assert drawn.headers["Content-Type"] == "image/svg+xml" and "href" not in drawn.content.decode()
    assert ET.fromstring(drawn.content).find(f"{SVG}title").text == "Emberlin"
    for size in (24, 120):
        image = Image.open(io.BytesIO(client.get(f"/mages/emberlin/arms-{size}.png").content)).convert("RGBA")
        assert image.size == (size, size)
        # The colours of the chief are at the top, nothing in the corner.
        assert image.getpixel((0, 0))[3] == 0
        assert image.getpixel((size // 2, size // 5))[:3] == (0x17, 0x60, 0x4C)
    assert client.get("/mages/Emberlin/arms-25.png").status_code == 404
    assert client.get("/mages/Nobody/arms.svg").status_code == 404
    # No session, no cookie, and a browser that has it need not fetch it again.
    assert not drawn.cookies and "max-age=300" in drawn.headers["Cache-Control"]
    known = client.get("/mages/Emberlin/arms.svg", headers={"If-None-Match": drawn["ETag"]})
    assert known.status_code == 304
    kill_mage(mage=mage, now=NOW)
    assert client.get("/mages/Emberlin/arms.svg").content != drawn.content


@pytest.mark.parametrize("blazon", DRAWN)
def test_pixels_show_the_same_drawing_as_lines(blazon):
    """Each colour of the SVG is in the PNG, and no other fills it."""
    image = draw_arms(blazon, 120)
    colours = {f"#{r:02X}{g:02X}{b:02X}": n for n, (r, g, b, a) in image.getcolors(120 * 120) if a == 255}
    assert {each for each, n in colours.items() if n > 300} <= set(LIGHT.values())
    assert set(re.findall("#[0-9A-F]{6}", write_svg(blazon, 120, alt=""))) <= set(colours)


def test_outlines_follow_arcs_and_curves():
    ((points, is_closed),) = flatten("M24 3.5a20.5 20.5 0 1 0 .01 0z")
    assert is_closed and len(points) > 40
    assert all(abs(((x - 24) ** 2 + (y - 24) ** 2) ** 0.5 - 20.5) < 0.02 for x, y in points)
    assert flatten("M1 2h3v4l-1-1") == ((((1, 2), (4, 2), (4, 6), (3, 5)), False),)
    ((points, _closed),) = flatten("M0 0c0 4 4 8 8 8s8-4 8-8")
    assert points[-1] == (16, 0) and max(y for _x, y in points) == pytest.approx(8)


@pytest.mark.django_db
def test_a_battle_shows_the_arms_of_its_mages_as_it_knows_them_and_not_as_their_rows_do():
    """What happens to a mage elsewhere, or is not told in the battle yet, changes no arms in it."""
    fight = start_fight(make_mage("Emberlin"), make_mage("Ottokar"))
    pages = (f"/battles/{fight.number}/", f"/battles/{fight.number}/board.svg", f"/api/v1/battles/{fight.number}/")
    before = [re.findall(r"arms-\w-\w+|<path [^>]+>", Client().get(page).content.decode()) for page in pages]
    Mage.objects.filter(name="Emberlin").update(died_at=NOW)
    assert before == [re.findall(r"arms-\w-\w+|<path [^>]+>", Client().get(page).content.decode()) for page in pages]
    assert any(before[0])


@pytest.mark.django_db
def test_a_newcomer_meets_the_arms_of_their_mage_and_everyone_sees_them_on_my_mages():
    mage = make_mage("Emberlin")
    client = log_in(mage.user)
    home = client.get("/").content.decode()
    assert f"arms-x-{mage.arms}" in home and "They come from the name and stay for life." in home
    assert f"arms-m-{mage.arms}" in client.get("/accounts/mages/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/accounts/mages/", "/users/Anna/"])
def test_the_arms_of_many_mages_take_no_query_each(path):
    user = make_user("anna")
    make_mage("Froodal", user)
    browser, counts = log_in(user), []
    for names in ((), ("Bung", "Maren", "Ottokar", "Emberlin")):
        for name in names:
            make_mage(name, user)
        browser.get(path)
        with CaptureQueriesContext(connection) as queries:
            assert browser.get(path).status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


@pytest.mark.django_db
def test_the_part_of_a_battle_that_changes_brings_all_arms_in_it():
    """The page has drawn those of its mages only: the end also shows the next bot."""
    bring_bots(now=NOW)
    ayla, pipkin = make_mage("Ayla"), Mage.objects.select_related("user").get(name="Pipkin")
    fight = start_fight(ayla, pipkin, hit_points=(15, 1), stakes="very-friendly")
    fight.turns([("S/-", "-/-"), ("D/-", "-/-")])
    html = log_in(ayla.user).get(f"/battles/{fight.number}/?fragment=board").content.decode()
    used = set(re.findall(r'href="#(arms-[\w-]+)"', html))
    assert any(name.startswith("arms-l-lb") for name in used)
    assert used == set(re.findall(r'<symbol id="(arms-[\w-]+)"', html))
