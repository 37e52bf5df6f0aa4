"""Positions set up by hand: for every ruleset, on the real board, and only such as a battle can come to."""

import pytest
from django.test import Client

from rules_engine import look, read_state
from rules_engine.audience import Viewer
from rules_engine.errors import InvalidRecord
from rules_engine.glossary import ENCHANTMENTS
from rules_engine.positions import set_up
from rules_engine.possible import find_possible
from rules_engine.rulesets import RULESETS
from rules_engine.writing_positions import write_position
from studies.models import Study
from studies.views.library import MOST_POSITION, SAMPLE
from tests.duels.fights import start_fight
from tests.scenes import log_in, make_mage, make_user
from tests.studies.fights import fields


def problems(text):
    with pytest.raises(InvalidRecord) as error:
        set_up(text)
    return {(each.line, each.code, each.nearest) for each in error.value.problems}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_everything_that_is_possible_can_be_set_up_and_played_on(ruleset):
    possible = find_possible(RULESETS[ruleset])
    assert {"blind", "invisible", "shielded", "afraid"} <= set(possible.marks["mage"])
    assert ("Goblin" in possible.kinds) == ("nomonsters" not in ruleset)
    head = f"ruleset {ruleset}\nmage Ayla 3\nleft WW\nright PD\n"
    other = "mage Crom\nleft SS\nright FD\n"
    for mark in possible.marks["mage"]:
        by = " by Crom" if mark in ("paralysed", "charmed") else ""
        state = set_up(f"{head}has {ENCHANTMENTS[mark]}{by}\n{other}")
        seen = next(mage for mage in look(state, Viewer.all_seeing()).mages if mage.name == "Ayla")
        assert [each.mark for each in seen.enchantments] == [mark] and (seen.hp, seen.left) == (3, "BWW")
    for kind in possible.kinds:
        whose = "" if "Elemental" in kind else " 1 of Ayla at Crom"
        state = set_up(f"{head}{other}creature {kind}{whose}\n")
        assert [monster.kind for monster in state.monsters.values()] == [kind]
    assert (state.label, state.seq, state.owing) == ("3", 3, ("Ayla", "Crom"))


HEAD = "ruleset firetop-standard\nmage Ayla\nmage Crom\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", (1, "no_ruleset", "ruleset firetop-standard")),
        ("ruleset firetop-standrad\nmage A\nmage B", (1, "ruleset", "ruleset firetop-standard")),
        ("ruleset firetop-standard\nmage Ayla", (1, "mages", "mage Ayla 15")),
        (HEAD + "mage Ayla", (4, "mage_twice", None)),
        (HEAD + "mage <b>", (4, "name", "mage Ayla 12")),
        (HEAD + "magus Dara", (4, "unknown_key", "mage Ayla 12")),
        (HEAD + "left WpF\nright WWW", (4, "gesture", "P")),
        (HEAD + "left W\nright W", (2, "lengths", None)),
        (HEAD + "left P\nright P", (3, "surrender", None)),
        (HEAD + "left >\nright >", (3, "two_daggers", None)),
        (HEAD + "mage Dara 16", (4, "points", "mage Dara 15")),
        (HEAD + "mage Dara 0", (4, "points", "mage Dara 1")),
        (HEAD + "has blnd 2", (4, "enchantment", "has blind")),
        (HEAD + "has outside time", (4, "enchantment", None)),
        (HEAD + "has blind 4", (4, "turns", "has blind 3")),
        (HEAD + "has diseased permanent", (4, "turns", "has diseased 5")),
        (HEAD + "banked Firebal", (4, "banked", "banked Fireball")),
        (HEAD + "banked Fireball at Aylla", (4, "banked_at", "banked Fireball at Ayla")),
        (HEAD + "banked Fire Storm at Ayla", (4, "banked_at", "banked Fire Storm")),
        (HEAD + "banked Shield\nbanked Fireball", (5, "banked_twice", None)),
        ("banked Shield\n" + HEAD, (1, "too_early", "mage Ayla 12")),
        (HEAD + "has afraid\nhas forgetful", (3, "minds", None)),
        (HEAD + "has resists heat 3", (4, "turns", "has resists heat")),
        (HEAD + "has blind 2\nhas blind 1", (5, "twice", None)),
        (HEAD + "has charmed 1", (4, "by", "has charmed 1 by Ayla")),
        (HEAD + "has charmed 1 by Crom", (4, "by", "has charmed 1 by Ayla")),
        (HEAD + "has afraid\nhas confused", (3, "minds", None)),
        (HEAD + "creature Gobln of Ayla", (4, "kind", "Goblin")),
        (HEAD + "creature Ogre 3 of Ayla", (4, "points", "creature Ogre 2 of Ayla")),
        (HEAD + "creature Ogre of Crm", (4, "owner", "of Crom")),
        (HEAD + "creature Ogre", (4, "owner", "of Ayla")),
        (HEAD + "creature Ogre of Ayla at Crm", (4, "target", "at Crom")),
        (HEAD + "creature Ogre of Ayla\nhas blind 2", (5, "enchantment", None)),
        (HEAD + "creature FireElemental of Ayla", (4, "elemental", "creature FireElemental")),
        (HEAD + "creature FireElemental\ncreature IceElemental", (4, "elementals", None)),
        ("has blind\n" + HEAD, (1, "too_early", "mage Ayla 12")),
    ],
)
def test_an_impossible_position_is_reported_with_its_line_and_the_nearest_valid_form(text, found):
    line, code, nearest = found
    got = problems(text)
    assert any((one[0], one[1]) == (line, code) and nearest in (None, one[2]) for one in got), got


