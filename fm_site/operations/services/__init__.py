"""The only code that changes how the site runs."""

from fm_site.operations.services.chores import claim_chore, finish_chore, prune_sessions, store_sums
from fm_site.operations.services.leases import give_up_lease, hold_lease
from fm_site.operations.services.outages import (
    end_maintenance,
    forget_heartbeat,
    mark_outage_given_back,
    mark_part_failing,
    mark_part_working,
    record_heartbeat,
    start_maintenance,
    watch_parts,
)
from fm_site.operations.services.policy import set_policy

__all__ = [
    "claim_chore",
    "end_maintenance",
    "finish_chore",
    "forget_heartbeat",
    "give_up_lease",
    "hold_lease",
    "mark_outage_given_back",
    "mark_part_failing",
    "mark_part_working",
    "prune_sessions",
    "record_heartbeat",
    "set_policy",
    "start_maintenance",
    "store_sums",
    "watch_parts",
]
