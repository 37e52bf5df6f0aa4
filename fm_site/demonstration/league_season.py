"""The league of the demonstration: a season in its fifth round, whose duels are recorded ones under other names."""

import datetime
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from accounts.models import Mage
from fm_site.demonstration.cast import IN_LEAGUE, LEAGUE
from fm_site.demonstration.records import read_texts
from league.models import Pairing, Season
from league.models.season import DRAWN_BEFORE, WEEK
from league.services.draw import draw_season
from league.services.entries import sign_up
from league.services.results import note_result
from league.services.rounds import begin_round
from league.services.run import make_next_season
from studies.recording import read_recorded
from studies.services.recorded_battles import (
    RecordedBattle,
    count_recorded_battle,
    go_on_with_recorded_battle,
    write_recorded_battles,
)

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)
ROUND = 5


@dataclass(frozen=True)
class Game:
    """A duel of the season: its pairing, the recorded battle, and the mages who have not chosen, if it still runs."""

    pairing: Pairing
    recorded: RecordedBattle
    missing: tuple[str, ...] = ()

    @property
    def is_running(self) -> bool:
        return bool(self.recorded.turns)


def load_season(*, mages: Mapping[str, Mage], now: datetime.datetime) -> None:
    """Let twelve people play a season since four weeks, by the services of the league; only the battles are recorded.

    Call it in the transaction of `load_life`, before the battles are rated. Does nothing if there is a season.
    """
    if Season.objects.exists():
        return
    begins_at = _find_last_monday(now) - (ROUND - 1) * WEEK
    signing_up = begins_at - 10 * DAY
    for place, name in enumerate(IN_LEAGUE):
        sign_up(user=mages[name].user, mage=mages[name], now=signing_up + place * HOUR)
    season = make_next_season(now=signing_up)
    draw_season(season=season, now=begins_at - DRAWN_BEFORE)
    for number in range(ROUND):
        begin_round(season=season, now=begins_at + number * WEEK)
    games = list(_list_games(now))
    written = write_recorded_battles(battles=[game.recorded for game in games], mages=mages)
    for game, each in zip(games, written, strict=True):
        has_bank = game.recorded.pace == "bank"
        Pairing.objects.filter(pk=game.pairing.pk).update(
            battle=each.battle, first_wants_bank=has_bank, second_wants_bank=has_bank
        )
        if game.is_running:
            go_on_with_recorded_battle(written=each, missing=game.missing)
        else:
            count_recorded_battle(written=each, is_news=False)
            note_result(pairing=game.pairing.pk, now=now)


def _find_last_monday(now: datetime.datetime) -> datetime.datetime:
    """Return when the present week of the league began: on a Monday, 18:00 UTC."""
    monday = datetime.datetime.combine(
        now.astimezone(datetime.UTC).date() - datetime.timedelta(days=now.astimezone(datetime.UTC).weekday()),
        datetime.time(18),
        datetime.UTC,
    )
    return monday if monday <= now else monday - WEEK


def _list_games(now: datetime.datetime) -> Iterator[Game]:
    """Return every duel that has begun, with its record."""
    by_mages = {fought.mages: fought for fought in LEAGUE}
    found = Pairing.objects.filter(second__isnull=False, round__lte=ROUND).order_by("group__tier", "round", "board")
    for pairing in found.select_related("group__season", "first__mage", "second__mage"):
        assert pairing.group is not None and pairing.second is not None
        fought = by_mages[pairing.first.mage.name, pairing.second.mage.name]
        begin = pairing.group.season.begin_of_round(pairing.round)
        end = now - min(3 * HOUR, (now - begin) / 2) if fought.turns else min(begin + fought.days * DAY, now - DAY)
        record = read_recorded(read_texts()[fought.key])
        recorded = RecordedBattle(record, fought.stakes, fought.pace, begin, end, fought.turns)
        yield Game(pairing, recorded, fought.missing)
