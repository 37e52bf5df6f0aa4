"""Users, their mages, and the names of both."""

from accounts.models.absence import AbsenceNews, AbsenceWarning
from accounts.models.block import Block
from accounts.models.follow import Follow
from accounts.models.hold import AccountWarning, Sanction
from accounts.models.mage import Engagement, Mage
from accounts.models.merge import UserMerge
from accounts.models.name import Name
from accounts.models.push import PushDevice, PushKey
from accounts.models.token import ApiToken, IdempotentAnswer
from accounts.models.trace import Trace
from accounts.models.user import User
from accounts.models.vacation import Vacation
from accounts.models.webhook import Webhook

__all__ = [
    "AbsenceNews",
    "AbsenceWarning",
    "AccountWarning",
    "ApiToken",
    "Block",
    "Engagement",
    "Follow",
    "IdempotentAnswer",
    "Mage",
    "Name",
    "PushDevice",
    "PushKey",
    "Sanction",
    "Trace",
    "User",
    "UserMerge",
    "Vacation",
    "Webhook",
]
