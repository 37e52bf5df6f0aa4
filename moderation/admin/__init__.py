"""The janitors' tables. Importing this package registers them with Django's admin."""

from moderation.admin import battles, challenges, ladder, logins, reports, site, users

__all__ = ["battles", "challenges", "ladder", "logins", "reports", "site", "users"]
