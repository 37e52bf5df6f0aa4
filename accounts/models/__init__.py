"""Users, their mages, and the names of both."""

from accounts.models.absence import AbsenceWarning, ClockUpdate, Vacation
from accounts.models.endpoints import PushDevice, PushKey
from accounts.models.hold import AccountWarning, Sanction
from accounts.models.host import Host
from accounts.models.mage import Engagement, Mage
from accounts.models.message import Message
from accounts.models.name import Name
from accounts.models.obituary import ObituaryLine
from accounts.models.private_note import PrivateNote
from accounts.models.second_accounts import Trace, UserMerge
from accounts.models.ties import Block, Follow
from accounts.models.token import ApiToken, CalendarLink, IdempotentAnswer
from accounts.models.user import User

__all__ = [
    "AbsenceWarning",
    "AccountWarning",
    "ApiToken",
    "Block",
    "CalendarLink",
    "ClockUpdate",
    "Engagement",
    "Follow",
    "Host",
    "IdempotentAnswer",
    "Mage",
    "Message",
    "Name",
    "ObituaryLine",
    "PrivateNote",
    "PushDevice",
    "PushKey",
    "Sanction",
    "Trace",
    "User",
    "UserMerge",
    "Vacation",
]
