"""What the mages of a battle are in, which an intervention may end or begin."""

from accounts.models import Engagement
from duels.models import Battle
from fm_site.moderation.services.kept_rows import Watched

ELSEWHERE = "a mage of the battle has since joined another battle or challenge"


def watch_engagements(battle: Battle) -> Watched:
    """The engagements of all mages of the battle."""
    return Watched(Engagement.objects.filter(mage__combatants__battle=battle), words=ELSEWHERE)
