"""URLs of battles. Their WebSocket is in duels/live, their API in duels/api, their records in studies."""

from django.urls import path

from duels.views import battle, chat, coach, draws, proof, results, time
from operations.web.repeated_forms import may_repeat

app_name = "duels"

urlpatterns = [
    path("battles/seen/", results.dismiss_results, name="seen"),
    path("battles/<int:number>/", may_repeat(battle.show_battle), name="battle"),
    path("battles/<int:number>/draft/", may_repeat(battle.preview_draft), name="draft"),
    path("battles/<int:number>/coach/", coach.close, name="close_coach"),
    path("battles/<int:number>/chat/", chat.show_chat, name="chat"),
    path("battles/<int:number>/chat/mute/", chat.mute, name="mute"),
    path("battles/<int:number>/time/", time.change_time, name="time"),
    path("battles/<int:number>/draw/", draws.change_draw, name="draw"),
    path("battles/<int:number>/proof/", proof.show_proof, name="proof"),
]
