"""The standings page."""

from django.urls import path

from ladder import views

app_name = "ladder"

urlpatterns = [path("ladder/", views.show_standings, name="standings")]
