"""Bare Django: a view that makes so many small queries with the ORM and draws so many bytes with a template, and one
that updates a row. Around them is the middleware that a new project has."""

from django.db import connection, transaction
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.urls import path

from accounts.models import User

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
ROW = "<tr><td>{{ row }}</td></tr>"
PAGE = Template(f"{{% for row in rows %}}{ROW}{{% endfor %}}")
# Bytes of one row as it is drawn.
CELL = "a cell of a table, with as much text as a cell of a table has"
STEP = len(ROW) - len("{{ row }}") + len(CELL)


def read(_request: HttpRequest, queries: int, size: int) -> HttpResponse:
    for number in range(queries):
        User.objects.filter(pk=number + 1).first()
    return HttpResponse(PAGE.render(Context({"rows": [CELL] * (size // STEP)})))


def update(_request: HttpRequest) -> HttpResponse:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE accounts_user SET last_active_at = now() WHERE id = (SELECT min(id) FROM accounts_user)")
    return HttpResponse(b"{}")


urlpatterns = [path("read/<int:queries>/<int:size>/", read), path("update/", update)]
