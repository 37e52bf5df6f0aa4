"""What is translated has the slots and cases of its text, for every reader; what is not is in English; and what
is stored or typed stays English. No test demands a translation (docs/translating.md)."""

import ast
import asyncio
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from string import Formatter

import pytest

import rules_engine
from rules_engine import (
    RULESETS,
    Event,
    KeyedDice,
    Memory,
    Sheet,
    Viewer,
    explain_event,
    explain_spell,
    explain_uncast,
    look,
    narrate,
    new_duel,
    open_questions,
    preview,
    read_orders,
    set_language_source,
    use_language,
)
from rules_engine import text as engine_text
from rules_engine.glossary import (
    CREATURES,
    ENCHANTMENTS,
    GESTURES,
    SPELLS,
    list_spell_names,
    name_creature,
    name_enchantment,
)
from rules_engine.summary import summarize
from rules_engine.text import find_language, read_catalogue, say
from tests.rules_engine.random_play import play_battle
from tests.rules_engine.test_sentences import all_events

PACKAGE = Path(rules_engine.__file__).parent
MAGES = ("Ayla", "Crom", "Dara", "Edda")
HURT = Event("hurt", {"who": "Crom", "by": "Fireball", "points": 5}, None, "")
GERMAN = "Crom verliert 5 Lebenspunkte durch Feuerball."
ENGLISH = "Crom loses 5 hit points to Fireball."
OWN_CATALOGUE = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "{who} loses {points} to {by}."
msgstr "{who} verliert {points} durch {by}."

msgid "{number} hit point"
msgid_plural "{number} hit points"
msgstr[0] "{number} Lebenspunkt"
msgstr[1] "{number} Lebenspunkte"

msgctxt "spell"
msgid "Fireball"
msgstr "Feuerball"

msgid "{most} and {last}"
msgstr "{most} und {last}"
"""


def catalogue(language: str) -> str:
    return (PACKAGE / "locale" / language / "LC_MESSAGES" / "rules_engine.po").read_text(encoding="utf-8")


def texts_in_code() -> Iterator[str]:
    """Return the texts that Babel extracts, keyed as in a catalogue."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
                said = [a.value if isinstance(a, ast.Constant) else None for a in node.args]
                match node.func.id, said:
                    case (("mark_text" | "say"), [str(text)]):
                        yield text
                    case (("mark_term" | "term"), [str(context), str(text)]):
                        yield f"{context}\4{text}"
                    case "say_count", [str(one), str(many), *_]:
                        yield f"{one}\0{many}"