def test_rulesets_allow_different_positions():
    assert set_up(HEAD.replace("firetop-standard", "warlocks").replace("Ayla", "Ayla 16")).wizards["Ayla"].hp == 16
    assert (4, "kind") in {
        one[:2] for one in problems(HEAD.replace("standard", "nomonsters") + "creature Ogre of Ayla")
    }


@pytest.mark.django_db
def test_a_position_is_set_up_and_played_on_against_a_bot():
    pat = make_user("Pat")
    client = log_in(pat)
    form = client.get("/studies/position/").content.decode()
    assert "mage Ayla 12" in form and "charmed" in form
    assert "ruleset warlocks" in client.get("/studies/position/?ruleset=warlocks").content.decode()
    assert "firetop-standard" in client.get("/studies/position/?ruleset=%3Cb%3E").content.decode()
    answer = client.post("/studies/position/", {"text": SAMPLE, "title": "Blind and still ahead"})
    study = Study.objects.get()
    assert answer["Location"] == f"/studies/{study.slug}/" and study.battle is None and not study.recorded
    page = client.get(answer["Location"]).content.decode()
    assert "A position that Pat set up by hand" in page and "Goblin" in page and 'id="pad-LH"' in page
    client.post(f"/studies/{study.slug}/0/change/", {"act": "answers", "for:Ayla": "hand", "for:Crom": "Warder"})
    answer = client.post(f"/studies/{study.slug}/0/", fields("W/S", "Ayla"))
    assert answer["Location"] == f"/studies/{study.slug}/1/"
    after = client.get(answer["Location"]).content.decode()
    assert "Here, turn 4" in after and "What really happened" not in after and "In the imported battle" not in after
    assert read_state(study.branches.get(number=1).state).seq == 5
    # It is no battle: there is nothing to analyse and nothing to download.
    assert client.post(f"/studies/{study.slug}/analysis/").status_code == 409
    assert client.get(f"/studies/{study.slug}/record.txt").status_code == 404


@pytest.mark.django_db
def test_the_wrong_person_and_bad_input():
    for method in ("get", "post"):
        answer = getattr(Client(), method)("/studies/position/", {"text": SAMPLE})
        assert answer.status_code == 302 and "/login" in answer["Location"]
    client = log_in(make_user("Pat"))
    answer = client.post("/studies/position/", {"text": SAMPLE.replace("blind 2", "blnd 2")})
    assert answer.status_code == 422 and b"<code>has blind</code>" in answer.content
    assert client.post("/studies/position/", {"text": "x" * (MOST_POSITION + 1)}).status_code == 422
    assert (
        b"<script>"
        not in client.post("/studies/position/", {"text": "<script>alert(1)</script>"}).content.split(b"<textarea")[1]
    )
    assert not Study.objects.exists()
    client.post("/studies/position/", {"text": SAMPLE})
    study = Study.objects.get()
    assert Client().get(f"/studies/{study.slug}/").status_code == 404
    assert log_in(make_user("Sam")).post(f"/studies/{study.slug}/0/", fields("W/S", "Ayla")).status_code == 404


@pytest.mark.django_db
def test_no_bot_answers_in_a_position_that_is_a_running_battle_of_its_player():
    made = start_fight(make_mage("Froodal"), make_mage("Bung"))
    for mine, theirs in [("S/W", "P/S"), ("D/W", "W/S"), ("F/F", "D/F")]:
        made.order("Froodal", mine)
        made.order("Bung", theirs)
    here = "ruleset firetop-standard\nmage A\nleft SDF\nright WWF\nmage B\nleft PWD\nright SSF\n"
    client = log_in(made.user("Froodal"))
    client.post("/studies/position/", {"text": here})
    study = Study.objects.get()
    client.post(f"/studies/{study.slug}/0/change/", {"act": "answers", "for:A": "hand", "for:B": "Magus"})
    answer = client.post(f"/studies/{study.slug}/0/", fields("S/S", "A"))
    assert answer.status_code == 409 and f"battle {made.number}" in answer.content.decode()
    assert study.branches.count() == 1


