"""The text and the HTML of an email say the same, for every kind of notice."""

import random
import re

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from challenges.services.create import create_challenge
from challenges.services.proposals import propose_change
from duels.models import Battle, Combatant
from duels.selectors.draws import mark_turn
from duels.terms import Terms
from email_gateway.commands.held_mails import hold_mail
from email_gateway.compose.notices import compose_notice
from email_gateway.deliver.mail import Mail
from email_gateway.text.webtext import read_web_text
from moderation.services.battles.ask_for_consent import ask_for_consent
from notifications.kinds import KINDS
from rules_engine import read_state, write_state
from tests.duels.janitors import WHY, make_janitor
from tests.email_gateway.conftest import MailedDuel
from tests.email_gateway.test_languages import SOON, collect_facts
from tests.email_gateway.world import write_mail
from tests.rules_engine.random_play import stir

LINK = re.compile(r"https?://[^\s<>\"]+")
BUTTON = re.compile(r"<a [^>]*display:inline-block[^>]*>.*?</a>", re.S)
# The text has the classic layout, the HTML beads and sentences: their labels, and letters of strings.
LABELS = {"hp", "state", "status", "for", "game", "duel", "melee", "challenge", "controller", "target", "left", "right"}
LABELS |= {"spell", "battle"}
SENTENCES = {
    "hit",
    "points",
    "point",
    "of",
    "attacks",
    "at",
    "turn",
    "play",
    "and",
    "change",
    "proposed",
    "by",
    "in",
    "challenges",
}
STRING = re.compile(r"[a-z]|[bfpswdc_]+|\d+")


def list_words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", LINK.sub(" ", text).casefold()) if not STRING.fullmatch(word)}


def find_differences(mail: Mail) -> list[str]:
    """Return the words, numbers in sentences and links that only one part has. A button's words are its link's."""
    web = mail.html.replace("=== Reply above this line ===", "")
    text, html = list_words(f"{mail.subject}\n{mail.text}"), list_words(f"{mail.subject}\n{read_web_text(web)}")
    own = list_words(read_web_text(BUTTON.sub("", web)))
    links = {link.rstrip(".,:)") for link in LINK.findall(mail.text)}
    pages = {link.rstrip(".,:)") for link in re.findall(r'href="(http[^"]+)"', mail.html.replace("&amp;", "&"))}
    return [
        *(f"text: {word}" for word in sorted(text - html - LABELS)),
        *(f"html: {word}" for word in sorted(own - text - SENTENCES)),
        *(f"text: {link}" for link in sorted(links - pages)),
        *(f"html: {link}" for link in sorted(pages - links)),
    ]


@pytest.fixture
def told(duel: MailedDuel) -> dict[str, dict[str, object]]:
    """The facts of every kind of notice to Frode, whose duel is in its third turn."""
    for froodal, bung in (("S/W", "S/W"), ("F/F", "F/P")):
        duel.world.order(duel.battle, duel.froodal, froodal)
        duel.world.order(duel.battle, duel.bung, bung)
    ayla, other = duel.world.mage("Ayla"), duel.world.mage("Wystan", duel.froodal.user)
    challenge = create_challenge(challenger=ayla, invited=[other], terms=Terms(), now=duel.world.now)
    propose_change(number=challenge.number, mage=ayla, change={"pace": "fast"}, now=duel.world.now)
    facts = {kind: dict(each) for kind, each in collect_facts(duel, challenge.number).items()}
    entry = ask_for_consent(battle=duel.battle, seq=1, by=make_janitor(), reason=WHY, now=duel.world.now)
    facts["battle_intervened"]["entry"] = entry.number
    hold_mail(mail=duel.world.take(write_mail("HELP")), user=duel.froodal.user, now=duel.world.now)
    return facts


def test_text_and_html_say_the_same_in_every_kind_of_notice(duel: MailedDuel, told):
    frode = User.objects.get(username="Frode")
    different = {}
    for kind in (name for name, kind in KINDS.items() if not kind.is_only_news and not kind.posts):
        EmailAddress.objects.filter(user=frode).update(verified=kind != "unconfirmed_reminder")
        if kind == "turn_stuck":
            Battle.objects.update(status="stuck", stuck_reference="abc", stuck_at=SOON, stuck_remind_at=SOON)
        else:
            Battle.objects.update(status="running", stuck_reference="")
        if kind == "draw_offered":
            Combatant.objects.filter(mage=duel.bung).update(draw_offered_in=mark_turn(duel.reload()))
        if differences := find_differences(compose_notice(kind=kind, facts=told[kind], user=frode)):
            different[kind] = differences
    assert not different, "\n".join(f"{kind}: {words}" for kind, words in different.items())


@pytest.mark.parametrize("seed", range(8))
def test_text_and_html_describe_the_same_position(duel: MailedDuel, told, seed: int):
    battle = Battle.objects.get(pk=duel.battle.pk)
    state = stir(read_state(battle.state), random.Random(seed))
    Battle.objects.filter(pk=battle.pk).update(state=write_state(state))
    mail = compose_notice(kind="battle_started", facts=told["battle_started"], user=duel.froodal.user)
    assert find_differences(mail) == []


def test_both_parts_say_what_the_hands_have_begun(duel: MailedDuel, told):
    mail = compose_notice(kind="battle_started", facts=told["battle_started"], user=duel.froodal.user)
    for part in (mail.text, read_web_text(mail.html)):
        mine, _, theirs = part.partition("What the others can do next")
        assert "Spells you have begun" in mine and "Paralysis (F F)" in mine
        assert "Bung" in theirs
