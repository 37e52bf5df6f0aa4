"""Every email is in the language of its reader, and a reply to one in German is read like any other."""

import re
from collections.abc import Mapping
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.utils import translation

from accounts.models import User
from accounts.services.users import set_language
from challenges.models import RoomLine
from challenges.services.create import create_challenge
from challenges.services.proposals import propose_change
from duels.board.labels import label_spell
from duels.models import Battle, Combatant, OrderSheet
from duels.selectors.draws import mark_turn
from duels.selectors.stage_keys import key_of
from duels.selectors.viewer import get_battle_for_viewer
from duels.terms import Terms
from email_gateway.commands.game_options import OPTIONS
from email_gateway.commands.held_mails import hold_mail
from email_gateway.commands.table import TABLE
from email_gateway.compose.digest import compose_digest
from email_gateway.compose.notices import compose_notice
from email_gateway.text.order_forms import GAP, write_form
from email_gateway.text.quotes import MARKER, list_own_words
from moderation.services.battles.ask_for_consent import ask_for_consent
from notifications.kinds import KINDS
from notifications.models import Delivery, Notice
from notifications.services.preferences import set_preference
from rules_engine import RULESETS
from tests.duels.janitors import WHY, make_janitor
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.world import PASSWORD, MailWorld, body, write_mail
from tests.scenes import make_user
from tests.site.test_translated_pages import CLOSE, OPEN, list_unmarked, marked, marks

__all__ = ["marked", "marks"]

pytestmark = [pytest.mark.django_db, pytest.mark.once]

SOON = "2031-05-11T12:00:00+00:00"
# Mages, users, the gestures and hands by letter, what others wrote, and what is the same in every language.
ALIKE = {"Froodal", "Bung", "Frode", "Bill", "Ayla", "Aylas", "Jane", "Firetop Mountain", "v", "Kind", "words", "UTC"}
WORDS = {word for order in TABLE for name in order.names for word in (name, order.grammar)}
SPELLS = {spell for ruleset in RULESETS.values() for spell in ruleset.spells}
KEYWORDS = "|".join(sorted(word for word in WORDS if word.isupper()))
ORDER = re.compile(rf"^(?:\s*|\(.*?: )(?:{KEYWORDS})\b.*$", re.M)
with translation.override("de"):  # from the catalogue of the engine, which has no marks
    SPELLS |= {label_spell(spell) for spell in SPELLS}
NAMES = re.compile("|".join(sorted(map(re.escape, SPELLS), key=len, reverse=True)))
LINK = re.compile(r"https?://\S+")
LAYOUT = re.compile(r"[\s|.,:;()\[\]0-9/→“”\"'!?<>*+·–-]+")


def list_english(text: str, excused: str = "") -> list[str]:
    """Return the words of a text outside all marks that are no orders, names, links or in `excused`."""
    depth, outside = 0, []
    for piece in re.findall(f"[{OPEN}{CLOSE}]|[^{OPEN}{CLOSE}]+", LINK.sub("", ORDER.sub("", text))):
        depth += (piece == OPEN) - (piece == CLOSE)
        if depth == 0:
            outside += [LAYOUT.sub(" ", NAMES.sub("", row)).strip() for row in piece.split("\n")]
    excused = LAYOUT.sub(" ", excused)
    known = ALIKE | {"F", "P", "S", "W", "D", "C", "B", "L", "R", "FM", "LH", "RH", "BH"}
    return [
        row
        for row in outside
        if any(map(str.isalpha, row)) and row not in excused and not known.issuperset(row.split())
    ]


def write_room_line(duel: MailedDuel) -> RoomLine:
    """A line in the lobby's room that Frode and Bill may get."""
    return RoomLine.objects.create(writer=make_user("Talker"), text="Kind words", once="1", written_at=duel.world.now)


