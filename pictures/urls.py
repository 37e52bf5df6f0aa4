"""URLs of the pictures of a battle as it stands. Those of its turns belong to the replay (studies/urls.py)."""

from django.urls import path

from pictures import views

app_name = "pictures"

urlpatterns = [
    path("battles/<int:number>/board.svg", views.show_board_svg, name="board_svg"),
    path("battles/<int:number>/board.png", views.show_board_png, name="board_png"),
    path("battles/<int:number>/card.png", views.show_battle_card, name="battle_card"),
]
