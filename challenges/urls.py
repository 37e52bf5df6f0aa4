"""The addresses of challenges."""

from django.urls import path

from challenges.views import acting, changing, joining, linking, listing, making

app_name = "challenges"

urlpatterns = [
    path("", listing.show_challenges, name="list"),
    path("new/", making.make_challenge, name="new"),
    path("match/", making.match, name="match"),
    path("join/<str:token>/", joining.join, name="join"),
    path("<int:number>/", acting.show_challenge, name="detail"),
    path("<int:number>/accept/", acting.accept, name="accept"),
    path("<int:number>/decline/", acting.decline, name="decline"),
    path("<int:number>/withdraw/", acting.withdraw, name="withdraw"),
    path("<int:number>/start/", acting.start, name="start"),
    path("<int:number>/change/", changing.propose, name="propose"),
    path("<int:number>/everything/", acting.accept_everything, name="accept_everything"),
    path("<int:number>/changes/<int:change>/accept/", acting.accept_change, name="accept_change"),
    path("<int:number>/changes/<int:change>/oppose/", acting.oppose_change, name="oppose_change"),
    path("<int:number>/changes/<int:change>/take-back/", acting.take_back, name="take_back"),
    path("<int:number>/links/", linking.make_link, name="make_link"),
    path("<int:number>/links/<int:link_id>/revoke/", linking.revoke_link, name="revoke_link"),
]
