"""The janitors' tables. Importing this package registers them with Django's admin."""

from moderation.admin import battles, challenges, ladder, logins, reports, site, users
from moderation.admin.column_names import name_columns
from moderation.admin.model_names import name_models

name_models()
name_columns()

__all__ = ["battles", "challenges", "ladder", "logins", "reports", "site", "users"]
