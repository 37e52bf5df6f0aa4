"""The site's policy, its heartbeats and outages."""

from fm_site.operations.models.policy import SitePolicy
from fm_site.operations.models.site_state import (
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
    "SitePolicy",
    "SiteSum",
]
