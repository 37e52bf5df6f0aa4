"""Turn a challenge into its battle."""

from datetime import datetime

from accounts.models import Mage
from challenges.models import Challenge, InviteLink, Proposal, Seat
from challenges.notices import notify_left_out
from challenges.rules import Seating
from challenges.services.followers import list_followers
from duels.services.rematch import announce_rematch, clear_rematch
from duels.services.start import start_battle
from duels.terms import Terms


def start_if_complete(challenge: Challenge, seating: Seating, now: datetime) -> bool:
    """Start the battle of a claimed challenge if it waits for nobody (3.10); return whether it did."""
    if not seating.is_complete():
        return False
    start_battle_of(challenge, seating, now)
    return True


def start_battle_of(challenge: Challenge, seating: Seating, now: datetime) -> None:
    """Start the battle of the mages who have joined. Undecided proposals are abandoned (FM-ORDCHG-5)."""
    end_challenge(challenge, Challenge.Status.STARTED, now)
    if seating.invited:
        Seat.objects.filter(challenge=challenge, state=Seat.State.INVITED).update(state=Seat.State.LEFT_OUT)
    notify_left_out(challenge, seating, now=now)
    mages = Mage.objects.select_related("user").in_bulk([place.mage_id for place in seating.joined])
    start_battle(
        number=challenge.number,
        terms=Terms.from_json(challenge.terms),
        mages=[mages[place.mage_id] for place in seating.joined],
        now=now,
        followers=list_followers(challenge),
    )
    announce_rematch(number=challenge.number)


def end_challenge(challenge: Challenge, status: Challenge.Status, now: datetime) -> None:
    """Close a claimed challenge, its proposals and its links."""
    challenge.status = status
    challenge.save(update_fields=["status"])
    if challenge.changes_proposed:
        pending = Proposal.objects.filter(challenge=challenge, state=Proposal.State.PENDING)
        pending.update(state=Proposal.State.ABANDONED, decided_at=now)
    InviteLink.objects.filter(challenge=challenge, state=InviteLink.State.LIVE).update(state=InviteLink.State.EXPIRED)
    if status != Challenge.Status.STARTED:
        clear_rematch(number=challenge.number)
