"""The janitors' tables: each opens for a janitor, and for nobody else."""

from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Field
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise

from accounts.models import User
from accounts.services.users import create_user
from tests.scenes import log_in

TABLES = sorted(model._meta.label_lower for model in admin.site._registry)

pytestmark = pytest.mark.django_db


def visit(name: str, *, janitor: bool) -> Client:
    user = create_user(name=name, now=timezone.now())
    User.objects.filter(pk=user.pk).update(is_staff=janitor, is_superuser=janitor)
    client = log_in(user)
    return client


@pytest.mark.parametrize("table", TABLES)
def test_a_table_opens_for_a_janitor_and_for_nobody_else(table):
    address = reverse(f"admin:{table.replace('.', '_')}_changelist")
    assert visit("Jane", janitor=True).get(address, {"q": "1"}).status_code == 200
    assert visit("Pavel", janitor=False).get(address).status_code == 302
    assert Client().get(address).status_code == 302


def test_columns_filters_and_choices_of_the_desk_are_in_the_readers_language():
    for model, table in admin.site._registry.items():
        if model._meta.app_label in ("admin", "auth"):
            continue
        filters = [str(each[0] if isinstance(each, tuple) else each) for each in table.list_filter]
        for name in {*map(str, table.list_display), *filters}:
            field = next((each for each in model._meta.fields if each.name == name), None)
            if field is not None:
                assert isinstance(field.verbose_name, Promise), f"{model.__name__}.{name} has no verbose_name"
                assert all(isinstance(told, Promise) for told in list_labels(field)), f"{model.__name__}.{name}"


def list_labels(field: "Field[Any, Any]") -> list[object]:
    return [told for value, told in field.flatchoices if value]
