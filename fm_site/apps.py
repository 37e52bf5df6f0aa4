"""The project as an app, with base templates, static files and the demonstration."""

from typing import cast

import structlog
from django.apps import AppConfig, apps
from django.conf import settings
from django.contrib.admin.apps import AdminConfig as DjangosAdminConfig
from django.contrib.staticfiles.apps import StaticFilesConfig

from duels.rules_release import current_rules_release
from fm_site.celery import app as celery_app
from fm_site.texts.catalogues import compile_catalogues
from fm_site.upkeep.error_reports import start_error_reports

__all__ = ["AdminConfig", "FmSiteConfig", "celery_app"]


class FmSiteConfig(AppConfig):
    """Importing this module binds every `shared_task` to our Celery application."""

    name = "fm_site"
    default = True

    def ready(self) -> None:
        """Start reporting faults if the site wants that, and update the compiled catalogues first."""
        # The site has its own copy of htmx; the library's copies name modules without their endings. Django's config is
        # changed and not replaced, because others look for it by its name.
        static_files = cast(StaticFilesConfig, apps.get_app_config("staticfiles"))
        static_files.ignore_patterns = [*static_files.ignore_patterns, "django_htmx"]
        # Importing them registers the texts.
        from fm_site.notices import hook_texts, push_texts  # noqa: F401

        if settings.SENTRY_DSN:
            start_error_reports(dsn=settings.SENTRY_DSN, release=current_rules_release()[:12])
        try:
            compile_catalogues()
        except OSError as error:
            # If the program folder is read-only, they must come from the set-up.
            structlog.get_logger(__name__).warning("catalogues not compiled", error=str(error))


class AdminConfig(DjangosAdminConfig):
    """Django's admin with our access checks."""

    default = False
    default_site = "moderation.guarded_site.GuardedSite"
