"""The lines of a user's news in words, each with the page that it leads to."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.urls import reverse
from django.utils.text import Truncator, capfirst
from django.utils.translation import gettext as _

from accounts.arms.blazons import JANITORS
from accounts.former_users import show_user_names
from accounts.models import Mage, User
from duels.names import listed, name_battle
from ladder.models import ScoreKind
from ladder.selectors.ratings import read_ratings_after
from league.cup_words import CUP_KINDS, tell_of_cup
from league.words import describe_end, name_league
from notifications.models import Notice

# How much of a message is in its line.
LONGEST_QUOTE = 120
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class NewsLine:
    """A line of the news: what happened, the page that it leads to, and whose arms stand beside it, if anyone's.

    `text` is what somebody wrote, in full, `opening` says who did, and `reply` is where to answer.
    """

    words: str
    url: str
    mage: str = ""
    user: str = ""
    opening: str = ""
    text: str = ""
    reply: str = ""
    arms: str = ""
    pk: int = 0
    at: datetime.datetime | None = None
    age: str = ""
    is_unseen: bool = False


def describe_news(notices: Iterable[Notice], user: User, *, now: datetime.datetime) -> list[NewsLine]:
    """Return the lines for these notices, which are the user's own news, in their order."""
    known = [notice for notice in notices if notice.kind in WRITERS]
    results = [notice.facts["battle"] for notice in known if notice.kind == "own_result"]
    ratings = read_ratings_after(user, results) if results else {}
    lines = []
    for notice in known:
        facts = show_user_names(notice.facts) | {"rating": ratings.get(notice.facts.get("battle"))}
        facts["thread_with"] = str(notice.facts.get("user", ""))
        line = WRITERS[notice.kind](facts)
        age = write_age(notice.created_at, now=now)
        line = replace(line, words=capfirst(line.words), at=notice.created_at, age=age)
        lines.append(replace(line, pk=notice.pk, is_unseen=notice.is_unseen))
    arms = _find_arms(lines)
    return [replace(line, arms=line.arms or arms.get(line.mage or line.user, "")) for line in lines]


def _find_arms(lines: Iterable[NewsLine]) -> dict[str, str]:
    """Return the arms that stand beside the lines, by the names of mages and users."""
    mages, users = {line.mage for line in lines} - {""}, {line.user for line in lines} - {""}
    found: list[Mage | User] = []
    if mages:
        found += Mage.objects.filter(name__in=mages).select_related("user")
    if users:
        found += User.objects.filter(username__in=users)
    return {str(each): each.arms for each in found}


