"""Changes to battles. Nothing else in this app writes rows.

`start_battle` starts one, `submit_orders` accepts orders from every entry point, and `resolve_turn` resolves a complete
stage. Each can be called twice, late or concurrently: one conditional update closes a stage, and that decides.
"""

from duels.services.bot_orders import give_bot_orders
from duels.services.chat import mute_in_chat, remove_chat_line, unmute_in_chat, wake_readers, write_chat_line
from duels.services.clocks.call_off import call_off_battle
from duels.services.clocks.claims import claim_battle
from duels.services.clocks.deadlines import excuse_missed_turn, process_deadlines
from duels.services.clocks.extra_time import extend_deadline, give_time, take_time
from duels.services.clocks.lateness import find_last_forfeit
from duels.services.clocks.outages import give_back_outages, note_served_page
from duels.services.clocks.pauses import ask_pause, pause_battle, resume_battle
from duels.services.clocks.presence import record_presence
from duels.services.clocks.seat_offers import offer_seat
from duels.services.clocks.sweep import hurry_overdue_clocks, start_missing_clocks, sweep_absences, sweep_deadlines
from duels.services.dump import write_dump
from duels.services.finish import count_result, mark_results_seen
from duels.services.followers import follow_battle, unfollow_battle
from duels.services.keep_mage import keep_guest
from duels.services.ladder_records import ask_for_all_counts, record_battle
from duels.services.orders import save_draft, submit_orders
from duels.services.receipts import Receipt
from duels.services.rematch import announce_rematch, clear_rematch, hold_for_rematch, record_rematch
from duels.services.replays import find_replay_differences, replay_battle
from duels.services.resolve import resolve_turn
from duels.services.stages import reopen_turn
from duels.services.start import renew_seed, start_battle, take_number
from duels.services.stuck_turns import remind_of_stuck_battles
from studies.services.puzzles import add_committed_puzzles, search_battles

__all__ = [
    "Receipt",
    "add_committed_puzzles",
    "announce_rematch",
    "ask_for_all_counts",
    "ask_pause",
    "call_off_battle",
    "claim_battle",
    "clear_rematch",
    "count_result",
    "excuse_missed_turn",
    "extend_deadline",
    "find_last_forfeit",
    "find_replay_differences",
    "follow_battle",
    "give_back_outages",
    "give_bot_orders",
    "give_time",
    "hold_for_rematch",
    "hurry_overdue_clocks",
    "keep_guest",
    "mark_results_seen",
    "mute_in_chat",
    "note_served_page",
    "offer_seat",
    "pause_battle",
    "process_deadlines",
    "record_battle",
    "record_presence",
    "record_rematch",
    "remind_of_stuck_battles",
    "remove_chat_line",
    "renew_seed",
    "reopen_turn",
    "replay_battle",
    "resolve_turn",
    "resume_battle",
    "save_draft",
    "search_battles",
    "start_battle",
    "start_missing_clocks",
    "submit_orders",
    "sweep_absences",
    "sweep_deadlines",
    "take_number",
    "take_time",
    "unfollow_battle",
    "unmute_in_chat",
    "wake_readers",
    "write_chat_line",
    "write_dump",
]
