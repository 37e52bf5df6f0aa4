"""The janitors' tables: each opens for a janitor, and for nobody else."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.services.users import create_user

TABLES = sorted(model._meta.label_lower for model in admin.site._registry)

pytestmark = pytest.mark.django_db


def log_in(name: str, *, janitor: bool) -> Client:
    user = create_user(name=name, now=timezone.now())
    User.objects.filter(pk=user.pk).update(is_staff=janitor, is_superuser=janitor)
    client = Client()
    client.force_login(User.objects.get(pk=user.pk))
    return client


@pytest.mark.parametrize("table", TABLES)
def test_a_table_opens_for_a_janitor_and_for_nobody_else(table):
    address = reverse(f"admin:{table.replace('.', '_')}_changelist")
    assert log_in("Jane", janitor=True).get(address, {"q": "1"}).status_code == 200
    assert log_in("Pavel", janitor=False).get(address).status_code == 302
    assert Client().get(address).status_code == 302
