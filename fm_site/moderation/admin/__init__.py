"""The janitors' tables. Importing this package registers them with Django's admin."""

from fm_site.moderation.admin import battles, challenges, ladder, logging_in, reports, site, users
from fm_site.moderation.admin.model_names import name_models

name_models()

__all__ = ["battles", "challenges", "ladder", "logging_in", "reports", "site", "users"]