def write_age(moment: datetime.datetime, *, now: datetime.datetime) -> str:
    """Return how long ago it was, as short as can be: "now", "4 min", "2 h", "3 d"."""
    minutes = int((now - moment).total_seconds()) // 60
    if minutes < 1:
        return _("now")
    if minutes < 60:
        return _("%(count)s min") % {"count": minutes}
    if minutes < 24 * 60:
        return _("%(count)s h") % {"count": minutes // 60}
    return _("%(count)s d") % {"count": minutes // (24 * 60)}


def _own_result(facts: Facts) -> NewsLine:
    battle, mine, winners = name_battle(facts["kind"], facts["battle"]), facts["mine"], facts["winners"]
    others = listed([name for name in facts["mages"] if name not in mine])
    slots = {"battle": battle, "others": others}
    # Notices from before there were leagues don't say this.
    ended_by = facts.get("ended_by", "")
    if ended_by == "league":
        words = _("The league has ended %(battle)s against %(others)s: its time was up.") % slots
    elif ended_by == "cup":
        words = _("The cup has ended %(battle)s against %(others)s: its time was up.") % slots
    elif facts["called_off"]:
        words = _("%(battle)s against %(others)s was called off.") % slots
    elif set(mine) & set(winners):
        words = _("You won %(battle)s against %(others)s.") % slots
    elif winners:
        words = _("You lost %(battle)s against %(others)s.") % slots
    elif facts.get("agreed"):
        words = _("%(battle)s against %(others)s: draw, agreed in turn %(turn)s.") % (slots | {"turn": facts["agreed"]})
    else:
        words = _("%(battle)s against %(others)s ended without a winner.") % slots
    dead = [name for name in facts["dead"] if name in mine]
    if dead:
        return NewsLine(f"{words} {_name_dead(dead)}", reverse("mage_end", args=[dead[0]]), mage=dead[0])
    return NewsLine(" ".join([words, *_standing(facts)]), _to_battle(facts), mage=mine[0] if mine else "")


def _standing(facts: Facts) -> list[str]:
    score, rating = facts["score"], facts["rating"]
    if facts["called_off"] or (score is None and rating is None):
        return []
    if rating is None:
        return [_("Score %(score)s.") % {"score": score}]
    if score is None:
        return [_("Rating %(rating)s.") % {"rating": rating}]
    return [_("Score %(score)s, rating %(rating)s.") % {"score": score, "rating": rating}]


def _name_dead(names: list[str]) -> str:
    return (
        _("%(mage)s is dead.") % {"mage": names[0]}
        if len(names) == 1
        else _("%(mages)s are dead.") % {"mages": listed(names)}
    )


def _notes_open(facts: Facts) -> NewsLine:
    slots = {"battle": name_battle(facts["kind"], facts["battle"]), "others": listed(facts["others"])}
    words = _("The notes of %(battle)s with %(others)s are open.") % slots
    return NewsLine(words, reverse("studies:notes", args=[facts["battle"]]), mage=facts["others"][0])


def _followed_result(facts: Facts) -> NewsLine:
    battle, mages, winners, dead = (facts[key] for key in ("battle", "mages", "winners", "dead"))
    battle = name_battle(facts["kind"], battle)
    others = listed([name for name in mages if name not in winners])
    slots = {"battle": battle, "mage": listed(winners), "other": listed(dead), "others": others}
    if dead:
        was_killed = len(mages) == 2 and len(winners) == 1 and dead != winners and not facts["late"]
        words = _("%(mage)s killed %(other)s in %(battle)s.") if was_killed else _("%(other)s died in %(battle)s.")
        return NewsLine(words % slots, reverse("mage_end", args=[dead[0]]), mage=dead[0])
    if winners:
        words = _("%(mage)s won %(battle)s against %(others)s.") if others else _("%(mage)s won %(battle)s.")
        return NewsLine(words % slots, _to_battle(facts), mage=winners[0])
    words = _("%(battle)s of %(mages)s ended without a winner.")
    if facts.get("agreed"):
        words = _("%(battle)s of %(mages)s: draw, agreed in turn %(turn)s.")
    words %= {"battle": battle, "mages": listed(mages), "turn": facts.get("agreed")}
    return NewsLine(words, _to_battle(facts))


def _followed_live(facts: Facts) -> NewsLine:
    words = _("%(mages)s are fighting live.") % {"mages": listed(facts["mages"])}
    return NewsLine(words, _to_battle(facts), mage=facts["mages"][0])


def _rank(facts: Facts) -> NewsLine:
    is_duel = facts["kind"] == ScoreKind.DUEL
    words = _("%(mage)s moved up to rank %(rank)s.") if is_duel else _("%(mage)s moved up to rank %(rank)s in melees.")
    return NewsLine(words % facts, reverse("mage", args=[facts["mage"]]), mage=facts["mage"])


def _followed_study(facts: Facts) -> NewsLine:
    words = _("%(user)s published a study: %(title)s.") % facts
    return NewsLine(words, reverse("studies:branch", args=[facts["study"], 0]), user=facts["user"])


def _to_battle(facts: Facts) -> str:
    return reverse("duels:battle", args=[facts["battle"]])


def _about_league(words: Callable[[Facts], str]) -> Callable[[Facts], NewsLine]:
    def write(facts: Facts) -> NewsLine:
        url = reverse("league:group", args=[facts["season"], facts["tier"]])
        slots = {**facts, "league": name_league(facts["tier"])}
        return NewsLine(words(slots), url, mage=str(facts.get("other") or facts["mage"]))

    return write


def _round(facts: Facts) -> str:
    if not facts["other"]:
        return _("%(league)s: round %(round)s begins. You have a bye.") % facts
    return _("%(league)s: round %(round)s begins. You meet %(other)s.") % facts


def _to_hooks(facts: Facts) -> str:
    if facts["scope"] == "battle":
        return reverse("battle_hooks", args=[facts["battle"]])
    return reverse("site_hooks" if facts["scope"] == "site" else "accounts:hooks")


def _about_challenge(words: Callable[[Facts], str]) -> Callable[[Facts], NewsLine]:
    def write(facts: Facts) -> NewsLine:
        return NewsLine(
            words(facts), reverse("challenges:detail", args=[facts["number"]]), mage=str(facts.get("mage", ""))
        )

    return write


def _about_cup(kind: str) -> Callable[[Facts], NewsLine]:
    def write(facts: Facts) -> NewsLine:
        return NewsLine(tell_of_cup(kind, facts), reverse("league:cup", args=[facts["cup"]]), mage=str(facts["mage"]))

    return write


def _message(facts: Facts) -> NewsLine:
    # A message that is older than the inbox, and was not moved into it, knows only its writer's mage.
    writer = str(facts.get("user") or facts["mage"])
    line = _written(_("%(writer)s wrote to you:") % {"writer": writer}, facts)
    if "message" not in facts:
        return replace(line, mage=writer)
    thread = reverse("thread", args=[facts["thread_with"]])
    return replace(line, user=writer, url=thread, reply=thread)


def _announcement(facts: Facts) -> NewsLine:
    opening = _("%(writer)s wrote to everyone in your battle:") % {"writer": facts["user"]}
    return replace(_written(opening, facts), user=facts["user"])


def _site_news(facts: Facts) -> NewsLine:
    return replace(_written("", facts), opening=_("From the janitors:"), arms=JANITORS)


def _written(opening: str, facts: Facts) -> NewsLine:
    """Return the line of a text that somebody wrote, which leads to the whole of it."""
    text = str(facts["text"])
    return NewsLine(f"{opening} {_quote(text)}".strip(), reverse("news"), opening=capfirst(opening), text=text)


def _quote(text: str) -> str:
    return Truncator(" ".join(text.split())).chars(LONGEST_QUOTE)


WRITERS: dict[str, Callable[[Facts], NewsLine]] = {
    "own_result": _own_result,
    "notes_open": _notes_open,
    "followed_result": _followed_result,
    "followed_live": _followed_live,
    "followed_study": _followed_study,
    "own_rank": _rank,
    "followed_rank": _rank,
    "league_drawn": _about_league(
        lambda facts: _("You are in %(league)s in season %(season)s. See whom you meet.") % facts
    ),
    "league_round": _about_league(_round),
    "league_bank": _about_league(lambda facts: _("%(other)s wants a time bank in your league duel.") % facts),
    "league_over": _about_league(lambda facts: describe_end(facts)),
    "league_place_lost": _about_league(
        lambda facts: _("You forfeited two duels and lost your place in %(league)s.") % facts
    ),
    "message": _message,
    "announcement": _announcement,
    "site_news": _site_news,
    "site_line": _site_news,
    "challenge_accepted": _about_challenge(lambda facts: _("%(mage)s joined challenge %(number)s.") % facts),
    "challenge_declined": _about_challenge(lambda facts: _("%(mage)s declined challenge %(number)s.") % facts),
    "challenge_withdrawn": _about_challenge(lambda facts: _("%(challenger)s withdrew challenge %(number)s.") % facts),
    "challenge_excluded": _about_challenge(
        lambda facts: _("The battle of challenge %(number)s began without you.") % facts
    ),
    "challenge_uninvited": _about_challenge(
        lambda facts: (
            _("%(mages)s no longer have a seat in challenge %(number)s.") % {**facts, "mages": listed(facts["mages"])}
            if len(facts["mages"]) > 1
            else _("%(mage)s no longer has a seat in challenge %(number)s.") % {**facts, "mage": facts["mages"][0]}
        )
    ),
    "challenge_closed": _about_challenge(
        lambda facts: _("Challenge %(number)s is closed, because nothing happened in it.") % facts
    ),
    "change_adopted": _about_challenge(lambda facts: _("The terms of challenge %(number)s have changed.") % facts),
    **{kind: _about_cup(kind) for kind in CUP_KINDS},
    "hook_paused": lambda facts: NewsLine(
        _("%(name)s has failed 3 times. It is paused. Check the address, then retry.") % facts, _to_hooks(facts)
    ),
    "hook_off": lambda facts: NewsLine(
        _("%(name)s has failed for three days. It is switched off.") % facts, _to_hooks(facts)
    ),
    "streak_ends": lambda facts: NewsLine(
        _("Solve today's puzzle by midnight UTC to reach %(next)d days in a row.") % facts,
        reverse("studies:puzzle", args=[facts["puzzle"]]),
    ),
    "vacation_over": lambda facts: NewsLine(_("Your vacation is over."), reverse("home")),
    "mage_was_retired": lambda facts: NewsLine(
        _("%(mage)s is now retired.") % facts, reverse("accounts:mages"), mage=facts["mage"]
    ),
    "mage_was_removed": lambda facts: NewsLine(
        _("%(mage)s has left the mountain.") % facts, reverse("accounts:mages"), mage=facts["mage"]
    ),
}
