"""Many rows at once: users with mages, battles, challenges. They are copies, because playing them takes too long."""

from accounts.models import Mage, User
from challenges.models import Challenge, Seat
from duels.models import Battle, Combatant, Number
from duels.terms import Terms
from tests.scenes import NOW

FINISHED = {"type": "duel", "reason": "kill", "winners": ["Froodal"], "dead": ["Bung"], "surrendered": []}


def take_numbers(count):
    return [row.pk for row in Number.objects.bulk_create(Number() for _ in range(count))]


def add_mages(name, count):
    """Register `count` mages, each of a user of their own."""
    users = User.objects.bulk_create(
        User(username=f"{name}_user_{number}", created_at=NOW, last_active_at=NOW) for number in range(count)
    )
    return Mage.objects.bulk_create(
        Mage(user=user, name=f"{name}{number}", created_at=NOW, last_active_at=NOW) for number, user in enumerate(users)
    )


def copy_battle(battle, count, **more):
    """Copy the row of a battle with its mages `count` times."""
    fields = {each.attname: getattr(battle, each.attname) for each in Battle._meta.fields if each.attname != "id"}
    copies = Battle.objects.bulk_create(Battle(**{**fields, **more, "number": n}) for n in take_numbers(count))
    mages = list(battle.combatants.values_list("mage_id", "position"))
    Combatant.objects.bulk_create(
        Combatant(battle=copy, mage_id=mage, position=place) for copy in copies for mage, place in mages
    )
    return copies


def end_copies(battle, count):
    return copy_battle(battle, count, status="finished", finished_at=NOW, result=FINISHED)


def open_challenges(mages):
    """Let each of these mages open a challenge to anyone."""
    made = Challenge.objects.bulk_create(
        Challenge(
            number=number,
            challenger=mage,
            terms=Terms().to_json(),
            mages_per_user=1,
            limit=2,
            seats_taken=1,
            created_at=NOW,
            updated_at=NOW,
        )
        for number, mage in zip(take_numbers(len(mages)), mages, strict=True)
    )
    Seat.objects.bulk_create(
        Seat(challenge=each, mage_id=each.challenger_id, state=Seat.State.JOINED, asked_at=NOW, answered_at=NOW)
        for each in made
    )
    return made
