"""What each viewer may know about battles. Pages, sockets, the API, email and the admin read nothing else."""

from duels.selectors.battle_lists import (
    BattleRow,
    OwedBattle,
    OwnBattles,
    SiteFigures,
    list_battles_by_number,
    list_battles_of,
    list_battles_waiting_for,
    list_finished_battles,
    list_finished_battles_of,
    list_followed_battles,
    list_owed_battles,
    list_own_battles,
    list_running_battles,
    read_site_figures,
)
from duels.selectors.battle_view import (
    NOTHING,
    BattleView,
    CombatantRow,
    InHand,
    PlayedTurn,
    StoryLine,
    TurnStory,
    Window,
)
from duels.selectors.bot_sheets import list_sheets_due_from_bots
from duels.selectors.clocks import BattleClocks, ClockRow
from duels.selectors.due import list_battles_to_replay, list_battles_to_retry, list_unresolved_battles
from duels.selectors.dump import name_publicly
from duels.selectors.events import ToldEvent, count_events, events_after
from duels.selectors.explanations import Explanation, explain_turn_to_owner
from duels.selectors.glance import Glance, glance_at_battle
from duels.selectors.records import (
    get_record_after_end,
    get_story_for_anybody,
    get_table_for_anybody,
    get_transcript_for_anybody,
)
from duels.selectors.reliability import Reliability, read_reliability
from duels.selectors.result_news import ResultNews, count_unseen_results, list_unseen_results
from duels.selectors.stage_keys import (
    describe_standing,
    find_stage_key,
    find_stage_open_at,
    key_of,
    label_of,
    names_waited_for,
    take_stage_mark,
)
from duels.selectors.viewer import (
    find_battle,
    get_battle_for_viewer,
    get_combatant_for_user,
    get_viewer,
    list_own_combatants,
    read_battle_clocks,
)

__all__ = [
    "NOTHING",
    "BattleClocks",
    "BattleRow",
    "BattleView",
    "ClockRow",
    "CombatantRow",
    "Explanation",
    "Glance",
    "InHand",
    "OwedBattle",
    "OwnBattles",
    "PlayedTurn",
    "Reliability",
    "ResultNews",
    "SiteFigures",
    "StoryLine",
    "ToldEvent",
    "TurnStory",
    "Window",
    "count_events",
    "count_unseen_results",
    "describe_standing",
    "events_after",
    "explain_turn_to_owner",
    "find_battle",
    "find_stage_key",
    "find_stage_open_at",
    "get_battle_for_viewer",
    "get_combatant_for_user",
    "get_record_after_end",
    "get_story_for_anybody",
    "get_table_for_anybody",
    "get_transcript_for_anybody",
    "get_viewer",
    "glance_at_battle",
    "key_of",
    "label_of",
    "list_battles_by_number",
    "list_battles_of",
    "list_battles_to_replay",
    "list_battles_to_retry",
    "list_battles_waiting_for",
    "list_finished_battles",
    "list_finished_battles_of",
    "list_followed_battles",
    "list_owed_battles",
    "list_own_battles",
    "list_own_combatants",
    "list_running_battles",
    "list_sheets_due_from_bots",
    "list_unresolved_battles",
    "list_unseen_results",
    "name_publicly",
    "names_waited_for",
    "read_battle_clocks",
    "read_reliability",
    "read_site_figures",
    "take_stage_mark",
]
