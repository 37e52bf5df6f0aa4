from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "fm_site.notifications"
    label = "notifications"
