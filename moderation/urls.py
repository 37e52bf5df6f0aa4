"""URLs of the desk, of reports, and of answers to janitors. They come before those of Django's admin."""

from django.contrib import admin
from django.urls import path

from moderation import hook_views, views

urlpatterns = [
    path("reports/", views.list_reports, name="reports"),
    path("reports/new/", views.new_report, name="new_report"),
    path("battles/<int:number>/consent/", views.answer_janitor, name="consent"),
    path("admin/hooks/", admin.site.admin_view(hook_views.edit_site_hooks), name="site_hooks"),
    path("admin/hooks/<int:hook_id>/", admin.site.admin_view(hook_views.edit_site_hook), name="site_hook"),
    path("admin/desk/", admin.site.admin_view(views.show_desk), name="desk"),
]
