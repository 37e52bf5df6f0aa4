"""The site's policy, its heartbeats and outages."""

from operations.models.policy import SitePolicy
from operations.models.site_page import SitePage
from operations.models.site_state import (
    Announcement,
    Chore,
    Heartbeat,
    Lease,
    Maintenance,
    Outage,
    PageGap,
    PageStamp,
    SiteSum,
)

__all__ = [
    "Announcement",
    "Chore",
    "Heartbeat",
    "Lease",
    "Maintenance",
    "Outage",
    "PageGap",
    "PageStamp",
    "SitePage",
    "SitePolicy",
    "SiteSum",
]
