"""The project as an app, with base templates, static files and the demonstration."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig as DjangosAdminConfig

from fm_site.celery import app as celery_app

__all__ = ["AdminConfig", "FmSiteConfig", "celery_app"]


class FmSiteConfig(AppConfig):
    """Importing this module binds every `shared_task` to our Celery application."""

    name = "fm_site"
    default = True


class AdminConfig(DjangosAdminConfig):
    """Django's admin with our access checks."""

    default = False
    default_site = "fm_site.moderation.door.GuardedSite"
