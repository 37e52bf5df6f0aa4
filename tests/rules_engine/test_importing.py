"""Battles are read from records, JSON, SHOW tables and Warlocks pages; what is wrong is named with its line."""

import html
import json
import re
from dataclasses import replace
from textwrap import wrap

import pytest

from rules_engine.errors import InvalidRecord
from rules_engine.positions import set_up
from rules_engine.records import import_battle, parse_record, play_record, show_battle, write_json, write_record
from rules_engine.records.exchange import MOST_CHARACTERS, write_imported
from rules_engine.text import use_language
from tests.cpu_time import count_loops
from tests.rules_engine.warlocks_pages import play_bots, write_page


@pytest.fixture(scope="module")
def record():
    return play_bots("firetop-standard", "Ayla", "Crom", seed="f2")


def problems(text, **more):
    with pytest.raises(InvalidRecord) as error:
        import_battle(text, **more)
    return [(each.line, each.code, each.nearest) for each in error.value.problems]


def states(record):
    return [
        (turn.label, turn.after.wizards["Ayla"].hp, turn.after.wizards["Crom"].hp, turn.after.wizards["Crom"].left)
        for turn in play_record(record).turns
    ]


def test_a_record_and_its_json_come_back_as_they_were(record):
    for text in (write_record(record), write_json(record)):
        read = import_battle(text)
        assert read.record == record and not read.doubts
    assert json.loads(write_json(record))["turns"][0]["stages"][0]["Ayla"] == list(record.turns[0].stages[0]["Ayla"])


def test_an_import_does_not_claim_to_be_a_battle_of_this_site(record):
    named = replace(record, number=7, users={"Ayla": "Pat"})
    assert "battle 7" in write_record(named) and "Pat" in write_record(named)
    assert "battle" not in write_imported(named) and "Pat" not in write_imported(named)


def test_a_table_is_played_again_although_it_shows_no_orders(record):
    read = import_battle(show_battle(play_record(record)))
    assert read.form == "table" and not read.doubts
    assert states(read.record) == states(record) and read.record.outcome == record.outcome


@pytest.mark.parametrize(
    ("ruleset", "seed"),
    [
        ("warlocks", "w1"),
        pytest.param("warlocks-maladroit", "w0", marks=pytest.mark.slow),
        pytest.param("warlocks-parafdf", "w6", marks=pytest.mark.slow),
    ],
)
def test_a_warlocks_page_is_played_again(ruleset, seed):
    record = play_bots(ruleset, "Ayla", "Crom", seed=seed)
    read = import_battle(write_page(record))
    assert read.form == "warlocks" and not read.doubts
    assert states(read.record) == states(record)


def test_differences_between_the_rules_and_a_table_are_reported(record):
    table = re.sub(r"(  1 : \S  \S  )15", r"\g<1>12", show_battle(play_record(record)))
    read = import_battle(table)
    assert [(each.line, each.text) for each in read.doubts] == [(7, "turn 1")]
    assert "12 hit points in the text, 15 by these rules" in read.doubts[0].message


def test_differences_from_a_table_are_in_the_readers_language(record):
    table = re.sub(r"(  1 : \S  \S  )15", r"\g<1>12", show_battle(play_record(record)))
    with use_language("de"):
        (doubt,) = import_battle(table).doubts
    assert "hat im Text 12 Lebenspunkte, nach diesen Regeln 15." in doubt.message
    played = play_bots("firetop-nomonsters", "Ayla", "Crom", seed="a4", turns=30, strength="Journeyman")
    with use_language("de"):
        doubts = import_battle(show_battle(play_record(played))).doubts
    assert any("Der Text verbirgt Gesten von" in each.message for each in doubts)


def test_a_page_that_ends_with_other_hit_points_is_doubted():
    page = write_page(play_bots("warlocks", "Ayla", "Crom", seed="w2", turns=3))
    assert not import_battle(page).doubts
    (doubt,) = import_battle(re.sub(r"(Crom\(3\) Health:)\d+", r"\g<1>9", page)).doubts
    assert doubt.text == "turn 3" and "Crom has 9 hit points in the text" in doubt.message


