"""Every rule of leagues and cups in plain words, for the page that players read. Each has an anchor, to which pages and
emails link; docs/rulings.md names the same anchors, and a test compares them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class RuleText:
    """A rule: its anchor on the page, its title, and what it says."""

    anchor: str
    title: StrOrPromise
    sentences: tuple[StrOrPromise, ...]


@dataclass(frozen=True)
class Chapter:
    """Rules about one thing."""

    anchor: str
    title: StrOrPromise
    rules: tuple[RuleText, ...]


CHAPTERS = (
    Chapter(
        "league",
        _("The league"),
        (
            RuleText(
                "league-groups",
                _("Groups"),
                (
                    _(
                        "League 1, 2, 3 and so on are one group each, of four to eight mages, as near eight as "
                        "possible."
                    ),
                    _(
                        "In the first season, groups are drawn by rating; later, by the last table. Newcomers begin "
                        "in the lowest league."
                    ),
                    _("With fewer than four entrants, the season waits until there are four."),
                ),
            ),
            RuleText(
                "league-movement",
                _("Up and down"),
                (
                    _("At the end, the first two go up and the last two go down; in groups of four or five, one."),
                    _("Nobody goes up from League 1, and nobody goes down from the lowest league."),
                ),
            ),
            RuleText(
                "league-points",
                _("Points and ties"),
                (
                    _("A win is 1 point, a draw ½. A bye is none."),
                    _(
                        "Equal points are decided by the duels among those who have them; then by the points of "
                        "everyone you beat and half the points of everyone you drew with (Sonneborn-Berger); then by "
                        "fewer late turns; then by the earlier sign-up."
                    ),
                ),
            ),
            RuleText(
                "league-season",
                _("Rounds"),
                (
                    _("A season has seven rounds. A new duel begins each week, and earlier ones continue."),
                    _(
                        "There are three weeks to finish after the last round has begun. The next season begins a "
                        "week after that."
                    ),
                    _("Groups are drawn three days before round 1."),
                ),
            ),
            RuleText(
                "league-pace",
                _("Pace"),
                (
                    _(
                        "A duel is played at a turn a day. If both want a time bank and say so before round 1, it has "
                        "one."
                    ),
                ),
            ),
            RuleText(
                "league-newcomers",
                _("Newcomers"),
                (
                    _(
                        "Until round 3 begins, newcomers take free places of the running season, in the lowest league "
                        "that has one. Rounds that have begun are byes for them."
                    ),
                    _("Later, they play from the next season on."),
                ),
            ),
            RuleText(
                "league-stakes",
                _("What is at stake"),
                (
                    _(
                        "League duels are friendly: nobody dies for good, and classic scores don't change. Ratings "
                        "count."
                    ),
                    _("A league duel leaves its mage free: it may fight one other battle at the same time."),
                    _("An email without a GAME line acts only if exactly one battle waits for that mage."),
                ),
            ),
            RuleText(
                "league-places",
                _("Whose place it is"),
                (
                    _(
                        "A place belongs to a user, and each user has one. You stay entered until you leave or lose "
                        "your place."
                    ),
                    _(
                        "If your mage dies or retires elsewhere, running league duels continue under the old name. "
                        "Later ones are played by the mage you name, or else by the one you used last."
                    ),
                ),
            ),
            RuleText(
                "league-absence",
                _("Absence"),
                (
                    _("Forfeit two league duels in a season and you lose your place."),
                    _("Only turns for which a final notice was sent are late turns."),
                    _("Vacations stop the clocks as in every battle, and the table shows them."),
                ),
            ),
            RuleText(
                "league-leaving",
                _("Leaving"),
                (
                    _("You can leave after the season, which costs nothing, or at once."),
                    _(
                        "If you leave during a season, for whatever reason, with fewer than half of your duels "
                        "finished, all your results leave the table. Ratings stay."
                    ),
                    _("With half or more finished, the rest are lost without play and unrated."),
                    _("Nobody takes the place before the next season."),
                ),
            ),
            RuleText(
                "league-stalling",
                _("Stalling doesn't pay"),
                (
                    _(
                        "If a duel is undecided on the last day of the season, it ends unrated. A player who has "
                        "used more than 60% of the time that both have used loses it in the table; otherwise it is a "
                        "draw."
                    ),
                    _("The page shows both times from turn 1. Only your own clock counts, while a turn waits for you."),
                ),
            ),
            RuleText(
                "league-blocks",
                _("Blocks"),
                (
                    _(
                        "A block changes no pairing. The two fight without talk, phrases or messages, and both learn "
                        "that when they sign up."
                    ),
                ),
            ),
        ),
    ),
    Chapter(
        "cups",
        _("Cups"),
        (
            RuleText(
                "cup-knockout",
                _("Knock-out"),
                (
                    _("Each month has one knock-out of 8 or 16, friendly, with two days a turn."),
                    _("After a draw the two meet again. After a second draw, the better seed reaches the next round."),
                    _("Draws cannot be agreed in a knock-out."),
                    _(
                        "Places are drawn by rating, and free ones are byes for the highest. A board begins as soon as "
                        "both its mages are known."
                    ),
                ),
            ),
            RuleText(
                "cup-evening",
                _("Live evening"),
                (
                    _("Every fourth week has an evening of four rounds of live duels, one minute a turn."),
                    _(
                        "A round ends after 35 minutes. Then a player who has used more than 60% of the time of both "
                        "loses; otherwise it is a draw."
                    ),
                    _(
                        "If you aren't there five minutes after a round has begun, you lose that duel, unrated. Do so "
                        "twice and you are out."
                    ),
                    _(
                        "You meet people with as many points as you, nobody twice, and a bye goes to someone with few "
                        "points."
                    ),
                ),
            ),
            RuleText(
                "cup-round-robin",
                _("Round robin of bots"),
                (
                    _(
                        "Once a week the bots of users that have entered meet, three minutes a turn. Each owner can "
                        "enter one bot."
                    ),
                    _(
                        "Up to eight bots are one group, more are several groups by rating, the best in group 1. In "
                        "its group each bot meets every other one, one duel at a time."
                    ),
                    _(
                        "A win is one point, a draw half. If points are equal, the duels among those who have them "
                        "count, then the points of the bots beaten and half those of the bots drawn with, then fewer "
                        "late turns, then who entered first."
                    ),
                    _(
                        "A bot that misses a deadline loses that duel. Do so twice and it is out. A bot that is out or "
                        "leaves before half of its duels are finished counts for nobody; later, it loses the duels "
                        "that are left."
                    ),
                    _("A round ends after 35 minutes, as in a live evening. Only the bot ladder counts the duels."),
                ),
            ),
            RuleText(
                "cup-size",
                _("Too few"),
                (
                    _(
                        "A cup with fewer than six entrants the day before is cancelled, and they are told; a round "
                        "robin with fewer than four. Otherwise it takes place, even if someone withdraws after that."
                    ),
                    _("A live evening or round robin that cannot begin within half an hour of its time is cancelled."),
                    _("Bots fill free places only where the announcement of the cup says so."),
                ),
            ),
            RuleText(
                "cup-leaving",
                _("Leaving a cup"),
                (
                    _("Before a cup begins, you can withdraw."),
                    _("Later, your running duel is lost without play and unrated, and you are out."),
                    _(
                        "If your mage is dead or retired when a duel begins, the mage you used last plays. Without a "
                        "living mage you are out."
                    ),
                ),
            ),
        ),
    ),
    Chapter(
        "draws",
        _("Draws and calling off"),
        (
            RuleText(
                "draw-agreement",
                _("Draw by agreement"),
                (
                    _(
                        "In a duel between two people, from turn 5 on, each player may offer a draw once in five "
                        "turns. Only the two know of an offer; it is public once it is accepted, and orders that are "
                        "not revealed stay secret."
                    ),
                    _("Scores don't change; ratings count a draw. A knock-out has no agreed draws."),
                ),
            ),
            RuleText(
                "call-off",
                _("Calling off at the start"),
                (
                    _(
                        "Until the first turn is played, a player who owes no orders may call a battle off once 24 "
                        "hours have passed, in a live battle one minute. Leagues and cups use their own rules "
                        "instead."
                    ),
                ),
            ),
        ),
    ),
    Chapter(
        "streaks",
        _("Streaks and months"),
        (
            RuleText(
                "streak-day",
                _("A day of a streak"),
                (
                    _("The puzzle of the day is the same for everyone, from midnight to midnight UTC."),
                    _("A day counts if your first try on that day solves its puzzle."),
                ),
            ),
            RuleText(
                "streak-rest",
                _("Rest day"),
                (
                    _(
                        "The first day of a month that doesn't count is a rest day, by itself: the streak neither "
                        "grows nor ends. The second one ends it."
                    ),
                ),
            ),
            RuleText(
                "streak-progress",
                _("Progress from a browser"),
                (
                    _(
                        "What you solved before you logged in fills your shelf and your lessons, but no streak: only "
                        "tries that the site stored at the time count."
                    ),
                ),
            ),
            RuleText(
                "streak-month",
                _("The page of a month"),
                (_("It shows who rose most and won what in a month of UTC. Scores and ratings never start anew."),),
            ),
        ),
    ),
    Chapter(
        "fair",
        _("Fair play"),
        (
            RuleText(
                "fair-one-person",
                _("One person, one place"),
                (
                    _(
                        "Accounts that look like one person in a league or cup are shown to the janitors, as on the "
                        "ladder. Nobody is punished for that alone: households share networks."
                    ),
                ),
            ),
            RuleText(
                "fair-secrets",
                _("What tables tell"),
                (
                    _(
                        "Tables and clocks tell nothing of orders that are not revealed, except what everyone sees in "
                        "a battle: whose orders are ready."
                    ),
                ),
            ),
        ),
    ),
)
