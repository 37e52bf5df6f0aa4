"""What the others threaten, in words on the page and in emails, and as data of the API."""

import pytest

from duels.board.dangers import list_dangers
from duels.selectors.viewer import get_battle_for_viewer
from email_gateway.compose.parts.questions import write_threats
from tests.duels.fights import changed_state, start_fight
from tests.scenes import make_mage

# Bung's right hand completes a Lightning Bolt with D, his left hand a Finger Of Death with S and D.
HANDS = {"Froodal": ("SPDFWSF", "WFPSDWP"), "Bung": ("WPWPFSS", "FWSDFFD")}


@pytest.fixture
def fight(db):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    with changed_state(fight.battle) as state:
        state.columns = [str(column) for column in range(8)]
        for name, hp in (("Froodal", 5), ("Bung", 8)):
            wizard, (left, right) = state.wizards[name], HANDS[name]
            wizard.hp, wizard.left, wizard.right = hp, f"B{left}", f"B{right}"
            wizard.begun = wizard.reached = state.ruleset.book.states_of(wizard.left, wizard.right)
            wizard.blind_columns = wizard.unseen_columns = "0" * 8
    return fight


def see(fight, name="Froodal"):
    user = fight.user(name) if name else None
    return get_battle_for_viewer(number=fight.number, user=user, mage_name=name)


def test_each_row_says_how_soon_with_which_hand_and_what_stops_it(fight):
    ((mage, rows),) = list_dangers(see(fight))
    bolt, finger = rows[0], next(row for row in rows if row.items[0].name == "Finger Of Death")
    assert (mage, bolt.tone, bolt.pill, bolt.items[0].hand, bolt.damage) == (
        "Bung",
        "kill",
        "Kills you",
        "R",
        "5 damage",
    )
    assert [(bead.letter, bead.turn, bead.made) for bead in bolt.series] == [
        ("D", "4", True),
        ("F", "5", True),
        ("F", "6", True),
        ("D", "7", True),
        ("D", "1?", False),
    ]
    assert bolt.title == "Lightning Bolt kills you"
    assert bolt.needs == "Bung’s right hand needs one more digit for Lightning Bolt: 5 damage, and you have 5."
    assert bolt.stops == ("Counter Spell. Your right hand needs one more palm.",)
    assert bolt.fails == "Shield and Protection"
    assert (finger.tone, finger.pill, sum(finger.pips), len(finger.pips)) == ("soon", "Death in 2", 6, 8)
    assert finger.needs.endswith("S D: it kills whatever hit points you have.")


def test_a_spectator_reads_whom_a_threat_is_about(fight):
    rows = dict(list_dangers(see(fight, None)))["Bung"]
    assert (rows[0].pill, rows[0].title) == ("Can kill", "Lightning Bolt kills Froodal")
    assert "you" not in f"{rows[0].needs} {rows[0].stops}"


def test_the_page_has_the_rows_once_for_a_phone_and_a_box_for_a_desktop(fight, client):
    client.force_login(fight.user("Froodal"))
    text = " ".join(client.get(f"/battles/{fight.number}/").content.decode().split())
    assert text.count('<details class="dangers') == 1
    box = text.partition('class="danger-box"')[2].partition("</section> </section>")[0]
    assert "Turn 1 can kill you" in box and "Counter Spell. Your right hand needs one more palm." in box


def test_an_email_names_the_worst_first_and_what_stops_it(fight):
    words = " ".join(write_threats(see(fight)).split())
    assert words.startswith(
        "What the others can do next (small letters: both hands): Bung Kills you: Right D Lightning Bolt, 5 damage"
        " Stops it: Counter Spell. Your right hand needs one more palm."
    )
    assert "Doesn’t stop it: Shield and Protection." in words
    assert words.index("Kills you") < words.index("Death in 2") < words.index("1 damage: Left D Magic Missile")


def test_the_api_gives_the_threats_with_their_weight(fight, client):
    client.force_login(fight.user("Froodal"))
    threats = client.get(f"/api/battles/{fight.number}/").json()["threats"]
    first = threats[0]
    assert (first["weight"], first["parts"][0]["what"]) == ("ends", "Lightning Bolt")
    assert (first["mage"], first["victim"], first["more"], first["turns"], first["damage"]) == (
        "Bung",
        "Froodal",
        1,
        1,
        5,
    )
    assert first["stops"][0] == {
        "spell": "Counter Spell",
        "on": "Froodal",
        "hand": "RH",
        "gestures": "P",
        "in_time": True,
    }
    assert first["fails"] == ["Shield", "Protection"]
    assert {each["weight"] for each in threats} <= {"ends", "hurts", "hinders"}


def test_pending_orders_of_the_other_change_no_threat(fight, client):
    client.force_login(fight.user("Froodal"))
    seen = []
    for orders in ("D/D", "W/W"):
        fight.order("Bung", orders)
        seen.append(client.get(f"/api/battles/{fight.number}/").json()["threats"])
    assert seen[0] == seen[1]