def slots(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def write_patterns(texts: Iterable[str]) -> Iterator[str]:
    """Return a pattern for each form of these texts, whatever fills the slots."""
    for text in texts:
        for form in text.split("\4")[-1].split("\0"):
            words = [re.escape(words) for words, *_ in Formatter().parse(form)]
            if any(re.search(r"\w", word) for word in words):
                yield r"(?<!\w)" + ".+?".join(words) + (r"(?!\w)" if form[-1].isalnum() else "")


def make_untranslated(texts: Iterable[str], translated: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that finds the texts without a translation; it finds nothing if all have one."""
    return re.compile("|".join(write_patterns(set(texts) - set(translated))) or r"(?!)", re.I)


UNTRANSLATED = make_untranslated(texts_in_code(), read_catalogue(catalogue("de")))


def test_the_code_holds_the_texts_that_babel_extracts():
    assert len(set(texts_in_code())) > 500


def test_a_sentence_without_a_translation_is_found_and_nothing_else_is():
    texts = {"{who} loses {points} to {by}.", "hands\4left hand"}
    missing = make_untranslated(texts, ["hands\4left hand"])
    assert missing.search(ENGLISH) and missing.search("You lose 1.") is None
    assert make_untranslated(texts, texts).search(ENGLISH) is None
    assert make_untranslated(["{left} {right}"], []).search(ENGLISH) is None


@pytest.fixture
def own_catalogue(tmp_path, monkeypatch):
    """A German catalogue of one sentence and its words, so that no test depends on the translators."""
    folder = tmp_path / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "rules_engine.po").write_text(OWN_CATALOGUE, encoding="utf-8")
    monkeypatch.setattr(engine_text, "_LOCALE", tmp_path)
    engine_text._open_catalogue.cache_clear()
    yield
    engine_text._open_catalogue.cache_clear()


def test_a_translation_has_the_slots_of_its_text():
    for text, german in read_catalogue(catalogue("de")).items():
        if text:
            english = text.split("\4")[-1].split("\0")
            for form, said in zip(english, german.split("\0"), strict=True):
                assert said.strip() and slots(form) == slots(said), text


def test_every_word_of_the_game_is_in_the_glossary():
    assert {spell for ruleset in RULESETS.values() for spell in ruleset.spells} == set(SPELLS) - {"Stab"}
    with use_language("de"):
        assert all(name_creature(kind) for kind in CREATURES)
        assert len({name_enchantment(mark) for mark in ENCHANTMENTS}) == len(ENCHANTMENTS)


# -- every sentence, for every reader --------------------------------------------------------------------------------

ENGLISH_WORDS = re.compile(
    r"\b(the|you|your|yourself|themself|with|and|or|of|to|from|at|on|is|are|casts?|spell|turn|hands|nobody|does|did|"
    r"not|but|it|loses?|gains?|mage|shield|what|something)\b",
    re.I,
)
WRONG_CASE = re.compile(
    r"\b(auf|gegen|für|durch|um|trifft|triffst|erreicht|sieht|siehst|vernichtet|umgibt|schickt|schickst|hält|heilt|"
    r"von|vor|über|gehorcht|schadet|mit|befiehlt|befiehlst) (du|du selbst|niemand)\b"
)


def complain(text: str) -> str:
    faults = {
        "begins in lower case": text[:1].islower(),
        "no end": not re.search(r"[.!?]$", text),
        "a slot is open": "{" in text or "}" in text,
        "blanks": "  " in text or " ." in text or " ," in text or text != text.strip(),
        "names nothing": "None" in text,
        "English": ENGLISH_WORDS.search(text) is not None and not UNTRANSLATED.search(text),
        "the wrong case": WRONG_CASE.search(text) is not None,
        "du with the third person": re.search(r"^Du (ist|hat|wird|[a-z]+(?<!s)t)\b", text) is not None,
    }
    return ", ".join(fault for fault, found in faults.items() if found)


def test_the_checks_find_bad_sentences():
    for bad in ("Du gehorcht Crom.", "Feuerball trifft du.", "You lose 1 hit point.", "Crom verliert {points}.", "du"):
        assert complain(bad), bad
    for good in (GERMAN, "Du verlierst 1 Lebenspunkt durch Gift.", "Feuerball trifft dich."):
        assert not complain(good), good


@pytest.mark.parametrize("me", [None, "Ayla", "Crom", "Dara"])
def test_every_sentence_is_german_for_every_reader(me):
    with use_language("de"):
        told = [narrate(event, me) for event in all_events() if event.kind != "says"]
    assert len(told) > 500
    assert not {f"{text} [{complain(text)}]" for text in told if complain(text)}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "You are confused: your left hand (second time) plays another gesture."),
        ("de", "Du bist verwirrt: Deine linke Hand (zweites Mal) spielt eine andere Geste."),
    ],
)
def test_a_hand_of_the_second_pair_fits_into_any_sentence(language, sentence):
    event = Event("confused_hands", {"who": "Ayla", "hand": "LH2", "vain": False}, None, "")
    with use_language(language):
        assert narrate(event, "Ayla") == sentence


def test_battles_are_narrated_and_explained_in_german():
    said = set()
    with use_language("de"):
        for seed in range(20):
            name = ("firetop-standard", "waving-hands", "warlocks-maladroit", "spellcast")[seed % 4]
            memories: dict[str | None, Memory] = {}
            for before, stage in play_battle(seed, name):
                memories = memories or {me: Memory(Viewer.of(me) if me else Viewer()) for me in (None, *before.mages)}
                for me, memory in memories.items():
                    memory.learn(before.seq, before.label, stage.events)
                    views = look(before, memory.viewer), look(stage.state, memory.viewer)
                    summary = summarize(memory, before.seq, me, before=views[0], after=views[1])
                    said |= {line.text for line in summary.lines}
                    for who in before.mages:
                        view = look(stage.state, memory.viewer)
                        for spell in ("Fireball", "Shield", "Lightning Bolt"):
                            why = explain_uncast(memory, view, before.ruleset, before.label, who, spell, me)
                            said |= {reason.text for reason in why}
            for me, memory in memories.items():
                for each in memory:
                    if each.event.kind == "says":
                        continue
                    answers = [explain_event(memory, each, me)]
                    if each.event.kind == "casts":
                        facts = each.event.facts
                        answers += explain_spell(memory, each.label, str(facts["who"]), str(facts["spell"]), me)
                    said |= {reason.text for answer in answers for reason in answer}
    assert len(said) > 1000
    plain = {
        re.sub(r"^Runde \w+: | \([A-Z]+-[A-Z]+-\d+\)", "", text)
        for text in said
        if "sagt:" not in text and "sagst:" not in text and not UNTRANSLATED.search(text)
    }
    assert not {f"{text} [{complain(text)}]" for text in plain if complain(text)}


ORDERS = (
    "LH Q",
    "LH",
    "BH P",
    "TARGET",
    "TARGET RH Nobdy",
    "TARGET Ayla Crom",
    "RETARGET Ayla Crom",
    "CHOOSE",
    "CHOOSE RH Fireboll",
    "PARALYZE LH Crom",
    "PARALYZE",
    "CHARM LH",
    "ELEMENTAL",
    "ELEMENTAL fire Crom",
    "DIRECT",
    "DIRECT LH P Crom",
    "PERMANENT",
    "PERMANENT LH",
    "DELAY LH",
    "FIRE",
    "SUICIDE",
    "SAY",
    "SAY " + "x" * 501,
    "TARGET LH XX:Crom",
    "LH2 P",
    "LH P\nLH D",
    "HELLO",
)


@pytest.mark.parametrize("order", ORDERS)
def test_problems_are_german_but_suggested_orders_are_not(order):
    state = new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("s"))
    english = read_orders(state, "Ayla", order).problems
    with use_language("de"):
        german = read_orders(state, "Ayla", order).problems
    assert german and [(p.code, p.nearest, p.line) for p in german] == [(p.code, p.nearest, p.line) for p in english]
    for problem, original in zip(german, english, strict=True):
        assert problem.message != original.message or UNTRANSLATED.search(original.message)
        untranslated = UNTRANSLATED.search(problem.message)
        assert untranslated or not complain(re.sub(r"^\w+:?\w* ", "X ", problem.message)), problem.message


def test_rulesets_have_their_titles_summaries_and_options_in_the_language_of_the_reader():
    rulesets = [RULESETS[name] for name in ("warlocks-parafdf-maladroit", "firetop-server", "spellcast")]
    titles = [each.title for each in rulesets]
    with use_language("de"):
        for each, english, german in zip(
            rulesets,
            titles,
            (
                "Warlocks (Lähmung ist F D F, D S F ist Ungeschick)",
                "Firetop Mountain, Standard, wie der alte Server es spielte",
                "Spellcast",
            ),
            strict=True,
        ):
            assert each.title == german or UNTRANSLATED.search(english)
        for each in RULESETS.values():
            assert each.summary != each.own_summary or UNTRANSLATED.search(each.own_summary)
    assert rulesets[0].title == "Warlocks (Paralysis is F D F, D S F is Maladroitness)"


def test_questions_and_hints_are_german_but_order_lines_are_not():
    labels, said = set(), set()
    for seed in range(12):
        for before, _ in play_battle(seed, ("firetop-standard", "waving-hands", "warlocks-maladroit")[seed % 3]):
            for mage in before.owing:
                for sheet in (Sheet(), Sheet({"LH": "P", "RH": "P"}), Sheet({"LH": ">", "RH": ">", "PERMANENT": "LH"})):
                    asked = open_questions(before, mage, sheet)
                    hints = preview(before, mage, sheet)
                    with use_language("de"):
                        in_german = open_questions(before, mage, sheet)
                        german = preview(before, mage, sheet)
                    assert [(q.id, q.about, [q.line(o.value) for o in q.options]) for q in asked] == [
                        (q.id, q.about, [q.line(o.value) for o in q.options]) for q in in_german
                    ]
                    assert (hints.casts, hints.becomes) == (german.casts, german.becomes)
                    labels |= {option.label for question in in_german for option in question.options}
                    said |= {german.review, *(warning.message for warning in german.warnings)}
    assert {"Fingerzeig", "niemand"} <= labels
    assert not {label for label in labels if ENGLISH_WORDS.search(label) and not UNTRANSLATED.search(label)}
    assert not {f"{text} [{complain(text)}]" for text in said if complain(text)}


def test_each_reader_is_asked_in_their_own_language_whoever_was_asked_before():
    state = new_duel("firetop-standard", ("Ayla", "Crom"), dice=KeyedDice("s"))
    asked = []
    for language in ("de", "en", "de-at", "en"):
        with use_language(language):
            questions = open_questions(state, "Ayla", Sheet({"LH": "P", "RH": ">"}))
        asked.append({option.label for question in questions for option in question.options})
    assert asked[0] == asked[2] and asked[1] == asked[3]
    assert {"Fingerzeig", "niemand"} <= asked[0] and {"nobody"} <= asked[1] and asked[0] & asked[1] <= {"Ayla", "Crom"}


# -- which language ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "en-gb", "fr", "", "../de", "de/../en", "d", "xx-yy-zz"])
def test_a_language_without_a_catalogue_is_english(language):
    with use_language(language):
        assert narrate(HURT) == ENGLISH


@pytest.mark.parametrize("language", ["de", "de-at", "de_CH", "DE"])
def test_a_region_speaks_the_language(language, own_catalogue):
    with use_language(language):
        assert narrate(HURT) == GERMAN
        assert say("{most} and {last}", most="A", last="B") == "A und B"
    assert narrate(HURT) == ENGLISH


def test_threads_and_tasks_each_use_their_own_language(own_catalogue):
    def tell(language: str) -> str:
        with use_language(language):
            return narrate(HURT)

    async def tell_slowly(language: str) -> str:
        with use_language(language):
            await asyncio.sleep(0)
            return narrate(HURT)

    async def tell_all() -> list[str]:
        return await asyncio.gather(*(tell_slowly(language) for language in ("de", "en") * 5))

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tell, ["de", "en"] * 10)) == [GERMAN, ENGLISH] * 10
    assert asyncio.run(tell_all()) == [GERMAN, ENGLISH] * 5


def test_the_source_decides_if_no_language_is_set(monkeypatch, own_catalogue):
    monkeypatch.setattr("rules_engine.text._ask", lambda: None)
    set_language_source(lambda: "de")
    assert (find_language(), narrate(HURT)) == ("de", GERMAN)
    with use_language("en"):
        assert narrate(HURT) == ENGLISH


def test_gestures_have_one_name_each():
    assert len(set(GESTURES.values())) == len(GESTURES)


@pytest.mark.parametrize(
    ("written", "slots"),
    [
        ("CHOOSE LH Schild", {"CHOOSE LH": "Shield"}),
        ("choose rh magisches geschoss", {"CHOOSE RH": "Magic Missile"}),
        ("CHOOSE deine linke Hand Leichte Wunden schlagen", {"CHOOSE LH": "Cause Light Wounds"}),
        ("CHO beide Hände Krankheit", {"CHOOSE BH": "Disease"}),
        ("CHOOSE left hand Shield", {"CHOOSE LH": "Shield"}),
        ("CHOOSE LH Lähmung", {"CHOOSE LH": "Paralysis"}),
        ("TARGET RH niemand", {"TARGET RH": "nobody"}),
        ("TARGET rechte Hand niemanden", {"TARGET RH": "nobody"}),
        ("TARGET linken Hand Bung", {"TARGET LH": "Bung"}),
        ("TARGET right hand Bung", {"TARGET RH": "Bung"}),
        ("TARGET LH dich selbst", {"TARGET LH": "Froodal"}),
        ("TARGET LH yourself", {"TARGET LH": "Froodal"}),
        ("TARGET RH Bung", {"TARGET RH": "Bung"}),
    ],
)
def test_orders_take_the_words_of_a_story_in_any_language(written: str, slots: dict[str, str]):
    state = new_duel("firetop-standard", ["Froodal", "Bung"], dice=KeyedDice("words"))
    for language in ("en", "de"):
        with use_language(language):
            read = read_orders(state, "Froodal", written)
        assert (dict(read.sheet.slots), read.problems) == (slots, ())


@pytest.mark.parametrize("name", ["Niemand", "Yourself", "Schild"])
def test_a_mage_with_a_name_from_a_story_is_meant_by_it(name: str):
    state = new_duel("firetop-standard", ["Froodal", name], dice=KeyedDice("words"))
    assert dict(read_orders(state, "Froodal", f"TARGET RH {name.lower()}").sheet.slots) == {"TARGET RH": name}


def test_no_word_of_a_story_means_two_spells():
    named = [name.lower() for spell in SPELLS for name in set(list_spell_names(spell))]
    assert len(named) == len(set(named))


@pytest.mark.parametrize("written", ["CHOOSE linke Hand", "TARGET rechte Hand", "CHOOSE LH Schlid", "TARGET LH dich"])
def test_a_story_word_in_the_wrong_place_is_refused_with_a_valid_form(written: str):
    state = new_duel("firetop-standard", ["Froodal", "Bung"], dice=KeyedDice("words"))
    [problem] = read_orders(state, "Froodal", written).problems
    if problem.nearest:
        assert not read_orders(state, "Froodal", problem.nearest).problems
