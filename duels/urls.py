"""URLs of battles, and of following users and battles. Their WebSocket is in duels/live, their API in duels/api."""

from django.urls import path

from duels.views import (
    battle,
    battle_lists,
    bots,
    calendar,
    chat,
    coach,
    embeds,
    follows,
    pictures,
    private_notes,
    records,
    replay,
    time,
)
from operations.web.repeated_forms import may_repeat

app_name = "duels"

urlpatterns = [
    path("battles/seen/", battle_lists.dismiss_results, name="seen"),
    path("battles/<int:number>/", may_repeat(battle.show_battle), name="battle"),
    path("battles/<int:number>/draft/", may_repeat(battle.preview_draft), name="draft"),
    path("following/", follows.list_followed, name="following"),
    path("users/<slug:name>/follow/", follows.follow_player, name="follow_user"),
    path("users/<slug:name>/note/", private_notes.note_user, name="note_on_user"),
    path("battles/<int:number>/note/", private_notes.note_battle, name="note_on_battle"),
    path("battles/<int:number>/coach/", coach.close, name="close_coach"),
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
    path("battles/<int:number>/board.svg", pictures.show_board_svg, name="board_svg"),
    path("battles/<int:number>/board.png", pictures.show_board_png, name="board_png"),
    path("embed/battles/<int:number>/", embeds.embed_replay, name="embed"),
    path("embed/battles/<int:number>/poster/", embeds.embed_poster, name="embed_poster"),
    path("embed/battles/<int:number>/<int:seq>/", embeds.embed_replay, name="embed_turn"),
    path("embed/battles/<int:number>/<int:seq>/position.svg", pictures.show_svg, name="embed_picture"),
    path("calendar/<slug:secret>.ics", calendar.show_calendar, name="calendar"),
    path("oembed/", embeds.show_oembed, name="oembed"),
    path("battles/<int:number>/card.png", pictures.show_battle_card, name="card"),
    path("battles/<int:number>/table/", records.show_table, name="table"),
    path("battles/<int:number>/story/", records.show_story, name="story"),
    path("battles/<int:number>/transcript/", records.show_transcript, name="transcript"),
]
