"""Addresses of the unsubscribe page, of the local mailbox, and of a mail provider's webhooks."""

from django.urls import path

from email_gateway import views
from email_gateway.receive import webhooks

app_name = "email_gateway"

urlpatterns = [
    path("mail/stop/<str:token>/", views.stop, name="stop"),
    path("mail/confirm/<str:token>/", views.confirm, name="confirm"),
    path("mail/again/", views.mail_again, name="again"),
    path("mail/inbound/", webhooks.receive_inbound, name="webhook_inbound"),
    path("mail/tracking/", webhooks.receive_tracking, name="webhook_tracking"),
    path("mailbox/", views.show_mailbox, name="mailbox"),
    path("mailbox/<int:pk>/", views.show_mail, name="mail"),
    path("mailbox/<int:pk>/html/", views.show_mail_html, name="mail_html"),
    path("mailbox/<int:pk>/source/", views.show_mail_source, name="mail_source"),
]
