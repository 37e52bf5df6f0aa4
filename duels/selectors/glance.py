"""The last turns of a battle at a glance, for the player it waits for: a smaller read than the whole page."""

import datetime
from dataclasses import dataclass

from duels.keys import StageKey
from duels.models import Battle
from duels.selectors.battle_facts import BattleFacts
from duels.selectors.battle_lists import ShownBattle
from duels.selectors.battle_rows import read_battle_state
from duels.selectors.battle_view import Casts, Results, ShownTurn
from duels.selectors.stories import join_casts, list_turns, narrate_turns
from rules_engine import View, Viewer, look


@dataclass(frozen=True)
class Glance:
    """A running battle as the owner of the mage `me` sees it; `casts` are those of the last turns."""

    battle: BattleFacts
    me: str
    view: View
    turns: tuple[ShownTurn, ...]
    casts: Casts
    results: Results
    causes: Casts
    stage_key: StageKey
    opened_at: datetime.datetime | None
    deadline: datetime.datetime | None
    is_stopped: bool = False


def glance_at_battle(row: ShownBattle, *, turns: int) -> Glance:
    """Return the last `turns` turns of a battle in which the reader of `row` has a mage who owes orders.

    Raises UnreadableBattle.
    """
    battle = Battle.objects.only("number", "ruleset", "edition", "state", "status").get(number=row.number)
    me, viewer = row.owes[0], Viewer.of(*row.mine)
    view = look(read_battle_state(battle), viewer)
    played = list_turns(battle)
    narrated_turns = narrate_turns(battle, viewer, me, played, played[-turns:])
    return Glance(
        battle=row.battle,
        me=me,
        view=view,
        turns=played,
        casts=join_casts(each.casts for each in narrated_turns),
        results=join_casts(each.results for each in narrated_turns),
        causes=join_casts(each.causes for each in narrated_turns),
        stage_key=StageKey(row.battle.seq, row.battle.attempt, row.battle.stage),
        opened_at=row.since,
        deadline=row.moments[row.mages.index(me)] if row.battle.is_timed else None,
        is_stopped=row.battle.is_timed and row.is_stopped,
    )
