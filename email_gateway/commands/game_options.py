"""The options of NEWGAME and CHANGEGAME, read as the old server did: commas are optional, and the last of several
opposites counts.

Server rules 3.4 and 3.6; clauses FM-ORDNEW-1 to 18 and FM-ORDCHG-2 to 14. Nothing here touches a row.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.bots import BOTS
from challenges.changes import Change
from duels.errors import InvalidTerms
from duels.names import listed
from duels.paces import PACES
from duels.terms import choose_ruleset, list_offers
from email_gateway.commands.words import find_nearest
from email_gateway.conversation import Conversation
from email_gateway.text.layout import indent
from email_gateway.text.order_forms import write_form
from ladder.stakes import BOTS as STAKES_WITH_BOTS
from ladder.stakes import LADDER, OFFERED_STAKES
from operations.text.suggestions import find_nearest_word, suggest

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

BOOKS = {
    "standard": "firetop-standard",
    "classic": "firetop-classic",
    "nomonster": "firetop-nomonsters",
    "nomonsters": "firetop-nomonsters",
}
COMMENT_OPTION = "COMMENT"
# It must be the last option: everything after it is the comment (FM-ORDNEW-18).
COMMENT = re.compile(r"(?:^|[\s,])comment(?=[\s,]|$)[\s,]*(?P<text>.*)", re.I)
# The shortest form of an option, if no other begins the same.
SHORTEST = 3

OrderName = Literal["NEWGAME", "CHANGEGAME"]


@dataclass
class GameOptions:
    """The options as read: the terms and changes in `change`, with names as typed; `everyone` for ALL; in `problems` a
    sentence for everything that is not possible; and in `misspelt` the options that were probably meant."""

    change: Change = field(default_factory=Change)
    everyone: bool = False
    problems: list[str] = field(default_factory=list)
    misspelt: dict[str, str] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether a new challenge with these options is open: ALL means it unless CLOSED follows (FM-ORDNEW-9)."""
        return self.change.get("mages_per_user", 1 if self.everyone else None) is not None

    def list_names(self) -> Iterator[str]:
        yield from self.change.get("add", ())
        yield from self.change.get("exclude", ())


@dataclass(frozen=True)
class Option:
    """One option: its name and other names, how it is written, what it does, and the clause. `read` removes its words
    from the list."""

    name: str
    grammar: str
    help: "StrOrPromise"
    clause: str
    read: Callable[[GameOptions, list[str]], None]
    synonyms: tuple[str, ...] = ()
    only: OrderName | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.synonyms)


def read_options(text: str, *, order: OrderName) -> GameOptions:
    game = GameOptions()
    text = " ".join(text.split())
    comment = COMMENT.search(text)
    if comment:
        text = text[: comment.start()]
    waiting = text.replace(",", " ").split()
    while waiting:
        word = waiting.pop(0)
        option = find_option(word)
        if option is None:
            reject_word(game, word, order, waiting)
        elif option.only not in (None, order):
            message = _("%(option)s is only for %(order)s.")
            game.problems.append(message % {"option": option.name, "order": option.only})
        else:
            option.read(game, waiting)
    if comment:
        read_comment(game, comment["text"])
    return game


def find_option(word: str) -> Option | None:
    """Return the option with that name, in any case, or the only one that begins with it."""
    name = word.upper()
    if name in BY_NAME:
        return BY_NAME[name]
    # Not COMMENT: its text is not read as words.
    beginnings = (known for known in BY_NAME if len(name) >= SHORTEST and known != COMMENT_OPTION)
    options = {BY_NAME[known] for known in beginnings if known.startswith(name)}
    return options.pop() if len(options) == 1 else None


def is_option(word: str) -> bool:
    """Return whether a word ends a list of names: only the full name of an option does, since a mage may have an
    abbreviation as its name."""
    return word.upper() in BY_NAME


def replace_option(text: str, pattern: str, better: str) -> str:
    """Return the options with what matches the pattern replaced, but not in their comment."""
    comment = COMMENT.search(text)
    end = comment.start() if comment else len(text)
    return re.sub(rf"(?<![\w-])(?:{pattern})(?![\w-])", better, text[:end], flags=re.I) + text[end:]


