"""URLs of what-if studies, analyses and notes: those of a battle stand under its own address."""

from django.urls import path

from studies.views import analyses, notes, what_if

app_name = "studies"

urlpatterns = [
    path("battles/<int:number>/what-if/", what_if.list_for_battle, name="of_battle"),
    path("battles/<int:number>/what-if/<int:seq>/", what_if.try_turn, name="try"),
    path("battles/<int:number>/analysis/", analyses.show_analysis, name="analysis"),
    path("battles/<int:number>/notes/", notes.show_notes, name="notes"),
    path("studies/", what_if.list_own, name="mine"),
    path("studies/<str:study>/", what_if.show_study, name="study"),
    path("studies/<str:study>/<int:branch>/", what_if.show_study, name="branch"),
    path("studies/<str:study>/<int:branch>/change/", what_if.change_study, name="change"),
]
