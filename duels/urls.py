"""URLs of battles: pages under /battles/. WebSockets are in routing.py, the API in fm_site/api.py."""

from django.urls import path

from duels.views import battle, bots, lessons, puzzles, time

app_name = "duels"

urlpatterns = [
    path("learn/", lessons.show_lessons, name="lessons"),
    path("learn/next/", lessons.go_on, name="learn_on"),
    path("learn/<slug:slug>/", lessons.show_task, name="lesson_start"),
    path("learn/<slug:slug>/<int:step>/", lessons.show_task, name="lesson"),
    path("puzzles/", puzzles.show_puzzles, name="puzzles"),
    path("puzzles/daily/", puzzles.show_daily, name="daily_puzzle"),
    path("puzzles/<int:number>/", puzzles.show_puzzle, name="puzzle"),
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
]
