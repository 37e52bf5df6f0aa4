"""The project as an app: it brings base templates, static files and the demonstration."""

from django.apps import AppConfig

from fm_site.celery import app as celery_app

__all__ = ["FmSiteConfig", "celery_app"]


class FmSiteConfig(AppConfig):
    """Importing this module binds every `shared_task` to our Celery application."""

    name = "fm_site"
