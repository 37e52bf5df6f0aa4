"""URLs of battles: pages under /battles/. The WebSocket is in consumers.py, the API in fm_site/api/routers.py."""

from django.urls import path

from duels.views import battle, battle_lists, bots, chat, follows, pictures, records, replay, time
from operations.web.repeated_forms import may_repeat
from studies.views import lessons, puzzles

app_name = "duels"

urlpatterns = [
    path("learn/", lessons.show_lessons, name="lessons"),
    path("learn/next/", lessons.go_on, name="learn_on"),
    path("learn/<slug:slug>/", lessons.show_task, name="lesson_start"),
    path("learn/<slug:slug>/<int:step>/", lessons.show_task, name="lesson"),
    path("puzzles/", puzzles.show_puzzles, name="puzzles"),
    path("puzzles/daily/", puzzles.show_daily, name="daily_puzzle"),
    path("puzzles/<int:number>/", puzzles.show_puzzle, name="puzzle"),
    path("battles/", battle_lists.list_battles, name="battles"),
    path("battles/seen/", battle_lists.dismiss_results, name="seen"),
    path("battles/<int:number>/", may_repeat(battle.show_battle), name="battle"),
    path("battles/<int:number>/draft/", may_repeat(battle.preview_draft), name="draft"),
    path("following/", follows.list_followed, name="following"),
    path("users/<slug:name>/follow/", follows.follow_player, name="follow_user"),
    path("battles/<int:number>/follow/", follows.follow_one_battle, name="follow"),
    path("battles/<int:number>/hint/", bots.show_hint, name="hint"),
    path("battles/<int:number>/bots/", bots.show_reasons, name="bots"),
    path("battles/<int:number>/chat/", chat.show_chat, name="chat"),
    path("battles/<int:number>/chat/mute/", chat.mute, name="mute"),
    path("battles/<int:number>/time/", time.change_time, name="time"),
    path("battles/search/", battle_lists.search, name="search"),
    path("battles/<int:number>/record.txt", records.download_record, name="record"),
    path("battles/<int:number>/proof/", records.show_proof, name="proof"),
    path("battles/<int:number>/record.json", records.download_json, name="record_json"),
    path("battles/<int:number>/replay/", replay.open_replay, name="replay"),
    path("battles/<int:number>/replay/<int:seq>/", replay.show_turn, name="replay_turn"),
    path("battles/<int:number>/replay/<int:seq>/position.svg", pictures.show_svg, name="position_svg"),
    path("battles/<int:number>/replay/<int:seq>/position.png", pictures.show_png, name="position_png"),
    path("battles/<int:number>/battle.gif", pictures.show_animation, name="animation"),
    path("battles/<int:number>/poster/", replay.show_poster, name="poster"),
    path("battles/<int:number>/card.png", pictures.show_battle_card, name="card"),
    path("battles/<int:number>/table/", records.show_table, name="table"),
    path("battles/<int:number>/story/", records.show_story, name="story"),
    path("battles/<int:number>/transcript/", records.show_transcript, name="transcript"),
]
