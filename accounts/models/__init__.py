"""Who plays: users, their mages, the names of both, and what they are to be told."""

from accounts.models.absence import AbsenceNews, AbsenceWarning
from accounts.models.block import Block
from accounts.models.house import Announcement, Chore, Heartbeat, Maintenance, Outage
from accounts.models.mage import Engagement, Mage
from accounts.models.merge import UserMerge
from accounts.models.moderation import AccountWarning, Report, Sanction
from accounts.models.name import Name
from accounts.models.notice import Delivery, Notice
from accounts.models.policy import HousePolicy
from accounts.models.preference import Preference
from accounts.models.token import ApiToken
from accounts.models.trace import Trace
from accounts.models.user import User
from accounts.models.user_act import Undoable, UserAct
from accounts.models.vacation import Vacation

__all__ = [
    "AbsenceNews",
    "AbsenceWarning",
    "AccountWarning",
    "Announcement",
    "ApiToken",
    "Block",
    "Chore",
    "Delivery",
    "Engagement",
    "Heartbeat",
    "HousePolicy",
    "Mage",
    "Maintenance",
    "Name",
    "Notice",
    "Outage",
    "Preference",
    "Report",
    "Sanction",
    "Trace",
    "Undoable",
    "User",
    "UserAct",
    "UserMerge",
    "Vacation",
]
