"""The site's numbers, its signs of life, and the times it was down."""

from fm_site.operations.models.policy import SitePolicy
from fm_site.operations.models.site_state import Announcement, Chore, Heartbeat, Maintenance, Outage

__all__ = ["Announcement", "Chore", "Heartbeat", "Maintenance", "Outage", "SitePolicy"]