def reject_word(game: GameOptions, word: str, order: OrderName, waiting: list[str]) -> None:
    """Reject a word that is no option. What follows belongs to the option that was meant."""
    known = [name for name, option in BY_NAME.items() if option.only in (None, order)]
    nearest = find_nearest(word, known)
    message = _('%(order)s has no option "%(word)s".') % {"order": order, "word": word[:20]}
    options = _("The options are: %(options)s.") % {"options": ", ".join(known)}
    game.problems.append(suggest(message, nearest) if nearest else f"{message} {options}")
    if nearest == COMMENT_OPTION:
        waiting.clear()
    if nearest:
        game.misspelt[word] = nearest
        BY_NAME[nearest].read(game, waiting)


# --- What each of them reads -----------------------------------------------------------------------------------------


def cover_comment(talk: Conversation, text: str) -> str:
    """Return the options without the writer's secrets in the comment, which everyone reads."""
    comment = COMMENT.search(text)
    return text if comment is None else text[: comment.start("text")] + talk.cover_secrets(comment["text"])


def mention_cut_comment(written: str) -> list[str]:
    """Say that a comment ends at a semicolon, which begins what we don't read (FM-ORDGEN-6)."""
    kept, __, cut = written.partition(";")
    comment = COMMENT.search(kept)
    if comment is None or not cut.strip():
        return []
    message = _("A ; ends the line, so the comment is: %(comment)s")
    return [message % {"comment": " ".join(comment["text"].split())}]


def read_comment(game: GameOptions, text: str) -> None:
    if text:
        game.change["comment"] = text
    else:
        game.problems.append(_("COMMENT needs a text after it."))


def read_challenged(game: GameOptions, waiting: list[str]) -> None:
    names = take_names(game, "CHALLENGE", waiting)
    game.change["add"] = [*game.change.get("add", []), *names]
    drop_names(game, "exclude", names)


def read_excluded(game: GameOptions, waiting: list[str]) -> None:
    names = take_names(game, "EXCLUDE", waiting)
    game.change["exclude"] = [*game.change.get("exclude", []), *names]
    drop_names(game, "add", names)


def take_names(game: GameOptions, option: str, waiting: list[str]) -> list[str]:
    names = []
    while waiting and not is_option(waiting[0]):
        names.append(waiting.pop(0))
    if not names:
        game.problems.append(_("%(option)s needs the name of a mage after it.") % {"option": option})
    return names


def drop_names(game: GameOptions, part: Literal["add", "exclude"], names: list[str]) -> None:
    """Undo what an earlier option said about these mages: the last one counts (FM-ORDNEW-10)."""
    if part in game.change:
        lower = {name.lower() for name in names}
        game.change[part] = [name for name in game.change[part] if name.lower() not in lower]


def read_open(game: GameOptions, waiting: list[str]) -> None:
    counted = bool(waiting) and waiting[0].isdecimal()
    game.change["mages_per_user"] = read_number(waiting.pop(0)) if counted else 1


def read_closed(game: GameOptions, waiting: list[str]) -> None:
    game.change["mages_per_user"] = None


def read_all(game: GameOptions, waiting: list[str]) -> None:
    game.everyone = True
    if game.change.get("mages_per_user", 1) is None:
        del game.change["mages_per_user"]


def read_limit(game: GameOptions, waiting: list[str]) -> None:
    if waiting and waiting[0].isdecimal():
        game.change["limit"] = read_number(waiting.pop(0))
    else:
        game.problems.append(_("LIMIT needs a number of mages after it."))


def read_nolimit(game: GameOptions, waiting: list[str]) -> None:
    game.change["limit"] = None


def read_number(word: str) -> int:
    """Read a number of any length; anything too large is 999."""
    return min(int(word[-12:]), 999) if len(word.lstrip("0")) <= 12 else 999


def read_spellbook(game: GameOptions, waiting: list[str]) -> None:
    read_book(game, "SPELLBOOK", waiting, _("The books are: Standard, Classic, NoMonsters."))


def read_ruleset(game: GameOptions, waiting: list[str]) -> None:
    read_book(game, "RULESET", waiting, "")


def read_book(game: GameOptions, option: str, waiting: list[str], hint: str) -> None:
    """Read a ruleset's name, and the values of its choices, up to the next option."""
    if not waiting or is_option(waiting[0]):
        message = _("%(option)s needs a name after it.") % {"option": option}
        game.problems.append(f"{message} {hint}".rstrip())
        return
    named = waiting.pop(0)
    chosen = []
    while waiting and not is_option(waiting[0]) and takes_choices(named):
        chosen.append(waiting.pop(0))
    try:
        game.change["ruleset"] = choose_ruleset(name=BOOKS.get(named.lower(), named), options=chosen)
    except InvalidTerms as error:
        game.problems += [f"{problem} {hint}".rstrip() for problem in error.problems]


