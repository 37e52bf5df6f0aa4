"""What the mages of a battle are in, which an intervention may end or begin."""

from accounts.models import Engagement
from accounts.services.kept_rows import Watched
from duels.models import Battle

ELSEWHERE = "a mage of the battle is in something else now"


def watch_engagements(battle: Battle) -> Watched:
    """The engagements of all mages of the battle."""
    return Watched(Engagement.objects.filter(mage__combatants__battle=battle), words=ELSEWHERE)
