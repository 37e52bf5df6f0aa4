"""Count battles in the records and remove them again: each once, however often it is requested."""

from collections.abc import Collection, Mapping

from django.db import transaction

from accounts.models import Mage, User
from ladder.fought_battles import FoughtBattle, SideFacts, SideResult
from ladder.models import (
    BattleSide,
    CountDue,
    CountedBattle,
    EndingFigure,
    Feat,
    MageRecord,
    Opening,
    OpeningReply,
    Pairing,
    Placing,
    RatingEntry,
    ScoredBattle,
    SpellFigure,
    SpellUse,
)
from ladder.services.count_requests import find_band
from ladder.services.record_tallies import tally_mages, tally_pairs
from ladder.services.totals import change_totals
from ladder.stakes import STAKES


def count_battle(*, facts: FoughtBattle, times: int) -> bool:
    """Count a battle, replacing its current records; return False if another worker has already done so.

    `times` is the value of the CountDue row before the facts were read. The winners are those of the scores; an
    annulled battle is removed from the records.
    """
    with transaction.atomic():
        _lock(facts.number, {side.mage_id for side in facts.sides})
        if not _claim(facts.number, times):
            return False
        _remove_records(facts.number)
        scored = ScoredBattle.objects.filter(number=facts.number).first()
        if scored is None or scored.annulled_at is None:
            _write_records(facts, scored)
            change_totals(number=facts.number, sign=1)
            _tally(BattleSide.objects.filter(number=facts.number))
    return True


def uncount_battle(*, number: int, times: int) -> bool:
    """Remove a battle from the records; return False if another worker has already done so."""
    with transaction.atomic():
        _lock(number, set())
        if not _claim(number, times):
            return False
        _remove_records(number)
    return True


def forget_all_counts() -> None:
    """Empty the records, to rebuild them from the battles."""
    with transaction.atomic():
        for model in (CountedBattle, SpellFigure, EndingFigure, Opening, OpeningReply, MageRecord, Pairing):
            model._default_manager.all().delete()


def _lock(number: int, mages: set[int]) -> None:
    """Lock the mages before the due row, as the end of a battle does, so that records are rebuilt one at a time."""
    concerned = mages | set(BattleSide.objects.filter(number=number).values_list("mage_id", flat=True))
    list(Mage.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=concerned).order_by("pk"))


def _claim(number: int, times: int) -> bool:
    """Claim the battle's due row, unless it is gone; a row with a newer request stays for the next run."""
    due = CountDue.objects.select_for_update().filter(battle=number).first()
    if due is None:
        return False
    CountDue.objects.filter(pk=due.pk, times=times).delete()
    return True


def _remove_records(number: int) -> None:
    counted = CountedBattle.objects.filter(number=number).first()
    if counted is not None:
        change_totals(number=number, sign=-1)
        sides = list(BattleSide.objects.filter(battle=counted))
        counted.delete()
        _tally(sides)


def _tally(sides: Collection[BattleSide]) -> None:
    tally_mages(mages={side.mage_id for side in sides})
    tally_pairs(users={side.user_id for side in sides})


def _write_records(facts: FoughtBattle, scored: ScoredBattle | None) -> None:
    counts = not scored.practice and STAKES[scored.stakes].counts if scored else not facts.practice
    # Use the ladder's own owners, as ratings do: a mage may have changed owner since.
    owners = dict(Placing.objects.filter(battle__number=facts.number).values_list("mage_id", "user_id"))
    users = {side.mage_id: owners.get(side.mage_id, side.user_id) for side in facts.sides}
    battle = CountedBattle.objects.create(
        number=facts.number,
        kind=facts.kind,
        counts=counts,
        ruleset=facts.ruleset,
        edition=facts.edition,
        turns=facts.turns,
        ending=facts.ending,
        started_at=facts.started_at,
        finished_at=facts.finished_at,
        with_bots=User.objects.filter(pk__in=users.values(), is_bot=True).exists(),
    )
    results = _find_results(facts)
    rated = RatingEntry.objects.filter(battle=facts.number).exclude(kind="melee")
    bands = {user: find_band(rating) for user, rating in rated.values_list("user_id", "rating_before")}
    among_bots = scored is not None and STAKES[scored.stakes].with_bots
    for side in facts.sides:
        row = _write_side(battle, side, results[side.mage_id], users[side.mage_id], bands)
        if among_bots:  # bots play all day; the statistics are about people
            continue
        SpellUse.objects.bulk_create(SpellUse(side=row, number=facts.number, **vars(spell)) for spell in side.spells)
        if counts:
            Feat.objects.bulk_create(
                Feat(battle=battle, mage_id=side.mage_id, kind=feat.kind, turn=feat.turn) for feat in side.feats
            )


def _find_results(facts: FoughtBattle) -> dict[int, SideResult]:
    """Return the result of each mage from the ladder's own rows, which may have been corrected."""
    results: dict[int, SideResult] = {side.mage_id: side.result for side in facts.sides}
    won = dict(Placing.objects.filter(battle__number=facts.number).values_list("mage_id", "won"))
    if any(won.values()):
        results.update({mage: "won" if has_won else "lost" for mage, has_won in won.items()})
    elif won:
        results.update(dict.fromkeys(won, "drew"))
    return results


def _write_side(
    battle: CountedBattle, side: SideFacts, result: SideResult, user_id: int, bands: Mapping[int, str]
) -> BattleSide:
    return BattleSide.objects.create(
        battle=battle,
        mage_id=side.mage_id,
        user_id=user_id,
        number=battle.number,
        kind=battle.kind,
        counts=battle.counts,
        ruleset=battle.ruleset,
        finished_at=battle.finished_at,
        result=result,
        end=side.end,
        hit_points=side.hit_points,
        opening="".join(side.opening),
        band=bands.get(user_id, BattleSide.Band.UNKNOWN),
    )
