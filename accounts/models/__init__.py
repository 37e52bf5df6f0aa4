"""Who plays: users, their mages, the names of both, and what they are to be told."""

from accounts.models.block import Block
from accounts.models.mage import Engagement, Mage
from accounts.models.name import Name
from accounts.models.notice import Delivery, Notice
from accounts.models.preference import Preference
from accounts.models.token import ApiToken
from accounts.models.user import User
from accounts.models.vacation import Vacation

__all__ = ["ApiToken", "Block", "Delivery", "Engagement", "Mage", "Name", "Notice", "Preference", "User", "Vacation"]