def test_a_table_of_other_rules_ends_where_they_part(record):
    """Turn 20 says gestures that nobody can have played after what came before."""
    page = write_page(play_bots("warlocks", "Ayla", "Crom", seed="w5"))
    other = page.replace("casts Shield at himself", "casts Fireball at himself", 1)
    read = import_battle(other)
    assert any("Fireball in the text, but not by these rules" in each.message for each in read.doubts)


@pytest.mark.parametrize(
    ("was", "now", "found"),
    [
        ("record 1", "recrod 1", "record 1"),
        ("  LH W", "  LH X", "LH W"),
        ("turn 2 seq 2", "trun 2 seq 2", "turn"),
        ("mage Crom", "mage Ayla", None),
    ],
)
def test_each_problem_of_a_record_has_its_line(record, was, now, found):
    text = write_record(record)
    number = text[: text.index(was)].count("\n") + 1
    got = problems(text.replace(was, now, 1))
    assert (number, found) in [(line, near) for line, _code, near in got], got
    wrong = text.replace("ruleset firetop-standard", "ruleset firetop-standrad")
    assert problems(wrong)[0][::2] == (2, "ruleset firetop-standard")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "{",
        '{"record": 1}',
        '{"record": 1, "ruleset": [], "mages": 5, "turns": {}}',
        "[" * 5000,
        "Turn 1\n\nAyla bows.",
        " LH RH HP",
        "\n LH RH HP\nTurn: LH RH HP\n",
        "record 1\n",
        "{" + '"a":{' * 3000,
        f"&#{'9' * 5000};",
    ],
)
def test_text_that_is_not_a_battle_is_rejected_and_never_crashes(text):
    assert problems(text)


PAGE = "Turn 0\nAyla bows.\nCrom bows.\nTurn 1\n"


