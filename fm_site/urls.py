"""The site's URLs."""

from django.contrib import admin
from django.urls import include, path

from fm_site import api_problems, dump_views, ladder_views, profile_views, rulebook_views, statistics_views, views

urlpatterns = [
    path("", views.show_home, name="home"),
    path("stage/", views.show_front, name="stage"),
    path("waiting/", views.show_waiting, name="waiting"),
    path("rules/", views.show_rules, name="rules"),
    path("rules/<slug:name>/", rulebook_views.show_ruleset, name="ruleset"),
    path("rules/<slug:name>/against/<slug:other>/", rulebook_views.compare, name="compare_rulesets"),
    path("", include("accounts.urls")),
    path("ladder/", ladder_views.show_ladder, name="ladder"),
    path("statistics/", statistics_views.show_statistics, name="statistics"),
    path("openings/", statistics_views.show_openings, name="openings"),
    path("privacy/", views.show_privacy, name="privacy"),
    path("dump/", dump_views.show_dump, name="dump"),
    path("dump/<str:name>", dump_views.download_part, name="dump_part"),
    path("users/<slug:name>/", profile_views.show_user, name="user"),
    path("mages/<slug:name>/", profile_views.show_mage, name="mage"),
    path("", include("email_gateway.urls")),
    path("api/problems/<slug:code>/", api_problems.show_problem, name="api_problem"),
    path("", include("duels.urls")),
    path("challenges/", include("challenges.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("fm_site.moderation.urls")),
    path("admin/", admin.site.urls),
]
