"""RULES, FAQ and SPELLS: reference texts."""

import re
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from duels.errors import InvalidTerms, NoSuchRuleset
from duels.terms import find_rules, list_rulesets
from email_gateway.commands.game_options import BOOKS
from email_gateway.commands.order_entry import Order
from email_gateway.commands.rule_parts import (
    SMALL_LETTERS,
    Part,
    describe_basics,
    list_parts,
    part_differences,
    part_spells,
    write_list_of_parts,
    write_part,
)
from email_gateway.commands.words import find_known_battle, read_number, split_words
from email_gateway.conversation import Conversation
from email_gateway.errors import OrderRejected
from email_gateway.links import link_to, link_to_path
from email_gateway.text.layout import wrap
from operations.text.suggestions import find_nearest_word
from studies.rulebook.spells import list_spells

CLAUSE = "FM-ORDINF-11"
# How similar a word must be to a spell's name to count as it: "missile" is Magic Missile.
CLEARLY = 0.6
PARTS = re.compile(r"\b(?:parts|part\s+(?P<number>\d{1,4}))\s*$", re.I)


def handle_rules(talk: Conversation, rest: str) -> list[str]:
    """RULES {ruleset or battle}: the general rules and all spells. With PART and a number: only that part; with PARTS:
    a list of the parts."""
    part = PARTS.search(rest.partition(";")[0])
    name, edition = read_ruleset("RULES", rest[: part.start()] if part else rest)
    write = partial(write_rules, name, edition)
    if part and part["number"]:
        write = partial(write_part, name, edition, read_part_number(name, edition, part["number"]))
    elif part:
        write = partial(write_list_of_parts, name, edition)
    talk.report(f"rules {name} {edition} {part[0].casefold().split() if part else ''}", write)
    return []


def read_part_number(name: str, edition: int, number: str) -> int:
    """Return the number of an existing part. Raises OrderRejected."""
    last = len(list_parts(name, edition))
    if not 1 <= int(number) <= last:
        nearest = f"RULES {name} PART {last if int(number) else 1}"
        raise OrderRejected(_("These rules have %(last)s parts.") % {"last": last}, nearest=nearest, clause=CLAUSE)
    return int(number)


def handle_spells(talk: Conversation, rest: str) -> list[str]:
    """SPELLS {ruleset or battle}: the series of gestures, and nothing else."""
    name, edition = read_ruleset("SPELLS", rest)
    talk.report(f"spells {name} {edition}", partial(write_spells, name, edition))
    return []


def handle_faq(talk: Conversation, rest: str) -> list[str]:
    """FAQ: frequently asked questions, with answers."""
    talk.report("faq", write_faq)
    return []


def read_ruleset(order: str, rest: str) -> tuple[str, int]:
    """Return the ruleset and edition that a line names, by its name or by a battle. Raises OrderRejected."""
    words = split_words(rest)
    if not words:
        return _find(order, list_rulesets()[0][0], None)
    number = read_number(words[0])
    if len(words) == 1 and number is not None:
        battle = find_known_battle(number, nearest=order, clause=CLAUSE)
        return _find(order, battle.ruleset, battle.edition)
    named = "-".join(words).casefold()
    return _find(order, BOOKS.get(named, named), None)


def _find(order: str, name: str, edition: int | None) -> tuple[str, int]:
    try:
        rules = find_rules(name=name, edition=edition)
    except NoSuchRuleset as error:
        raise lead_to_spell(name) or reject_name(order, error) from error
    except InvalidTerms as error:
        raise OrderRejected(str(error), nearest=f"{order} {list_rulesets()[0][0]}", clause=CLAUSE) from error
    return rules.name, rules.edition


def reject_name(order: str, error: NoSuchRuleset) -> OrderRejected:
    """Return the rejection of an unknown ruleset, with the nearest one or, if none is near, all of them."""
    message = error.message if error.nearest else str(error)
    return OrderRejected(message, nearest=f"{order} {error.nearest or list_rulesets()[0][0]}", clause=CLAUSE)


def lead_to_spell(text: str) -> OrderRejected | None:
    """Return the rejection of a spell's name, or nearly one, given as a ruleset; None for anything else."""
    rulesets = [name for name, __ in list_rulesets()]
    named = {spell.slug: (spell.name, name) for name in reversed(rulesets) for spell in list_spells(name)}
    nearest = find_nearest_word(text, [*named, *rulesets], cutoff=CLEARLY)
    if nearest not in named or any(name.startswith(text) for name in rulesets):
        return None
    spell, ruleset = named[nearest]
    parts = list_parts(ruleset, find_rules(name=ruleset).edition)
    number = next(n for n, part in enumerate(parts, start=1) if mentions(part, spell))
    message = _("%(spell)s is a spell. RULES %(ruleset)s PART %(number)s explains what it does.") % {
        "spell": spell,
        "ruleset": ruleset,
        "number": number,
    }
    return OrderRejected(message, nearest=f"SPELLS {ruleset}", clause=CLAUSE)


def mentions(part: Part, spell: str) -> bool:
    return any(paragraph.startswith(f"{spell} (") for paragraph in part.paragraphs)


