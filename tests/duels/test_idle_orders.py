"""Before Ready, a player learns what does nothing as things stand: the same words on the page and by API."""

import json

from django.urls import reverse

from duels.models import OrderSheet
from rules_engine.beings import Monster
from tests.duels.fights import changed_state, start_fight
from tests.scenes import make_mage

CURE = "As things stand, Cure Light Wounds does nothing: you have all 15."
FOLLOWS = "It cures only what you lose this turn."


def fight_before_a_cure():
    """Froodal's left hand completes Cure Light Wounds with W."""
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("D/-", "-/-"), ("F/-", "-/-")])
    return fight


def preview(client, fight, **fields):
    client.force_login(fight.user("Froodal"))
    data = {"stage": str(fight.key()), "mage": "Froodal", "act": "preview", **fields}
    return " ".join(client.post(reverse("duels:battle", args=[fight.number]), data).content.decode().split())


def test_the_page_says_so_before_ready_and_ready_stays_one_press(db, client):
    fight = fight_before_a_cure()
    text = preview(client, fight, LH="W", RH="S")
    assert f'<b>{CURE}</b> <span class="rest">{FOLLOWS}</span>' in text
    assert "/rules/firetop-standard/#cure-light-wounds" in text.partition('class="idle-notes"')[2][:700]
    button = text.partition('id="ready"')[2].partition("</button>")[0]
    assert button.strip().endswith("Ready") and "aria-disabled" not in button
    preview(client, fight, LH="W", RH="S", act="ready")
    assert OrderSheet.objects.get(ready=True, stage__closed_at=None).lines == ["LH W", "RH S"]


def test_the_key_the_bead_and_the_hand_show_it(db, client):
    text = preview(client, fight_before_a_cure(), LH="W", RH="S")
    key = text.partition('id="hint-LH-W"')[2].partition("</label>")[0]
    assert 'key-note vain" aria-hidden="true"><span class="note-mark">◌ </span>Cure Light Wounds' in key
    assert 'class="bead square mine vain"' in text
    assert "Cure Light Wounds: does nothing" in text


def test_several_reasons_are_in_one_block(db, client):
    fight = start_fight(make_mage("Froodal"), make_mage("Bung"))
    fight.turns([("-/P", "-/-"), ("D/S", "-/-"), ("F/D", "-/-")])
    text = preview(client, fight, LH="W", RH="D")
    assert text.count('class="idle-notes"') == 1
    block = text.partition('class="idle-notes"')[2].partition("</div> </div>")[0]
    assert CURE in block and "Charm Monster will do nothing: there’s no creature here." in block


def test_nothing_is_said_of_orders_that_do_something(db, client):
    assert "idle-notes" not in preview(client, fight_before_a_cure(), LH="S", RH="S")


def test_the_answer_to_orders_by_api_warns_in_the_same_words(db, client):
    fight = fight_before_a_cure()
    client.force_login(fight.user("Froodal"))
    body = json.dumps({"orders": "W/S", "ready": True, "key": str(fight.key())})
    answer = client.post(f"/api/battles/{fight.number}/orders/", body, content_type="application/json").json()
    assert answer["warnings"] == [{"code": "does_nothing", "message": f"{CURE} {FOLLOWS}", "severe": False}]


def test_keys_name_spells_as_the_rules_do(db, client):
    text = preview(client, fight_before_a_cure())
    for short in ("Wounds 2", "Wounds 3", "Cure 1", "Cure 2", "Charm pers", "Charm mon", "Res. cold", "Fire elem"):
        assert short not in text


def melee_with_an_idle_goblin(attacked_by=None):
    """Froodal's goblin attacked Dorn, who is dead; `attacked_by` has a creature that attacks Froodal."""
    names = ("Froodal", "Bung", "Cy", "Dorn")
    fight = start_fight(*(make_mage(name) for name in names))
    with changed_state(fight.battle) as state:
        state.wizards["Dorn"].phase, state.out = "dead", ["Dorn"]
        state.wizards["Dorn"].hp, state.wizards["Cy"].hp = 0, 9
        state.movers = names[:3]
        state.monsters["BlueGoblin"] = Monster("BlueGoblin", "Goblin", "Froodal", "Dorn")
        if attacked_by:
            state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", attacked_by, "Froodal")
    return fight


def question_row(text):
    return text.partition('data-slot="TARGET BlueGoblin"')[2].partition("</fieldset>")[0]


def test_a_creature_without_a_victim_gets_a_row_with_the_weakest_targets(db, client):
    text = preview(client, melee_with_an_idle_goblin(), LH="W", RH="S")
    row = question_row(text)
    assert "BlueGoblin attacks nobody" in row
    assert "Its last target, Dorn, is dead. It stands idle this turn unless you choose a victim." in row
    assert row.index('value="TARGET BlueGoblin Cy"') < row.index('value="TARGET BlueGoblin Bung"')
    assert "checked" not in row.partition("<select")[0]
    assert 'class="idle-notes"' not in text, "the row says it"
    assert 'data-unanswered="1"' in text and "aria-disabled" not in text.partition('id="ready"')[2].partition(">")[0]


def test_the_last_attacker_is_proposed_and_ordered_with_the_form(db, client):
    fight = melee_with_an_idle_goblin(attacked_by="Bung")
    row = question_row(preview(client, fight))
    assert 'value="TARGET BlueGoblin Bung" checked' in row
    text = preview(client, fight, LH="W", RH="S", **{"order-q-target-bluegoblin": "TARGET BlueGoblin Bung"})
    assert "attacks Bung" in text and "attacks nobody" not in text


def test_the_mage_who_hurt_you_last_turn_comes_before_the_master_of_a_creature(db, client):
    fight = start_fight(*(make_mage(name) for name in ("Froodal", "Bung", "Cy")))
    fight.turns([("-/-", "-/-", "S/-"), ("-/-", "-/-", "D/-\nTARGET LH Froodal")])
    with changed_state(fight.battle) as state:
        state.monsters["BlueGoblin"] = Monster("BlueGoblin", "Goblin", "Froodal", "nobody")
        state.monsters["RedOgre"] = Monster("RedOgre", "Ogre", "Bung", "Froodal")
    assert 'value="TARGET BlueGoblin Cy" checked' in question_row(preview(client, fight))


def test_a_creature_that_is_ordered_to_attack_nobody_is_left_alone(db, client):
    text = preview(client, melee_with_an_idle_goblin(), LH="W", RH="S", order="TARGET BlueGoblin nobody")
    assert "stands idle" not in text
