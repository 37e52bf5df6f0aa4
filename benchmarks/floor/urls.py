"""Bare Django: a view that makes so many small queries and returns so many bytes, and one that updates a row."""

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.urls import path


def read(_request: HttpRequest, queries: int, size: int) -> HttpResponse:
    with connection.cursor() as cursor:
        for _ in range(queries):
            cursor.execute("SELECT id, username FROM accounts_user ORDER BY id LIMIT 1")
            cursor.fetchall()
    return HttpResponse(b"x" * size)


def update(_request: HttpRequest) -> HttpResponse:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET last_active_at = now() WHERE id = (SELECT min(id) FROM accounts_user)")
    return HttpResponse(b"{}")


urlpatterns = [path("read/<int:queries>/<int:size>/", read), path("update/", update)]
