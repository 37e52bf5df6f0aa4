"""URLs of battles: pages under /battles/, the API under /api/battles/. WebSockets are in routing.py."""

from django.urls import path

from duels import api
from duels.views import battle, bots, lessons, time

app_name = "duels"

urlpatterns = [
    path("learn/", lessons.show_lessons, name="lessons"),
    path("learn/next/", lessons.go_on, name="learn_on"),
    path("learn/<slug:slug>/", lessons.show_task, name="lesson_start"),
    path("learn/<slug:slug>/<int:step>/", lessons.show_task, name="lesson"),
    path("battles/", battle.list_battles, name="battles"),
    path("battles/seen/", battle.dismiss_results, name="seen"),
    path("battles/<int:number>/", battle.show_battle, name="battle"),
    path("battles/<int:number>/draft/", battle.preview_draft, name="draft"),
    path("battles/<int:number>/hint/", bots.show_hint, name="hint"),
    path("battles/<int:number>/bots/", bots.show_reasons, name="bots"),
    path("battles/<int:number>/time/", time.change_time, name="time"),
    path("battles/<int:number>/record.txt", battle.download_record, name="record"),
    path("battles/<int:number>/table/", battle.show_table, name="table"),
    path("battles/<int:number>/story/", battle.show_story, name="story"),
    path("battles/<int:number>/transcript/", battle.show_transcript, name="transcript"),
    path("api/battles/<int:number>/", api.read_battle, name="api_battle"),
    path("api/battles/<int:number>/events/", api.read_events, name="api_events"),
    path("api/battles/<int:number>/orders/", api.send_orders, name="api_orders"),
    path("api/battles/<int:number>/record/", api.read_record, name="api_record"),
    path("api/battles/<int:number>/table/", api.read_table, name="api_table"),
    path("api/battles/<int:number>/story/", api.read_story, name="api_story"),
]
