"""Play the site's bots against the programs of the pool, and print a table of shares with their 95 % ranges.

Each pair plays both seats with the same seeds. With --at-least, each match ends as soon as a sequential test (SPRT, 5 %
errors) decides whether the bot takes that share or 10 points less. With --spells, a second table says how often the
bots cast each spell that one gesture completes (as `spells` does). With --write, each result replaces that of the same
pair in a file (the site's is ladder/pool.json), with the ratings that follow from all of its results.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from rules_engine.bots.pool import BLIND, NUMBER, PROGRAMS, YARDSTICKS, make_program
from rules_engine.bots.strengths import STRENGTHS
from rules_engine.bots.tools.matches import Chooser, Tally, make_player, play_game, seat_players
from rules_engine.bots.tools.spells import Count, print_table
from rules_engine.errors import UnknownRuleset
from rules_engine.rulesets import get_ruleset

ERRORS = 0.05
INDIFFERENCE = 0.1
LEAST_GAMES = 20
"""A sequential test decides nothing before so many games."""
MIDDLE: Final = ("Warder", 1500)
"""The bot that anchors the ratings, and its rating."""
PER_FACTOR: Final = 400 / math.log(10)
ROUNDS: Final = 2000


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    league = commands.add_parser("league", help="measure bots against the pool", description=__doc__)
    league.add_argument("bots", nargs="*", default=["Warder", "Magus", "Archmage"], metavar="BOT")
    league.add_argument("--programs", nargs="*", default=list(PROGRAMS), choices=[*PROGRAMS, *YARDSTICKS, *STRENGTHS])
    league.add_argument("--games", type=int, default=40)
    league.add_argument("--ruleset", default="firetop-standard")
    league.add_argument("--at-least", type=float, default=None, metavar="SHARE", help="0.85, for example")
    league.add_argument("--seed", default="pool")
    league.add_argument("--processes", type=int, default=1)
    league.add_argument("--spells", action="store_true", help="count the spells that the bots cast, too")
    league.add_argument("--write", type=Path, metavar="FILE", help="keep the results in this file")
    league.set_defaults(run=run_league)


def run_league(arguments: argparse.Namespace) -> int:
    """Print the table. The exit code is 1 if someone gave illegal orders, 2 if nothing could be played."""
    strange = [bot for bot in arguments.bots if bot not in STRENGTHS]
    try:
        get_ruleset(arguments.ruleset)
    except UnknownRuleset as error:
        strange.append(str(error))
    if strange:
        print(f"league: {', '.join(strange)}: there are {', '.join(STRENGTHS)}", file=sys.stderr)
        return 2
    pairs = [(bot, program) for bot in arguments.bots for program in arguments.programs]
    play = partial(
        play_pair,
        ruleset=arguments.ruleset,
        games=arguments.games,
        seed=arguments.seed,
        at_least=arguments.at_least,
    )
    print(f"pool {NUMBER}, {arguments.ruleset}, seed {arguments.seed}")
    illegal: list[str] = []
    spells = Count(frozenset())
    for (bot, program), (tally, count) in zip(pairs, _play_all(play, pairs, arguments.processes), strict=True):
        turns = tally.turns / max(tally.games, 1)
        looks = "never looks at its foe" if program in BLIND else "looks at its foe"
        print(
            f"{tally.line(f'{bot} over {program}')}, {turns:.1f} turns a game, {tally.draws} draws; {looks}", flush=True
        )
        illegal += tally.illegal
        spells.add(count.able, count.cast, count.gains)
        if arguments.write is not None:
            write_result(arguments.write, write_row(bot, program, tally, arguments.seed, arguments.ruleset))
    if arguments.spells:
        print_table(spells, get_ruleset(arguments.ruleset).book)
    for problem in illegal[:5]:
        print(f"illegal: {problem}")
    return 1 if illegal else 0


def _play_all(
    play: Callable[..., tuple[Tally, Count]], pairs: list[tuple[str, str]], processes: int
) -> Iterator[tuple[Tally, Count]]:
    if processes == 1:
        yield from (play(*pair) for pair in pairs)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(play, *zip(*pairs, strict=True))


def play_pair(
    bot: str, program: str, *, ruleset: str, games: int, seed: str, at_least: float | None
) -> tuple[Tally, Count]:
    """Return a bot's points against a program of the pool, and the spells that it cast; fewer games if the test decides
    earlier."""
    tally, spells = Tally(), Count(frozenset())

    def make_bot(seed: object) -> Chooser:
        return make_player(bot, seed)

    def make_opponent(seed: object) -> Chooser:
        return make_player(program, seed) if program in STRENGTHS else make_program(program, seed)

    for number in range(games):
        players, mine = seat_players((make_bot, make_opponent), 2, seed, number)
        count = Count(frozenset({mine}))
        tally.add(play_game(ruleset, players, f"{seed} {number}", heed=count.heed), mine)
        spells.add(count.able, count.cast, count.gains)
        if at_least is not None and tally.games >= LEAST_GAMES and is_decided(tally, at_least):
            break
    return tally, spells


def is_decided(tally: Tally, at_least: float) -> bool:
    """Return whether the games so far tell a share of `at_least` from one that is 10 points smaller."""
    more, less = min(at_least, 0.99), max(at_least - INDIFFERENCE, 0.01)
    won, lost = tally.points, tally.games - tally.points
    ratio = won * math.log(more / less) + lost * math.log((1 - more) / (1 - less))
    return abs(ratio) >= math.log((1 - ERRORS) / ERRORS)


def write_row(bot: str, program: str, tally: Tally, seed: str, ruleset: str) -> dict[str, Any]:
    """Return the result of a pair as it is kept in a file."""
    return {
        "bot": bot,
        "program": program,
        "games": tally.games,
        "share": round(100 * tally.share, 1),
        "margin": round(100 * tally.margin, 1),
        "seed": seed,
        "ruleset": ruleset,
        "date": datetime.now(UTC).date().isoformat(),
    }


def write_result(file: Path, row: dict[str, Any]) -> None:
    """Put a result into a file, in place of that of the same pair, and the ratings that follow from all."""
    known: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["results"] if file.exists() else []
    merged = {(each["bot"], each["program"]): each for each in (*known, row)}
    bots, programs = list(STRENGTHS), [*STRENGTHS, *PROGRAMS, *YARDSTICKS]
    results = sorted(merged.values(), key=lambda each: (bots.index(each["bot"]), programs.index(each["program"])))
    ratings = {name: round(rating) for name, rating in rate_players(results).items() if name in STRENGTHS}
    lines = ",\n".join(f"  {json.dumps(each)}" for each in results)
    file.write_text(
        f'{{\n "pool": {NUMBER},\n "ratings": {json.dumps(ratings)},\n "results": [\n{lines}\n ]\n}}\n',
        encoding="utf-8",
    )


def rate_players(results: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the ratings of bots and programs under which these shares are likeliest, the anchor's fixed.

    400 points more win ten games in eleven (Bradley and Terry). Each pair counts half a point more for both, so that
    one that lost all its games is not infinitely weak.
    """
    points: dict[str, float] = defaultdict(float)
    games: dict[tuple[str, str], float] = {}
    for row in results:
        bot, program, played = row["bot"], row["program"], row["games"]
        won = played * row["share"] / 100
        points[bot] += won + 0.5
        points[program] += played - won + 0.5
        games[bot, program] = played + 1.0
    strength = dict.fromkeys(points, 1.0)
    for _ in range(ROUNDS):
        met: dict[str, float] = defaultdict(float)
        for (one, other), played in games.items():
            shared = played / (strength[one] + strength[other])
            met[one] += shared
            met[other] += shared
        strength = {name: points[name] / met[name] for name in points}
    name, rating = MIDDLE
    base = strength.get(name, 1.0)
    return {each: rating + PER_FACTOR * math.log(value / base) for each, value in strength.items()}
