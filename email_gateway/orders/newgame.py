"""The options of NEWGAME, read as the old server did: commas may be left out, of opposites the last counts.

Server rules 3.4; clauses FM-ORDNEW-1 to 18. Nothing here touches a row.
"""

import re
from dataclasses import dataclass, field

from duels.errors import InvalidTerms
from duels.terms import choose_ruleset, list_offers
from email_gateway.orders.words import find_nearest

BOOKS = {
    "standard": "firetop-standard",
    "classic": "firetop-classic",
    "nomonster": "firetop-nomonsters",
    "nomonsters": "firetop-nomonsters",
}
NAME_OPTIONS = ("challenge", "add")
# Options of the old server that belong to the vote on terms, which this site does not hold yet.
NOT_YET = ("exclude", "all", "authoritarian", "democratic", "start")
# It must be the last option: everything after it is the comment (FM-ORDNEW-18).
COMMENT = re.compile(r"(?:^|[\s,])comment(?=[\s,]|$)[\s,]*(?P<text>.*)", re.I)
OPTIONS = (*NAME_OPTIONS, "open", "closed", "limit", "nolimit", "spellbook", "ruleset", "comment", "friendly")


@dataclass
class NewGame:
    """What a NEWGAME line asks for. `problems` holds a sentence for everything that cannot be had."""

    invited: list[str] = field(default_factory=list)
    open_to_all: bool = False
    mages_per_user: int = 1
    limit: int | None = None
    ruleset: str = "firetop-standard"
    rated: bool = True
    comment: str = ""
    problems: list[str] = field(default_factory=list)


def read_newgame(text: str) -> NewGame:
    """Read the options."""
    game = NewGame()
    text = " ".join(text.split())
    comment = COMMENT.search(text)
    if comment:
        text, game.comment = text[: comment.start()], comment["text"]
        if not game.comment:
            game.problems.append("COMMENT needs a text after it.")
    words = text.replace(",", " ").split()
    read_options(game, words)
    if not game.open_to_all and not game.invited and not game.problems:
        game.problems.append("Name the mages you challenge (CHALLENGE <mages>), or say OPEN.")
    return game


def read_options(game: NewGame, words: list[str]) -> None:
    waiting = list(words)
    while waiting:
        option = waiting.pop(0).lower()
        if option in NAME_OPTIONS:
            read_names(game, option, waiting)
        elif option == "open":
            game.open_to_all = True
            game.mages_per_user = int(waiting.pop(0)) if waiting and waiting[0].isdecimal() else 1
        elif option == "closed":
            game.open_to_all = False
        elif option == "limit":
            read_limit(game, waiting)
        elif option == "nolimit":
            game.limit = None
        elif option in ("spellbook", "ruleset"):
            read_book(game, option, waiting)
        elif option == "friendly":
            game.rated = False
        else:
            refuse_option(game, option)


def read_names(game: NewGame, option: str, waiting: list[str]) -> None:
    found = []
    while waiting and waiting[0].lower() not in (*OPTIONS, *NOT_YET):
        found.append(waiting.pop(0))
    game.invited += found
    if not found:
        game.problems.append(f"{option.upper()} needs the name of a mage after it.")


def read_limit(game: NewGame, waiting: list[str]) -> None:
    if waiting and waiting[0].isdecimal():
        game.limit = min(int(waiting.pop(0)[:6]), 999)
    else:
        game.problems.append("LIMIT needs a number of mages after it.")


def read_book(game: NewGame, option: str, waiting: list[str]) -> None:
    """SPELLBOOK or RULESET, a name, and the values of what that ruleset leaves to be chosen, up to the next option."""
    if not waiting or waiting[0].lower() in (*OPTIONS, *NOT_YET):
        game.problems.append(f"{option.upper()} needs a name after it.")
        return
    named = waiting.pop(0)
    chosen = []
    while waiting and waiting[0].lower() not in (*OPTIONS, *NOT_YET) and takes_choices(named):
        chosen.append(waiting.pop(0))
    try:
        game.ruleset = choose_ruleset(name=BOOKS.get(named.lower(), named), options=chosen)
    except InvalidTerms as error:
        books = " The books are: Standard, Classic, NoMonsters." if option == "spellbook" else ""
        game.problems += [f"{problem}{books}" for problem in error.problems]


def takes_choices(name: str) -> bool:
    """Tell whether words after the name of a ruleset are meant for it: only where it leaves anything to be chosen."""
    return any(offer.choices and name.lower().startswith(offer.name) for offer in list_offers())


def refuse_option(game: NewGame, option: str) -> None:
    if option in NOT_YET or option.startswith(("auth", "dem")):
        game.problems.append(f"{option.upper()} is not offered here yet.")
        return
    nearest = find_nearest(option, [one.upper() for one in OPTIONS])
    hint = f" Do you mean {nearest}?" if nearest else f" Options are: {', '.join(OPTIONS)}."
    game.problems.append(f'"{option}" is no option of NEWGAME.{hint}')