@pytest.mark.parametrize(
    ("head", "part"),
    [
        *(("", part) for part in ("\n", " \n", "> > >\n", "```\n", "record 1\nno such line\n")),
        ("Duel between ", "("),
        (f"{PAGE}Ayla casts x", " at y"),
        (f"{PAGE}Ayla directs x", " to attack y"),
        (PAGE, "no end\n"),
        (PAGE, "Ayla casts Zorb at Crom.\n"),
        ("record 1\noutcome duel kill\n", "\n"),
        ("record 1\nthrow ", "1 "),
        ("record 1\nthrow 1", " "),
        ("a\n> record 1\n", "> "),
        ("Turn 0\n", "".join(f"M{number} bows.\n" for number in range(40_000))),
    ],
)
def test_no_text_of_the_accepted_size_takes_long(head, part):
    table = "\n        Ayla  :  Crom :\nTurn: LH RH HP x : LH RH HP x:\n 3 : F  F  15      : D  D  15   :\n"
    tail = table if head.startswith("Duel") else "\nTurn 3\n"
    room = MOST_CHARACTERS - len(head) - len(tail)
    text = head + (part * (room // len(part) + 1))[:room] + tail
    found = []
    assert count_loops(lambda: found.extend(problems(text))) < 300
    assert found


@pytest.mark.parametrize(
    "paste",
    [
        lambda text: "\ufeff" + text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "".join(f"> {line}\n" for line in text.splitlines()),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: f"<pre>\n{html.escape(text)}</pre>",
        lambda text: text.replace('"', "”"),
        lambda text: text[:50] + "\u200b\0" + text[50:],
        lambda text: f"<pre>{html.escape(text).replace(chr(10), '<br>')}</pre>",
        lambda text: f"<ul><li><b>{html.escape(text).replace(chr(10), '</b></li><li><b>')}</b></li></ul>",
        lambda text: f"```text\n{text}\n```\n",
        lambda text: text.replace("\n", "\u2028"),
        lambda text: text.replace("\n", "\u2029"),
        lambda text: text.replace("\n", "\x85"),
    ],
    ids=[
        *("from Windows", "from an old Mac", "quoted", "hard spaces", "HTML", "curly quotes", "invisible characters"),
        *("one line of HTML", "an HTML list", "Markdown", "line separators", "paragraph separators", "next lines"),
    ],
)
def test_what_copying_adds_to_a_text_is_ignored(paste):
    played = play_bots("warlocks", "Ayla", "Crom", seed="w2", turns=3)
    for text in (write_record(played), write_json(played), write_page(played)):
        assert len(import_battle(paste(text)).record.turns) == 3


@pytest.mark.parametrize(
    "paste",
    [
        lambda text: f"Hello Pat,\n\nlook at this:\n\n{text}",
        lambda text: text.replace("\n", "\n\n"),
        lambda text: f"{text}\n-- \nPat, who lost\n",
    ],
    ids=["a letter above", "double spaced", "a signature below"],
)
def test_what_a_letter_adds_to_a_text_is_ignored(record, paste):
    pages = [write_page(play_bots("warlocks", "Ayla", "Crom", seed="w2", turns=3)), show_battle(play_record(record))]
    for text in pages if "who lost" in paste("") else [*pages, write_record(record)]:
        turns = len(import_battle(text).record.turns)
        assert len(import_battle(paste(text)).record.turns) == turns


@pytest.fixture(scope="module")
def ended():
    played = play_bots("firetop-standard", "Ayla", "Crom", seed="f5", turns=60)
    assert played.outcome
    return played


@pytest.mark.parametrize(
    "paste",
    [
        lambda text: f"{text}\nBest wishes\nCrom the Great\n",
        lambda text: f"{text}\n-- \nhttps://example.org/\n",
        lambda text: f"Here:\n```\n{text}\n```\nThanks\n",
        lambda text: "Ayla wrote:\n" + "".join(f"> {line}\n" for line in text.splitlines()) + "\nLook!\n",
        lambda text: f"Look at this:\n\n{text}",
    ],
    ids=["a letter below", "a signature below", "fenced", "quoted in a letter", "a letter above"],
)
def test_a_letter_around_a_record_its_json_or_its_table_is_ignored(ended, paste):
    for text in (write_record(ended), write_json(ended)):
        assert import_battle(paste(text)).record == ended
    # What the table of a whole battle leaves open takes a second to find out.
    begun = play_bots("firetop-standard", "Ayla", "Crom", seed="f0", turns=8)
    assert len(import_battle(paste(show_battle(play_record(begun)))).record.turns) == len(begun.turns)


def test_text_that_may_belong_to_a_record_is_not_dropped(ended):
    text = write_record(ended)
    count = len(text.split("\n"))
    assert problems(f"{text}\nOops:\nturn 99\n")[0][:2] == (count + 1, "unknown_key")
    assert problems(f"{text}winer Crom\n")[0] == (count, "unknown_key", "winner")
    assert problems(f"{write_json(ended)}\n{{}}")[0][1] == "json"
    quoted = [f"> {line}" for line in text.split("\n")]
    broken = "\n".join([*quoted[:9], "a line without a mark", *quoted[9:]])
    assert problems(broken)[0][1] == "unknown_form"
    draft = "record 1\nruleset warlocks\nmage Ayla\nmage Crom\nturn 1\norders Ayla\n  C\n\nBest wishes\n"
    assert problems(draft)


def test_spaces_and_tabs_between_the_words_of_a_record_do_not_matter(ended):
    lines = [line if "throw" in line else line.replace(" ", "\t ") for line in write_record(ended).split("\n")]
    assert import_battle("\n".join(lines)).record == ended
    assert parse_record(write_record(ended).replace('throw "', 'throw  "').replace('" "', '"\t"')) == ended


@pytest.mark.parametrize("width", [40, 60, 72, 78])
def test_a_table_that_a_mail_program_has_wrapped_is_read(width):
    for mages, seed in ((("Ayla", "Crom"), "f0"), (("Ayla", "Crom", "Dara"), "f3")):
        played = play_bots("firetop-standard", *mages, seed=seed, turns=8)
        table = show_battle(play_record(played))
        whole = import_battle(table).record
        rows = [wrap(line, width, drop_whitespace=False) or [""] for line in table.split("\n")]
        broken = "\n".join(part.rstrip() for row in rows for part in row)
        try:
            assert import_battle(broken).record == whole
        except InvalidRecord as error:  # a break inside a mage's hands, which are read by their columns
            assert {each.code for each in error.problems} == {"malformed"}
            assert width == 40 or len(mages) > 2


def test_a_table_is_played_by_the_rules_of_its_family():
    played = play_bots("warlocks", "Ayla", "Crom", seed="w0", turns=25)
    read = import_battle(show_battle(play_record(played)))
    assert read.record.ruleset == "warlocks" and not read.doubts
    # No ruleset can begin a battle of mages with the same name: it fails, and ends.
    with pytest.raises(InvalidRecord):
        import_battle(show_battle(play_record(played)).replace("Ayla", "Crom"))


@pytest.mark.parametrize(
    ("ruleset", "seed", "turns"),
    [("firetop-standard", "a2", 30), ("spellcast", "a5", 30), ("warlocks-maladroit", "a2", 20)],
)
def test_a_table_is_played_by_a_ruleset_that_knows_its_spells(ruleset, seed, turns):
    """By the rolls that are tried, another family comes nearer to these tables, but its gestures are not theirs."""
    table = show_battle(play_record(play_bots(ruleset, "Ayla", "Crom", seed=seed, turns=turns)))
    assert import_battle(table).record.ruleset == ruleset


def test_a_missing_turn_is_named_and_a_page_pasted_twice_counts_once(record):
    page, table = (
        write_page(play_bots("warlocks", "Ayla", "Crom", seed="w2", turns=9)),
        show_battle(play_record(record)),
    )
    assert len(import_battle(page + page).record.turns) == 9
    fifth, sixth = page.index("   Turn 5\n"), page.index("   Turn 6\n")
    line = page[:fifth].count("\n") + 1
    assert problems(page[:fifth] + page[sixth:]) == [(line, "missing_turn", None)]
    lines = table.split("\n")
    row = next(place for place, line in enumerate(lines) if line.startswith("  5 :"))
    assert problems("\n".join([*lines[:row], *lines[row + 1 :]])) == [(row + 1, "missing_turn", None)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "A record is an object and begins like the example."),
        ('{"record": 1}', 'This JSON is not a record: "ruleset" is missing after record.'),
        ('{"record": 1, "ruleset": "warlocks", "mages": 5}', "a value after ruleset has the wrong type."),
    ],
)
def test_json_that_is_not_a_record_is_rejected_with_the_problem(text, message):
    with pytest.raises(InvalidRecord) as error:
        import_battle(text)
    assert error.value.problems[0].message.endswith(message)


