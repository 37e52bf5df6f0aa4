"""What changes a battle. Nothing else in this app writes rows.

`start_battle` makes it, `submit_orders` takes orders from every door, `resolve_turn` plays what is complete. Each may
be called twice, late or at the same time as another: a stage is closed by one conditional update, and that decides.
"""

from duels.services.counting import ask_for_all_counts, record_battle
from duels.services.drafts import keep_draft
from duels.services.following import follow_battle, unfollow_battle
from duels.services.numbers import take_number
from duels.services.ordering import submit_orders
from duels.services.receipts import Receipt
from duels.services.replaying import replay_battle
from duels.services.resolving import resolve_turn
from duels.services.starting import start_battle

__all__ = [
    "Receipt",
    "ask_for_all_counts",
    "follow_battle",
    "keep_draft",
    "record_battle",
    "replay_battle",
    "resolve_turn",
    "start_battle",
    "submit_orders",
    "take_number",
    "unfollow_battle",
]