def collect_facts(duel: MailedDuel, challenge: int) -> dict[str, Mapping[str, Any]]:
    """Return what each kind of notice says, of one duel and one challenge."""
    key = key_of(duel.reload())
    battle = {"battle": duel.number, "label": "2", "seq": key.seq, "attempt": key.attempt, "stage": key.stage}
    clock = {**battle, "who": "Froodal", "by": "Bung", "minutes": 2880, "until": SOON, "absent": "Bung"}
    seats = {
        "number": challenge,
        "challenger": "Ayla",
        "mage": "Ayla",
        "mages": ["Froodal"],
        "waiting_for": ["Bung"],
        "days": 3,
        "closes_at": SOON,
        "alone": True,
    }
    change = {
        **seats,
        "proposer": "Ayla",
        "change": 1,
        "differences": [{"what": "pace", "before": "classic", "after": "fast"}],
        "lapses_at": SOON,
        "reason": "moot",
    }
    mage = {"mage": "Froodal", "score": 2, "user": "Frode", "acts_at": SOON, "until": SOON}
    account = {"link": "https://fm.example/x/", "signup": True, "code": "K7Q2", "what": "password_changed"}
    desk = {"mail": 3, "reference": "abc", "name": "Bill", "address": 1, "user": 1, "old": "Bill", "new": "Bung"}
    desk |= {"rows": 2, "named": ["Froodal"], "battle": duel.number, "turn": "1", "what": "Bung", "report": 1}
    desk |= {"subject": "Bung", "chore": "Froodal", "reason": "Kind words"}
    held = {"text": "Kind words", "reason": "Kind words", "answer": "Kind words", "subject": "Bung"}
    held |= {"appeal": "postmaster@localhost", "ends_at": SOON, "by": "Jane"}
    said = {"mage": "Bung", "user": "Bill", "named": ["Froodal"], "battles": [duel.number], "text": "Kind words"}
    cup = {"cup": 1, "cup_kind": "evening", "begins_at": SOON, "size": 8, "mage": "Froodal", "entrants": 2}
    cup |= {"round": 1, "game": 1, "against": "Bung", "why": "absent", "rank": 2}
    league = {"season": 2, "tier": 3, "mage": "Froodal", "mages": ["Bung"], "other": "Bung", "round": 4, "rank": 1}
    league |= {"places": 8, "movement": "up", "champion": "Bung", "plays_on": True, "begins_at": SOON}
    by_group = {
        "battle_": battle,
        "turn_": battle,
        "stage_": battle,
        "change_": change,
        "challenge": seats,
        **dict.fromkeys(("mage_idle", "mage_retired", "mage_was", "user_mageless", "user_closed", "vacation"), mage),
        **dict.fromkeys(("account_warned", "user_suspended", "suspension", "report_answered", "user_act"), held),
        **dict.fromkeys(("message", "announcement", "site_news"), said),
        **dict.fromkeys(("mail_", "address_fails", "user_renamed", "scores_", "report_made", "chore"), desk),
        **dict.fromkeys(("confirm_", "login_code", "password_reset", "account_changed"), account),
        "seek_opened": seats,
        "cup_": cup,
        "league_": league,
        "notes_open": {"battle": duel.number, "kind": "duel", "others": ["Bung"]},
        "battle_replays": desk,
        "battle_stuck": {**battle, "kind": "duel", "reference": "abc", "row": "1"},
        "battle_paused": clock,
        "battle_resumed": clock,
        "reply_address": {"sender": "eve@example.org"},
        "data_export": {"by": "Jane", "reason": "Kind words", "at": SOON},
        "device_stopped": {"device": "Firefox", "since": SOON},
        "room_talk": {"lines": [write_room_line(duel).pk]},
        "hook_": {"name": "#duels", "scope": "user", "battle": None, "id": 1},
        "daily_puzzle": {"puzzle": 7, "kind": "survive"},
        "streak_ends": {"day": "2031-05-04", "puzzle": 7, "days": 11, "next": 12},
        "own_puzzle": {**battle, "turn": "1", "gestures": "W/S", "lost": 45, "least": "35%", "seq": 1},
        "orders_held": {"day": duel.world.now.toordinal()},
        "unconfirmed": {"address": "frode@example.org", "battle": duel.number},
    }
    return {
        kind: by_group[max((start for start in by_group if kind.startswith(start)), key=len, default="")]
        if any(map(kind.startswith, by_group))
        else clock
        for kind in (each.name for each in KINDS.values() if not each.is_only_news and not each.posts)
    }


