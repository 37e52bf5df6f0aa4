"""URLs of battles. Their WebSocket is in duels/live, their API in duels/api."""

from django.urls import path

from duels.views import battle, battle_lists, chat, coach, records, time
from operations.web.repeated_forms import may_repeat

app_name = "duels"

urlpatterns = [
    path("battles/seen/", battle_lists.dismiss_results, name="seen"),
    path("battles/<int:number>/", may_repeat(battle.show_battle), name="battle"),
    path("battles/<int:number>/draft/", may_repeat(battle.preview_draft), name="draft"),
    path("battles/<int:number>/coach/", coach.close, name="close_coach"),
    path("battles/<int:number>/chat/", chat.show_chat, name="chat"),
    path("battles/<int:number>/chat/mute/", chat.mute, name="mute"),
    path("battles/<int:number>/time/", time.change_time, name="time"),
    path("battles/search/", battle_lists.search, name="search"),
    path("battles/<int:number>/record.txt", records.download_record, name="record"),
    path("battles/<int:number>/proof/", records.show_proof, name="proof"),
    path("battles/<int:number>/record.json", records.download_json, name="record_json"),
    path("battles/<int:number>/table/", records.show_table, name="table"),
    path("battles/<int:number>/story/", records.show_story, name="story"),
    path("battles/<int:number>/transcript/", records.show_transcript, name="transcript"),
]
