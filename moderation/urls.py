"""URLs of the desk, of reports, and of answers to janitors. They come before those of Django's admin."""

from django.contrib import admin
from django.urls import path

from moderation import views

urlpatterns = [
    path("reports/", views.list_reports, name="reports"),
    path("reports/new/", views.new_report, name="new_report"),
    path("battles/<int:number>/consent/", views.answer_janitor, name="consent"),
    path("admin/desk/", admin.site.admin_view(views.show_desk), name="desk"),
]
