"""URLs of leagues and cups."""

from django.urls import path

from league.views import cups, entries, rules, seasons

app_name = "league"

urlpatterns = [
    path("league/", seasons.show_overview, name="overview"),
    path("league/rules/", rules.show_rules, name="rules"),
    path("league/hall/", seasons.show_hall, name="hall"),
    path("league/join/", entries.join, name="join"),
    path("league/leave/", entries.leave_league, name="leave"),
    path("league/mage/", entries.name_mage, name="mage"),
    path("league/duels/<int:pk>/bank/", entries.wish_for_bank, name="bank"),
    path("league/<int:number>/", seasons.show_season, name="season"),
    path("league/<int:number>/<int:tier>/", seasons.show_group, name="group"),
    path("cups/", cups.show_cups, name="cups"),
    path("cups/<int:pk>/", cups.show_cup, name="cup"),
    path("cups/<int:pk>/join/", cups.join, name="join_cup"),
    path("cups/<int:pk>/leave/", cups.leave, name="leave_cup"),
]
