from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "fm_site.moderation"
    label = "moderation"
