"""Every address of the site starts here."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from fm_site import views

# Janitors come through the same door as everybody: its limits of guessing and its second factor hold for them too.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("", views.show_home, name="home"),
    path("stage/", views.show_front, name="stage"),
    path("rules/", views.show_rules, name="rules"),
    path("", include("accounts.urls")),
    path("", include("ladder.urls")),
    path("", include("email_gateway.urls")),
    path("", include("duels.urls")),
    path("challenges/", include("challenges.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