def write_rules(name: str, edition: int) -> str:
    rules = find_rules(name=name, edition=edition)
    differing = [f"{part.title}\n\n{part.paragraphs[0]}" for part in part_differences(name, edition)]
    spells = [spell for part in part_spells(name, edition) for spell in part.paragraphs]
    others = ", ".join(other for other, __ in list_rulesets() if other != name)
    return "\n\n".join(
        [
            _("Rules: %(ruleset)s, edition %(edition)s") % {"ruleset": rules.title, "edition": edition},
            *describe_basics(name, edition),
            *differing,
            _("Spells.") + f" {SMALL_LETTERS}",
            *spells,
            wrap(_("There are other rulesets: %(names)s. RULES with a name sends one of them.") % {"names": others}),
            wrap(_("RULES PARTS lists the parts of these rules, which can be sent one by one.")),
            _("On the site: %(link)s") % {"link": link_to_path(f"/rules/{name}/")},
        ]
    )


def write_spells(name: str, edition: int) -> str:
    rules = find_rules(name=name, edition=edition)
    rows = [
        f"  {' '.join(spell.series[0]):<18}  {spell.name}{describe_once(rules.once, spell.series[0])}"
        for spell in list_spells(name, edition=edition, order="gestures")
    ]
    head = _("Spells: %(ruleset)s. A small letter is a gesture of both hands.") % {"ruleset": rules.title}
    return "\n".join([head, "", *rows])


def describe_once(once: frozenset[str], series: str) -> str:
    """Say that a series works once in a battle, if so (FM-BOLT-4)."""
    return (" (" + _("once in a battle") + ")") if series in once else ""


def write_faq() -> str:
    asked = [f"{number}. {question}\n{wrap(str(answer))}" for number, (question, answer) in enumerate(ANSWERS, start=1)]
    return "\n\n".join(
        [_("Frequently asked questions"), *asked, _("On the site: %(link)s") % {"link": link_to("rules")}]
    )


ANSWERS = (
    (
        gettext_lazy("How do I begin?"),
        gettext_lazy(
            "Send NEWUSER with a name and a mail password, and reply to the email we send back. Then REGISTER a "
            "mage. See open challenges with CHALLENGES, or create one with NEWGAME."
        ),
    ),
    (
        gettext_lazy("Do I need my password in every email?"),
        gettext_lazy(
            "No. Reply to a turn report or an email about a challenge: the address you reply to shows who you are. "
            "For anything else, begin with USER, your name and your mail password, which is not your site password."
        ),
    ),
    (
        gettext_lazy("What if I forget my mail password?"),
        gettext_lazy("Set a new one on the site, in your settings. We can't tell you the old one."),
    ),
    (
        gettext_lazy("Can I change orders that I have sent?"),
        gettext_lazy("Yes, until the turn resolves. Later lines replace earlier ones, and CLEAR starts again."),
    ),
    (
        gettext_lazy("What if my email arrives twice, or late?"),
        gettext_lazy(
            "We process each email only once. It is for the turn that was open when it reached us, unless TURN names "
            "another. Orders for a turn that is over change nothing, and we send you the state of the battle."
        ),
    ),
    (
        gettext_lazy("My opponent does not move. What can I do?"),
        gettext_lazy("Write to them with MESSAGE. Every turn has a deadline, and a mage who misses it loses."),
    ),
    (
        gettext_lazy("I will be away for a while."),
        gettext_lazy(
            "Send VACATION and a number of days. While a battle is waiting for your orders, its clocks stop, except in "
            "a live battle. Your next orders end the vacation."
        ),
    ),
    (
        gettext_lazy("How can I follow other players' battles?"),
        gettext_lazy(
            "SUBSCRIBE and a number sends you each turn as everyone can see it. SHOW and DESCRIBE send what "
            "has happened."
        ),
    ),
    (
        gettext_lazy("Can others see my address?"),
        gettext_lazy("No. MESSAGE and ANNOUNCE go through us, and no list shows addresses."),
    ),
    (
        gettext_lazy("I get too many emails."),
        gettext_lazy(
            "In your settings you can choose emails at once, one a day, or none. Each email has a link that "
            "stops its kind."
        ),
    ),
    (
        gettext_lazy("Someone has two accounts, or something else is wrong."),
        gettext_lazy(
            "Send REPORT with a player's name or a battle's number, and what happened. Only the janitors read it. "
            "Without an account, write to postmaster at our mail domain. A person reads every email sent there."
        ),
    ),
)


ORDERS: tuple[Order, ...] = (
    Order(
        "RULES",
        "RULES {ruleset or battle} {part}",
        "anyone",
        "studies.rulebook.spells.list_spells",
        gettext_lazy(
            "Sends the rules with every spell, by default those of the standard ruleset. PARTS lists their parts, "
            "and PART 2 sends only the second."
        ),
        "FM-ORDINF-11",
        handle_rules,
        example="RULES warlocks",
    ),
    Order(
        "SPELLS",
        "SPELLS {ruleset or battle}",
        "anyone",
        "studies.rulebook.spells.list_spells",
        gettext_lazy("Sends the list of gestures, as a sheet to play from."),
        "FM-ORDINF-11",
        handle_spells,
        example="SPELLS 12",
    ),
    Order(
        "FAQ",
        "FAQ",
        "anyone",
        "email_gateway.commands.reference.write_faq",
        gettext_lazy("Sends frequently asked questions, with answers."),
        "FM-ORDINF-12",
        handle_faq,
    ),
)
