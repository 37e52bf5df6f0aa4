"""Results of battles for a player, in words for the home page."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from duels.names import list_result_names, listed, name_agreed_draw
from duels.selectors.result_news import ResultNews


@dataclass(frozen=True)
class ShownResult:
    """One result: a headline, the event, its cost. `runs`: the battle continues without the mage."""

    number: int
    mage: str
    headline: str
    title: str
    battle: str
    happened: str
    cost: str
    is_dead: bool
    runs: bool
    ended_at: datetime.datetime | None


def describe_result(news: ResultNews) -> ShownResult:
    return ShownResult(
        number=news.number,
        mage=news.mage,
        headline=_headline(news),
        title=_("%(battle)s against %(mages)s") % {"battle": news.battle, "mages": listed(news.others)},
        battle=str(news.battle),
        happened=_happened(news),
        cost=_cost(news),
        is_dead=news.is_dead,
        runs=news.ended_at is None,
        ended_at=news.ended_at,
    )


def call_results(news: Sequence[ResultNews]) -> str:
    """Return the page's heading for results: a single one in words, otherwise their number."""
    if len(news) == 1:
        return _headline(news[0])
    dead = [row.mage for row in news if row.is_dead]
    if dead:
        return ngettext("%(names)s is dead", "%(names)s are dead", len(dead)) % {"names": listed(dead)}
    return ngettext("%(n)s battle has ended", "%(n)s battles have ended", len(news)) % {"n": len(news)}


def _headline(news: ResultNews) -> str:
    return _headline_words(news) % {"mage": news.mage, "battle": news.battle}


def _headline_words(news: ResultNews) -> str:
    winners = list_result_names(news.battle.result, "winners")
    if news.standing == "absent" and (news.ended_at is None or winners):
        return _("%(mage)s left %(battle)s without moving")
    if news.ended_at is None and news.was_claimed:
        return _("%(mage)s is out of %(battle)s")
    if news.ended_at is None:
        return _("%(mage)s died in %(battle)s")
    if news.battle.status == "annulled":
        return _("%(battle)s is annulled")
    if news.is_dead:
        return _("%(mage)s is dead")
    if news.has_won:
        return _("%(mage)s has won %(battle)s")
    sharing = list_result_names(news.battle.result, "sharing")
    if winners or (sharing and news.mage not in sharing):
        return _("%(mage)s has lost %(battle)s")
    if sharing or name_agreed_draw(news.battle.result) or news.is_fought_to_a_draw:
        return _("%(battle)s is a draw")
    return _("%(battle)s ended without a winner")


def _happened(news: ResultNews) -> str:
    result, sentences = news.battle.result, []
    winners, absent = list_result_names(result, "winners"), list_result_names(result, "absent")
    sharing = list_result_names(result, "sharing")
    by = (result or {}).get("by", "")
    if news.battle.status == "annulled":
        return _("A janitor annulled it. It does not count.")
    if news.was_late:
        sentences.append(_("%(mage)s died because no orders came before the deadline."))
    elif news.standing == "dead":
        sentences.append(_("%(mage)s was killed."))
    elif news.was_claimed:
        sentences.append(_("%(mage)s was away for too long, which counts as a surrender."))
    elif news.standing == "surrendered":
        sentences.append(_("%(mage)s surrendered."))
    elif news.standing == "absent":
        sentences.append(_("%(mage)s never moved, which counts as a missed deadline."))
    elif news.ended_by == "league":
        sentences.append(_("The league has ended it: its time was up."))
    elif news.ended_by == "cup":
        sentences.append(_("The cup has ended it: its time was up."))
    elif news.is_called_off and by:
        sentences.append(_("%(by)s called it off, because its first turn had waited too long."))
    elif news.is_called_off and absent:
        sentences.append(_("It was called off because %(absent)s never moved."))
    if agreed := name_agreed_draw(result):
        return f"{agreed}."
    if news.ended_at is None:
        sentences.append(_("The battle continues."))
    elif sharing:
        draw = _("A draw between %(names)s")
        sentences.append(f"{draw}.")
    elif not news.has_won:
        sentences.append(_("Victory to %(winners)s.") if winners else _("Nobody won."))
    slots = {"mage": news.mage, "winners": listed(winners), "absent": listed(absent), "by": by}
    slots["names"] = listed(sharing)
    return " ".join(sentences) % slots


def _cost(news: ResultNews) -> str:
    if news.battle.status == "annulled":
        return ""
    if news.standing == "absent":
        return _("%(mage)s lives, and no score or rating changes.") % {"mage": news.mage}
    if news.ended_at is None and news.standing == "dead" and not news.ranked and not news.is_dead:
        return _("The death was not real: %(mage)s lives.") % {"mage": news.mage}
    if news.ended_at is None and news.was_claimed:
        words = _("%(mage)s lives, and loses one point.") if news.ranked else _("No score was at stake.")
        return words % {"mage": news.mage}
    if news.ended_at is None:
        return _("The cost is settled when the battle ends.")
    if news.is_dead:
        gone = news.score[0] if news.score else 0
        words = (
            _(
                "A dead mage cannot fight again. %(mage)s's score of %(score)s is lost. "
                "Your ratings, records and other mages stay."
            )
            if gone
            else _("A dead mage cannot fight again. Your ratings, records and other mages stay.")
        )
        return words % {"mage": news.mage, "score": gone}
    sentences = []
    if news.standing == "dead":
        words = _("The death was not real.") if news.in_event else _("The death was not real: %(mage)s lives.")
        sentences.append(words % {"mage": news.mage})
    if not news.ranked or news.score is None:
        sentences.append(_("No score was at stake."))
    else:
        before, after = news.score
        words = _("Score: %(before)s to %(after)s.") if before != after else _("The score stays at %(after)s.")
        sentences.append(words % {"before": before, "after": after})
    return " ".join(sentences)