def takes_choices(name: str) -> bool:
    """Return whether words after the name of a ruleset are meant for it: only if it has choices."""
    return any(offer.choices and name.lower().startswith(offer.name) for offer in list_offers())


def read_bots(game: GameOptions, waiting: list[str]) -> None:
    """Read the strengths of bots for which to reserve seats."""
    known = {bot.strength.lower() for bot in BOTS}
    strengths: list[str] = []
    while waiting and (waiting[0].lower() in known or (not strengths and not is_option(waiting[0]))):
        strengths.append(waiting.pop(0))
    if strengths:
        game.change["bots"] = strengths
    else:
        message = _("BOTS needs one or more of these after it: %(bots)s.")
        game.problems.append(message % {"bots": ", ".join(bot.strength for bot in BOTS)})


def read_no_bots(game: GameOptions, waiting: list[str]) -> None:
    game.change["bots"], game.change["bots_may_join"] = [], False


def read_hit_points(game: GameOptions, waiting: list[str]) -> None:
    """Read the hit points of the mages, in the order of joining."""
    points = []
    while waiting and waiting[0].isdecimal():
        points.append(read_number(waiting.pop(0)))
    if points:
        game.change["hit_points"] = points
    else:
        game.problems.append(_("HITPOINTS needs numbers after it: starting hit points, in the order the mages join."))


def choose(
    part: Literal["orders_final", "chat", "weekends", "nights", "authoritarian", "start", "bots_may_join"], value: bool
) -> Callable[..., None]:
    """Return the reader of an option that is one word."""

    def read(game: GameOptions, waiting: list[str]) -> None:
        game.change[part] = value

    return read


def read_pace(game: GameOptions, waiting: list[str]) -> None:
    """Read a pace by its name, or by the first letters of its name."""
    word = waiting.pop(0).lower() if waiting and not is_option(waiting[0]) else ""
    paces = [name for name in PACES if word and name.startswith(word)]
    if word in paces or len(paces) == 1:
        game.change["pace"] = word if word in paces else paces[0]
    else:
        message = _("PACE needs one of these after it: %(paces)s.") % {"paces": ", ".join(PACES)}
        game.problems.append(suggest(message, find_nearest_word(word, PACES) if word else None))


def read_reliable(game: GameOptions, waiting: list[str]) -> None:
    """Read a share of turns played on time, in percent."""
    word = waiting.pop(0).rstrip("%") if waiting and waiting[0].rstrip("%").isdecimal() else ""
    if word and read_number(word) <= 100:
        game.change["reliable"] = read_number(word)
    else:
        game.problems.append(_("RELIABLE needs a number from 0 to 100 after it."))


def choose_stakes(word: str) -> Callable[..., None]:
    def read(game: GameOptions, waiting: list[str]) -> None:
        game.change["stakes"] = word

    return read


def name_stakes(word: str) -> str:
    """Return the option's name for these stakes. BOTS reserves seats, so those stakes are WITHBOTS."""
    return "WITHBOTS" if word == STAKES_WITH_BOTS else word.replace("-", "").upper()


