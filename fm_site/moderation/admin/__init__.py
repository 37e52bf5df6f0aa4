"""The janitors' tables. Importing this package registers them with Django's admin."""

from fm_site.moderation.admin import battles, challenges, ladder, logging_in, reports, site, users

__all__ = ["battles", "challenges", "ladder", "logging_in", "reports", "site", "users"]
