"""URLs of challenges."""

from django.urls import path

from challenges.views import detail, hosting, index, links, tell_me

app_name = "challenges"

urlpatterns = [
    path("", index.show_challenges, name="list"),
    path("new/", index.make_challenge, name="new"),
    path("rematch/<int:number>/", index.rematch, name="rematch"),
    path("friend/", links.invite_friend, name="friend"),
    path("match/", index.match, name="match"),
    path("host/", hosting.ask, name="ask_host"),
    path("tell-me/", tell_me.edit_tell_me, name="tell_me"),
    path("join/<str:token>/", links.join, name="join"),
    path("<int:number>/", detail.show_challenge, name="detail"),
    path("<int:number>/card.png", detail.show_challenge_card, name="card"),
    path("<int:number>/accept/", detail.accept, name="accept"),
    path("<int:number>/decline/", detail.decline, name="decline"),
    path("<int:number>/withdraw/", detail.withdraw, name="withdraw"),
    path("<int:number>/start/", detail.start, name="start"),
    path("<int:number>/change/", detail.propose, name="propose"),
    path("<int:number>/everything/", detail.accept_everything, name="accept_everything"),
    path("<int:number>/changes/<int:change>/accept/", detail.accept_change, name="accept_change"),
    path("<int:number>/changes/<int:change>/oppose/", detail.oppose_change, name="oppose_change"),
    path("<int:number>/changes/<int:change>/take-back/", detail.take_back, name="take_back"),
    path("<int:number>/links/", links.make_link, name="make_link"),
    path("<int:number>/links/<int:link_id>/revoke/", links.revoke_link, name="revoke_link"),
]