@pytest.fixture
def german(marked, duel: MailedDuel) -> User:
    """Frode, who reads German, in a duel whose second turn waits for Frode."""
    set_language(user=duel.froodal.user, language="de")
    duel.world.order(duel.battle, duel.froodal, "P/S")
    duel.world.order(duel.battle, duel.bung, "W/P")
    return User.objects.get(pk=duel.froodal.user_id)


@pytest.mark.parametrize("classic", [False, True])
def test_no_notice_keeps_english_words(duel: MailedDuel, german: User, marked, classic: bool):
    with translation.override("en"):
        ayla = duel.world.mage("Ayla")
        other = duel.world.mage("Wystan", duel.froodal.user)
        challenge = create_challenge(challenger=ayla, invited=[other], terms=Terms(), now=duel.world.now)
        propose_change(number=challenge.number, mage=ayla, change={"pace": "fast"}, now=duel.world.now)
        entry = ask_for_consent(battle=duel.battle, seq=1, by=make_janitor(), reason=WHY, now=duel.world.now)
    if classic:
        set_preference(user=german, key="mail_subjects", value="classic")
    facts = collect_facts(duel, challenge.number)
    left = {}
    for kind, told in facts.items():
        if kind == "unconfirmed_reminder":
            EmailAddress.objects.filter(user=german).update(verified=False)
        if kind == "orders_held":
            mail = duel.world.take(write_mail("LH W"))
            hold_mail(mail=mail, user=german, now=duel.world.now)
        if kind == "battle_intervened":
            told = {**told, "entry": entry.number}
        if kind == "turn_stuck":
            Battle.objects.update(status="stuck", stuck_reference="abc", stuck_at=SOON, stuck_remind_at=SOON)
        if kind == "draw_offered":
            Combatant.objects.filter(mage=duel.bung).update(draw_offered_in=mark_turn(duel.reload()))
        mail = compose_notice(kind=kind, facts=told, user=german)
        Battle.objects.update(status="running", stuck_reference="")
        EmailAddress.objects.filter(user=german).update(verified=True)
        assert OPEN in mail.text and (not mail.html or '<html lang="de"' in mail.html), kind
        with translation.override("de"):
            view = get_battle_for_viewer(number=duel.number, user=german, draft="")
        excused = " ".join([repr(view), *SPELLS, WHY, "Wystan", MARKER, *map(str, told.values())])
        english = list_english(f"{mail.subject}\n{mail.text}", excused)
        english += [row for text in list_unmarked(mail.html, inside="html") for row in list_english(text, excused)]
        if english:
            left[kind] = english
    assert left == {}
    assert list_english("An unmarked text") == ["An unmarked text"]


def test_a_daily_email_is_in_the_language_of_its_reader(duel: MailedDuel, german: User, marked):
    facts = {"mage": "Bung", "named": ["Froodal"], "text": "Kind words"}
    mails = [compose_notice(kind="message", facts=facts, user=german)]
    with translation.override("de"):
        digest = compose_digest(mails, count=2, user=german)
    assert list_english(f"{digest.subject}\n{digest.text}") == []


def test_a_notice_is_in_the_language_of_its_reader_no_matter_who_caused_it(duel: MailedDuel, german: User, marked):
    with translation.override("en"):
        mails = {str(mail["To"]): mail for mail in duel.world.new_mails()}
    assert OPEN in body(mails["frode@example.org"]) and OPEN not in body(mails["bill@example.org"])


def ask(world: MailWorld, text: str, *, sender: str, to: str = "fm@localhost") -> str:
    (answer,) = [mail for mail in world.send(text, sender=sender, to=to) if mail["Auto-Submitted"] == "auto-replied"]
    return f"{answer['Subject']}\n{body(answer)}"


