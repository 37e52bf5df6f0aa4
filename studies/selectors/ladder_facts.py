"""A finished battle as plain facts for the ladder."""

from collections import Counter, defaultdict

from accounts.models import Mage
from duels.errors import UnreadableBattle
from duels.models import Battle
from ladder.fought_battles import End, FeatFacts, FoughtBattle, SideFacts, SideResult, SpellFacts
from rules_engine import NO_RESULT, Outcome, UnknownRuleset, UnknownState, read_outcome
from rules_engine.records import Chronicle, find_feats, judge_casts, list_first_pairs, rebuild_chronicle, turn_alike
from studies.selectors.stored_battle import read_stored_battle


def read_battle_facts(battle: Battle) -> FoughtBattle | None:
    """Return the facts of `battle` for the records, or None if it does not count: it is running, or annulled.

    Raises UnreadableBattle.
    """
    outcome = read_outcome(battle.result)
    if battle.status != Battle.Status.FINISHED or outcome is None or battle.finished_at is None:
        return None
    try:
        chronicle = rebuild_chronicle(read_stored_battle(battle))
    except (UnknownRuleset, UnknownState) as error:
        raise UnreadableBattle(battle.number, battle.ruleset, battle.edition) from error
    return FoughtBattle(
        number=battle.number,
        kind="duel" if battle.kind == Battle.Kind.DUEL else "melee",
        practice=battle.practice,
        ruleset=battle.ruleset,
        edition=battle.edition,
        turns=chronicle.turns[-1].before.turn if chronicle.turns else 0,
        ending=outcome.reason,
        started_at=battle.started_at,
        finished_at=battle.finished_at,
        sides=_read_sides(battle, chronicle, outcome),
    )


def _read_sides(battle: Battle, chronicle: Chronicle, outcome: Outcome) -> tuple[SideFacts, ...]:
    spells, feats = _count_spells(chronicle), defaultdict[str, list[FeatFacts]](list)
    for feat in find_feats(chronicle):
        feats[feat.mage].append(FeatFacts(feat.kind, feat.turn))
    mages = Mage.objects.filter(combatants__battle=battle).order_by("combatants__position")
    return tuple(
        SideFacts(
            mage_id=mage.pk,
            user_id=mage.user_id,
            result=_result(mage.name, outcome),
            end=_end(mage.name, outcome),
            hit_points=chronicle.turns[-1].after.wizards[mage.name].hp if chronicle.turns else 0,
            opening=turn_alike(list_first_pairs(chronicle, mage.name)),
            spells=tuple(spells[mage.name]),
            feats=tuple(feats[mage.name]),
        )
        for mage in mages
        if outcome.reason in NO_RESULT or mage.name not in outcome.absent
    )


def _count_spells(chronicle: Chronicle) -> dict[str, list[SpellFacts]]:
    fates: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for judged in judge_casts(chronicle):
        fates[judged.mage, judged.spell][judged.fate] += 1
    found: dict[str, list[SpellFacts]] = defaultdict(list)
    for (mage, spell), count in fates.items():
        found[mage].append(SpellFacts(spell=spell, cast=count.total(), **count))
    return found


def _result(name: str, outcome: Outcome) -> SideResult:
    if not outcome.winners:
        return "drew"
    return "won" if name in outcome.winners else "lost"


def _end(name: str, outcome: Outcome) -> End:
    if name in outcome.dead:
        return "died"
    return "surrendered" if name in outcome.surrendered else "lived"
