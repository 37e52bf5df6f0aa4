"""What each viewer may know about battles. Pages, sockets, the API, email and the admin read nothing else."""

from duels.selectors.battle_lists import (
    BattleRow,
    SiteFigures,
    list_battles_by_number,
    list_battles_of,
    list_battles_waiting_for,
    list_finished_battles,
    list_finished_battles_of,
    list_followed_battles,
    list_running_battles,
    read_site_figures,
)
from duels.selectors.battle_view import BattleView, CombatantRow, InHand, StoryLine, TurnStory
from duels.selectors.clocks import BattleClocks, ClockRow, list_clocks, read_battle_clocks
from duels.selectors.due import list_battles_to_replay, list_battles_to_retry, list_unresolved_battles
from duels.selectors.dump import name_publicly
from duels.selectors.events import ToldEvent, events_after
from duels.selectors.explanations import Explanation, explain_turn_to_owner
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
)

__all__ = [
    "BattleClocks",
    "BattleRow",
    "BattleView",
    "ClockRow",
    "CombatantRow",
    "Explanation",
    "InHand",
    "Reliability",
    "ResultNews",
    "SiteFigures",
    "StoryLine",
    "ToldEvent",
    "TurnStory",
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
    "key_of",
    "label_of",
    "list_battles_by_number",
    "list_battles_of",
    "list_battles_to_replay",
    "list_battles_to_retry",
    "list_battles_waiting_for",
    "list_clocks",
    "list_finished_battles",
    "list_finished_battles_of",
    "list_followed_battles",
    "list_own_combatants",
    "list_running_battles",
    "list_unresolved_battles",
    "list_unseen_results",
    "name_publicly",
    "names_waited_for",
    "read_battle_clocks",
    "read_reliability",
    "read_site_figures",
    "take_stage_mark",
]