def test_an_answer_is_in_the_language_of_the_writer_once_they_are_known(duel: MailedDuel, german: User, marked):
    lines = "SHOW 999999\nGAME 999998 Bong\n"
    lines += "NEWGAME\nHELP\nFAQ\nGAMES\nINFO\nUSERS\nSTATS\nSCORES\nREPORT\nCHALLENGES\nACCEPT x"
    known = ask(duel.world, f"USER Frode {PASSWORD}\n{lines}", sender="frode@example.org")
    rows = [row for row in known.split("\n") if not row.startswith((" > ", "  Frode", "  Bill"))]
    told = list_english("\n".join(rows), excused=" ".join([lines, "USER Frode *****", " OK ", *SPELLS]))
    assert [row for row in told if not row.removesuffix(" OK").isupper()] == []
    assert OPEN in known
    stranger = ask(duel.world, lines, sender="wil@example.org")
    assert OPEN not in stranger, "nobody knows the writer"
    forged = ask(duel.world, f"USER Frode wrong-black-moths\n{lines}", sender="wil@example.org")
    assert OPEN not in forged
    assert translation.get_language() == "en", "the next email is not affected"


def test_help_of_every_order_and_option_is_translated(marked):
    with translation.override("de"):
        untranslated = [each.name for each in (*TABLE, *OPTIONS) if OPEN not in str(each.help)]
    assert untranslated == []


def test_the_gaps_in_the_forms_of_orders_are_named_in_the_readers_language(marked):
    with translation.override("de"):
        gaps = [gap for each in (*TABLE, *OPTIONS) for gap in GAP.findall(write_form(each.grammar))]
    assert len(gaps) > 80
    assert [words for _open, words, _close in gaps if OPEN not in words and not words.isupper()] == []


def quote(text: str, *filled: tuple[str, str]) -> str:
    for before, after in filled:
        assert before in text
        text = text.replace(before, after)
    return "\n".join(f"> {row}" for row in text.split("\n"))


@pytest.mark.parametrize("keeps", ["everything", "no marker", "no copy", "neither"])
def test_a_reply_to_a_german_turn_report_is_read(duel: MailedDuel, german: User, marked, keeps: str):
    """Gestures inside the quote count where we know what we printed; above it they always do."""
    list_own_words.cache_clear()
    (report,) = [mail for mail in duel.world.new_mails() if mail["To"] == "frode@example.org"]
    text = report.get_body(preferencelist=("plain",)).get_content()
    assert MARKER in text and OPEN in text
    if keeps in ("no marker", "neither"):
        text = text.replace(MARKER, "")
    if keeps in ("no copy", "neither"):
        Delivery.objects.update(text="", web_text="")
        reply = f"LH W\nRH P\n\nAm Sonntag schrieb Firetop Mountain:\n{quote(text)}"
    else:
        filled = quote(text, ("LH ?", "LH W"), ("RH ?", "RH P"))
        reply = f"Hallo,\n\nAm Sonntag schrieb Firetop Mountain:\n{filled}"
    raw = write_mail(reply, sender="frode@example.org", In_Reply_To=str(report["Message-ID"]))
    answers = duel.world.send(raw, sender="frode@example.org", to=str(report["Reply-To"]))
    sheet = OrderSheet.objects.filter(combatant__mage=duel.froodal).latest("pk")
    assert sheet.ready and sheet.lines[:2] == ["LH W", "RH P"]
    assert all(OPEN in body(mail) for mail in answers)
    list_own_words.cache_clear()


def test_the_words_around_our_offers_are_known_in_every_language(marked):
    list_own_words.cache_clear()
    assert {
        " reply to this email with your orders ",
        " replace the question marks with your gestures ",
    } <= list_own_words()
    list_own_words.cache_clear()


def test_written_emails_stay_the_same_when_the_reader_changes_the_language(duel: MailedDuel, german: User, marked):
    notice = Notice.objects.filter(user=german, kind="turn_resolved").get()
    set_language(user=german, language="en")
    (report,) = [mail for mail in duel.world.new_mails() if mail["To"] == "frode@example.org"]
    assert notice.pk and OPEN in body(report)