def test_the_problems_of_a_position_are_in_the_readers_language():
    with use_language("de"), pytest.raises(InvalidRecord) as error:
        set_up("ruleset warlocks\nmage Ayla 99\nmage Crom")
    assert [each.message for each in error.value.problems] == ["Ayla kann hier 1 bis 16 Lebenspunkte haben."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"record": 1', "Das ist kein JSON. Berichtige es in Spalte 13 dieser Zeile."),
        ("Ayla bows.", "Die Seite braucht eine Runde 0, in der sich zwei oder mehr Magier verbeugen."),
        ("x" * (MOST_CHARACTERS + 1), f"Der Text hat {MOST_CHARACTERS + 1} Zeichen. Kürze ihn auf {MOST_CHARACTERS}."),
    ],
    ids=["JSON", "page", "long"],
)
def test_the_problems_of_an_import_are_in_the_readers_language(text, message):
    with use_language("de"), pytest.raises(InvalidRecord) as error:
        import_battle(text, form="warlocks" if "bows" in text else "")
    assert error.value.problems[0].message == message


def test_a_problem_of_json_names_its_place(record):
    data = json.loads(write_json(record))
    data["turns"][2]["stages"][0]["Ayla"][0] = "LH Q"
    with pytest.raises(InvalidRecord) as error:
        import_battle(json.dumps(data))
    assert "turn 3" in error.value.problems[0].message
    data["mages"][1]["name"] = "Ayla"
    with pytest.raises(InvalidRecord) as error:
        import_battle(json.dumps(data))
    assert error.value.problems[0].text.startswith("mages[1]")