OPTIONS: tuple[Option, ...] = (
    Option("CHALLENGE", "CHALLENGE <mages>", gettext_lazy("Challenges these mages."),
          "FM-ORDNEW-3", read_challenged, ("ADD",)),
    Option("OPEN", "OPEN {number}", gettext_lazy(
        "Lets anyone join, with this many mages per user. The default is one; 0 means any number."
    ), "FM-ORDNEW-4", read_open),
    Option("CLOSED", "CLOSED", gettext_lazy("Lets only the challenged mages join (the default)."),
          "FM-ORDNEW-7",
           read_closed),
    Option("EXCLUDE", "EXCLUDE <mages>", gettext_lazy("Excludes these mages. Those who have joined stay."),
          "FM-ORDNEW-8",
           read_excluded),
    Option("ALL", "ALL", gettext_lazy("Challenges every free mage, and opens the challenge unless CLOSED follows."),
           "FM-ORDNEW-9", read_all),
    Option("LIMIT", "LIMIT <number>", gettext_lazy("Starts the battle when this many mages have joined, including "
          "the challenger."),
           "FM-ORDNEW-11", read_limit),
    Option("NOLIMIT", "NOLIMIT", gettext_lazy("Waits for all challenged mages. An open challenge waits until someone "
          "starts it."),
           "FM-ORDNEW-13", read_nolimit),
    Option("SPELLBOOK", "SPELLBOOK <book>", gettext_lazy("Standard, Classic or NoMonsters."),
          "FM-ORDNEW-15", read_spellbook),
    Option("RULESET", "RULESET <name> {choices}", gettext_lazy("Uses another ruleset. The pages under /rules/ list "
          "them."),
           "FM-ORDNEW-15", read_ruleset),
    Option("LADDER", "LADDER", gettext_lazy("Scores are at stake (the default)."), "FM-ORDNEW-1",
           choose_stakes("ladder"), ("RATED",)),
    *(Option(name_stakes(each.word), name_stakes(each.word), each.lazy_words, "FM-ORDNEW-1",
             choose_stakes(each.word)) for each in OFFERED_STAKES.values() if each.word != LADDER),
    Option("PACE", "PACE <pace>", gettext_lazy("How long a turn can take: classic, day, bank, live and so on."),
           "FM-SLOW-2", read_pace),
    Option("WEEKENDS", "WEEKENDS", gettext_lazy("Clocks rest on Saturdays and Sundays."),
          "FM-SLOW-7", choose("weekends", True)),
    Option("ALLWEEK", "ALLWEEK", gettext_lazy("Clocks run on weekends too (the default)."), "FM-SLOW-7",
           choose("weekends", False)),
    Option("NIGHTS", "NIGHTS", gettext_lazy("Clocks rest for eight hours at night."),
          "FM-SLOW-7", choose("nights", True)),
    Option("ALLNIGHT", "ALLNIGHT", gettext_lazy("Clocks run at night too (the default)."), "FM-SLOW-7",
           choose("nights", False)),
    Option("RELIABLE", "RELIABLE <percent>", gettext_lazy(
        "Lets only new players join, and those who play at least this percentage of their turns on time."),
           "FM-SLOW-4", read_reliable),
    Option("BOTS", "BOTS <bots>", gettext_lazy("Keeps a seat for each of these bots, for example BOTS Warder Magus. "
          "They join at once, and the battle is practice. Only where no scores are at stake."), "FM-ORDNEW-3",
           read_bots),
    Option("BOTSJOIN", "BOTSJOIN", gettext_lazy("Lets bots take the free seats of an open challenge, where no scores "
          "are at stake."), "FM-ORDNEW-4", choose("bots_may_join", True)),
    Option("NOBOTS", "NOBOTS", gettext_lazy("Keeps no seats for bots and lets none join (the default)."),
           "FM-ORDNEW-4", read_no_bots),
    Option("HITPOINTS", "HITPOINTS <numbers>", gettext_lazy(
        "A handicap: starting hit points from 1 to 15, in the order the mages join. Only in very friendly "
        "battles."
    ), "FM-ORDNEW-1", read_hit_points),
    Option("FINAL", "FINAL", gettext_lazy("Orders that are ready cannot be replaced."), "FM-ORDGEN-22",
           choose("orders_final", True)),
    Option("REPLACEABLE", "REPLACEABLE", gettext_lazy("Orders can be replaced until the turn resolves (the default)."),
           "FM-ORDGEN-22", choose("orders_final", False)),
    Option("TALK", "TALK", gettext_lazy("The mages can talk (the default)."), "FM-ORDMOVE-32",
           choose("chat", True)),
    Option("NOTALK", "NOTALK", gettext_lazy("Nobody talks in the battle."), "FM-ORDMOVE-32", choose("chat", False)),
    Option("AUTHORITARIAN", "AUTHORITARIAN", gettext_lazy("The challenger alone decides every change."), "FM-ORDNEW-16",
           choose("authoritarian", True)),
    Option("DEMOCRATIC", "DEMOCRATIC", gettext_lazy("Mages who have joined vote on changes (the default)."),
          "FM-ORDNEW-17", choose("authoritarian", False)),
    Option("START", "START", gettext_lazy("Starts the battle at once with the mages who have joined."), "FM-ORDCHG-4",
           choose("start", True), only="CHANGEGAME"),
    Option("COMMENT", "COMMENT <text>", gettext_lazy("Adds a comment to every email about the challenge. It must be "
          "the last option: all text after it is the comment."), "FM-ORDNEW-18", lambda game, waiting: None),
)  # fmt: skip

BY_NAME = {name: option for option in OPTIONS for name in option.names}


def write_options(order: OrderName) -> str:
    """Return the options of an order as HELP lists them."""
    mine = [option for option in OPTIONS if option.only in (None, order)]
    return "\n".join(
        indent(str(option.help), 29, first=f"  {listed([write_form(option.grammar), *option.synonyms], 'or'):<26} ")
        for option in mine
    )
