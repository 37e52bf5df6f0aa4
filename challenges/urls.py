"""The addresses of challenges."""

from django.urls import path

from challenges import views

app_name = "challenges"

urlpatterns = [
    path("", views.show_challenges, name="list"),
    path("new/", views.make_challenge, name="new"),
    path("<int:number>/", views.show_challenge, name="detail"),
    path("<int:number>/accept/", views.accept, name="accept"),
    path("<int:number>/decline/", views.decline, name="decline"),
    path("<int:number>/withdraw/", views.withdraw, name="withdraw"),
    path("<int:number>/start/", views.start, name="start"),
]