AYLA, CROM = "mage Ayla\nleft WP\nright SS\n", "mage Crom\nleft DS\nright FW\n"
STANDARD = "firetop-standard"
DISGUISES = [
    ("as it is", STANDARD, AYLA + CROM),
    ("one turn earlier", STANDARD, "mage Ayla\nleft W\nright S\nmage Crom\nleft D\nright F"),
    ("one turn later", STANDARD, "mage Ayla\nleft WPF\nright SSD\nmage Crom\nleft DSF\nright FWP"),
    ("other names and seats", STANDARD, "mage Xeno\nleft DS\nright FW\nmage Yun\nleft WP\nright SS"),
    ("one mage's hands swapped", STANDARD, f"mage Ayla\nleft SS\nright WP\n{CROM}"),
    ("other hit points", STANDARD, (AYLA + CROM).replace("Ayla", "Ayla 3")),
    ("after idle turns", STANDARD, "mage Ayla\nleft --WP\nright -CSS\nmage Crom\nleft C-DS\nright --FW"),
    ("with a third mage", STANDARD, f"{AYLA}{CROM}mage Zoe 1\nleft --\nright --"),
    ("other rules of the family", "firetop-classic", AYLA + CROM),
    ("other rules", "waving-hands", AYLA + CROM),
]


@pytest.mark.django_db
def test_a_running_battle_in_disguise_gets_no_bots_answer():
    pat, olga = make_user("Pat"), make_user("Olga")
    start_fight(make_mage("Ayla", pat), make_mage("Crom")).turns([("W/S", "D/F"), ("P/S", "S/W")])
    client, other = log_in(pat), log_in(olga)
    for what, ruleset, text in DISGUISES:
        address = client.post("/studies/position/", {"text": f"ruleset {ruleset}\n{text}\n", "title": what})["Location"]
        study = Study.objects.get(title=what)
        first, *others = study.answers
        answers = {f"for:{name}": "Warder" for name in others}
        client.post(f"{address}0/change/", {"act": "answers", f"for:{first}": "hand", **answers})
        refused = client.post(f"{address}0/", fields("W/S", first))
        assert refused.status_code == 409 and "which is still running" in refused.content.decode(), what
        # For anyone else it is only a position.
        Study.objects.filter(pk=study.pk).update(owner=olga)
        assert other.post(f"{address}0/", fields("W/S", first)).status_code == 302, what
    # And one that only looks similar is one for Pat too.
    text = f"ruleset {STANDARD}\nmage Ayla\nleft WF\nright DS\n{CROM}"
    address = client.post("/studies/position/", {"text": text})["Location"]
    client.post(f"{address}0/change/", {"act": "answers", "for:Ayla": "hand", "for:Crom": "Warder"})
    assert client.post(f"{address}0/", fields("W/S", "Ayla")).status_code == 302


BEHIND = "mage Ayla 7\nleft WW\nright PD\n"


def test_banked_spells_amnesia_and_permanent_enchantments_can_be_set_up():
    state = set_up(
        HEAD.replace("mage Ayla\n", "") + f"{BEHIND}banked Fireball at Crom\n".replace("WW", "").replace("PD", "")
    )
    assert state.wizards["Ayla"].bank == ("Fireball", "Crom")
    assert set_up(HEAD + "banked Shield").wizards["Crom"].bank == ("Shield", "Crom")
    assert set_up(HEAD + "banked lightning bolt").wizards["Crom"].bank == ("Lightning Bolt", "Ayla")
    assert set_up(HEAD + "has blind permanent").wizards["Crom"].marks == {"blind": -1}
    held = set_up(HEAD + "has paralysed permanent by Ayla").wizards["Crom"]
    assert (held.marks, held.paralyser) == ({"paralysed": -1}, "Ayla")
    blank = set_up(f"ruleset firetop-standard\n{BEHIND}has forgetful\nmage Crom\nleft SS\nright FD\n")
    # Amnesia repeats the last gestures: there is nothing left to choose but targets.
    assert (blank.wizards["Ayla"].left, blank.wizards["Ayla"].right) == ("BWWW", "BPDD")
    fast = set_up(HEAD.replace("firetop-standard", "waving-hands") + "has fast 2")
    assert fast.doubled and fast.wizards["Crom"].again is not None


@pytest.mark.parametrize("ruleset", ["firetop-standard", "firetop-server", "warlocks", "waving-hands", "spellcast"])
def test_a_position_is_written_as_the_lines_that_set_it_up(ruleset):
    possible = find_possible(RULESETS[ruleset])
    head = f"ruleset {ruleset}\nmage Ayla 3\nleft WW\nright PD\n"
    other = "mage Crom 15\nleft SS\nright FD\n"
    texts = [f"{head}banked Fireball at Crom\n{other}creature Goblin 1 of Ayla at Crom\n"]
    for mark, turns in possible.marks["mage"].items():
        by = " by Crom" if mark in ("paralysed", "charmed") else ""
        counts = [""] if turns < 0 else [f" {turns}", *([" permanent"] if mark in possible.lasting["mage"] else [])]
        texts += [f"{head}has {ENCHANTMENTS[mark]}{count}{by}\n{other}" for count in counts]
    for text in texts:
        assert write_position(set_up(text)) == text
    for spell, aimed in possible.banked.items():
        written = write_position(set_up(f"{head}banked {spell}\n{other}"))
        assert f"banked {spell}{' at ' if aimed else ''}" in written
        assert set_up(written).wizards["Ayla"].bank == set_up(f"{head}banked {spell}\n{other}").wizards["Ayla"].bank
