"""Addresses of the unsubscribe page, of the local mailbox, and of a mail provider's webhooks."""

from django.urls import path

from email_gateway.receive import webhooks
from email_gateway.views import mailbox, messages

app_name = "email_gateway"

urlpatterns = [
    path("mail/stop/<str:token>/", mailbox.stop, name="stop"),
    path("mail/confirm/<str:token>/", mailbox.confirm, name="confirm"),
    path("mail/again/", mailbox.mail_again, name="again"),
    path("accounts/emails/", messages.send_again, name="send_again"),
    path("mail/inbound/", webhooks.receive_inbound, name="webhook_inbound"),
    path("mail/tracking/", webhooks.receive_tracking, name="webhook_tracking"),
    path("mailbox/", mailbox.show_mailbox, name="mailbox"),
    path("mailbox/<int:pk>/", mailbox.show_mail, name="mail"),
    path("mailbox/<int:pk>/html/", mailbox.show_mail_html, name="mail_html"),
    path("mailbox/<int:pk>/source/", mailbox.show_mail_source, name="mail_source"),
]
