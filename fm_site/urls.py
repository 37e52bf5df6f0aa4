"""Every address of the site starts here."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("ladder.urls")),
    path("", include("email_gateway.urls")),
    path("", include("duels.urls")),
    path("challenges/", include("challenges.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
