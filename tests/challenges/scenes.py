"""A site in which every part of the pages of challenges has something to show."""

from dataclasses import dataclass

from django.utils import timezone

from accounts.models import Mage
from challenges.models import Challenge
from challenges.services.answers import accept_challenge
from challenges.services.create import create_challenge
from challenges.services.invite_links import make_invite_link
from challenges.services.proposals import propose_change
from challenges.services.votes import oppose_changes
from duels.terms import Terms
from tests.scenes import make_mage


@dataclass(frozen=True)
class Scene:
    """Merlyn's melee, in which two changes wait for votes, and Zarquon's challenge by invitation with a link."""

    merlyn: Mage
    crom: Mage
    froodal: Mage
    newcomer: Mage
    zarquon: Mage
    melee: Challenge
    invitation: Challenge
    token: str

    @property
    def path(self) -> str:
        return f"/challenges/{self.melee.number}/"

    @property
    def link(self) -> str:
        return f"/challenges/join/{self.token}/"


def build_scene() -> Scene:
    now = timezone.now()
    names = ("Merlyn", "Crom", "Froodal", "Pip", "Zarquon", "Ayla", "Oakhelm")
    merlyn, crom, froodal, pip, zarquon, ayla, oakhelm = map(make_mage, names)
    melee = create_challenge(
        challenger=merlyn, terms=Terms(), open_to_all=True, limit=4, comment="Looking for a fast battle", now=now
    )
    number = melee.number
    for mage in (crom, froodal):
        accept_challenge(number=number, mage=mage, now=now)
    propose_change(number=number, mage=merlyn, change={"limit": 3, "chat": False}, now=now)
    propose_change(number=number, mage=crom, change={"ruleset": "firetop-nomonsters"}, now=now)
    propose_change(number=number, mage=froodal, change={"add": ["Pip"]}, now=now)
    oppose_changes(number=number, mage=crom, changes=[1], now=now)
    oppose_changes(number=number, mage=froodal, changes=[2], now=now)
    accept_challenge(number=number, mage=merlyn, changes=[3], now=now)
    create_challenge(challenger=oakhelm, terms=Terms(stakes="friendly"), open_to_all=True, limit=2, now=now)
    invitation = create_challenge(challenger=zarquon, terms=Terms(), invited=[ayla, pip], comment="", now=now)
    _, token = make_invite_link(number=invitation.number, mage=zarquon, now=now)
    return Scene(merlyn, crom, froodal, pip, zarquon, melee, invitation, token)