def test_the_problems_of_a_record_are_in_the_readers_language(record):
    text = write_record(record)
    for was, now, words in (
        ("mage Crom", "mage Ayla", "Es gibt zwei Magier namens Ayla."),
        ("turn 2 seq 2", "trun 2 seq 2", "Keine Zeile einer Aufzeichnung beginnt mit trun."),
        ("turn 2 seq 2", "turn 2 seq x", "Das ist keine gültige Zeile mit turn."),
        ("hp Crom 15", "hp Corm 15", "Corm ist kein Magier dieser Aufzeichnung."),
    ):
        with use_language("de"), pytest.raises(InvalidRecord) as error:
            import_battle(text.replace(was, now, 1))
        assert error.value.problems[0].message == words


def test_a_record_of_unknown_rules_is_rejected_at_their_line_with_the_nearest(record):
    text, own = write_record(record), f"ruleset firetop-standard {record.edition}"
    for wrong, words, near in (
        ("ruleset firetop-standrad 1", "Es gibt kein Regelwerk firetop-standrad.", "ruleset firetop-standard"),
        ("ruleset firetop-standard 9", "firetop-standard hat keine Ausgabe 9.", own),
    ):
        with use_language("de"), pytest.raises(InvalidRecord) as error:
            import_battle(text.replace(own, wrong))
        (problem,) = error.value.problems
        assert (problem.line, problem.text, problem.message, problem.nearest) == (2, wrong, words, near)
    data = json.loads(write_json(record))
    with pytest.raises(InvalidRecord) as error:
        import_battle(json.dumps({**data, "ruleset": "warlcoks"}))
    assert error.value.problems[0].text == f"ruleset: ruleset warlcoks {record.edition}"


def test_orders_in_json_that_are_not_a_list_are_not_read_letter_by_letter(record):
    data = json.loads(write_json(record))
    data["turns"][0]["stages"][0]["Ayla"] = "LH P"
    with pytest.raises(InvalidRecord) as error:
        import_battle(json.dumps(data))
    (problem,) = error.value.problems
    assert problem.message == "This JSON is not a record: a value after turns[0].stages[0].Ayla has the wrong type."


def test_a_mistake_in_a_page_or_a_table_has_its_line_and_the_nearest_form(record):
    page = write_page(play_bots("warlocks", "Ayla", "Crom", seed="w5"))
    lines = page.split("\n")
    place = next(n for n, line in enumerate(lines) if "waves his" in line)
    lines[place] = lines[place].replace("waves", "wavs")
    # Without the strings at the end, which would tell the gesture.
    short = "\n".join(line for line in lines if "LH:" not in line and "RH:" not in line)
    found = problems(short)
    assert found[0][:2] == (place + 1, "gesture") and "waves their" in found[0][2]
    assert problems(page.replace("casts Shield", "casts Sheild", 1))[0][2] == "Shield"
    table = show_battle(play_record(record))
    assert problems(re.sub(r"(  1 : \S  )\S  15", r"\1X  15", table))[0][:2] == (7, "gesture")
    assert problems(table, ruleset="firetop-standrad")[0][2] == "firetop-standard"


def test_sizes_are_limited(record):
    assert problems("x" * (MOST_CHARACTERS + 1))[0][1] == "too_long"
    text = write_record(record)
    assert problems(text.replace("Crom", "C" * 31))[0][1] == "name"
    assert problems(text.replace("Crom", "Cr+m"))[0][1] == "name"
    many = "".join(f"turn {n}\norders Ayla\n  W/W\norders Crom\n  W/W\n" for n in range(1, 200))
    assert problems('record 1\nruleset firetop-standard\nmage Ayla\nmage Crom\nseed "a"\n' + many)[0][1] == "turns"
    start = 'record 1\nruleset firetop-standard\nmage Ayla\nmage Crom\nstart {"hp": 1}\nturn 1\norders Ayla\n'
    assert problems(start)[0][1] == "start"
