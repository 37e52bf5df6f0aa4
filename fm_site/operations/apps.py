from django.apps import AppConfig


class OperationsConfig(AppConfig):
    name = "fm_site.operations"
    label = "operations"
