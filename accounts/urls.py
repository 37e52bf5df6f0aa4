"""URLs for users and mages; all others under /accounts/ belong to django-allauth."""

from django.urls import path

from accounts import program_views, views

app_name = "accounts"

urlpatterns = [
    path("accounts/mages/", views.list_mages, name="mages"),
    path("accounts/mages/new/", views.register_mage, name="register_mage"),
    path("accounts/mages/<int:mage_id>/keep/", views.keep_mage, name="keep_mage"),
    path("accounts/mages/<int:mage_id>/pronoun/", views.set_pronoun, name="set_pronoun"),
    path("accounts/hold/", views.show_hold, name="hold"),
    path("accounts/settings/", views.edit_preferences, name="preferences"),
    path("accounts/name/", views.change_name, name="change_name"),
    path("accounts/language/", views.choose_language, name="language"),
    path("accounts/mail-password/", views.edit_mail_password, name="mail_password"),
    path("accounts/blocks/", views.list_blocks, name="blocks"),
    path("accounts/blocks/lift/", views.unblock, name="unblock"),
    path("accounts/vacation/", views.go_on_vacation, name="vacation"),
    path("accounts/bot/", program_views.make_bot, name="bot"),
    path("accounts/devices/", views.list_devices, name="devices"),
    path("accounts/devices/<int:device_id>/remove/", views.remove_device, name="remove_device"),
    path("accounts/tokens/", program_views.list_tokens, name="tokens"),
    path("accounts/tokens/<int:token_id>/revoke/", program_views.revoke_token, name="revoke_token"),
    path("accounts/webhook/", program_views.edit_webhook, name="webhook"),
    path("accounts/webhook/retry/", program_views.retry_webhook, name="retry_webhook"),
    path("accounts/webhook/calls/<int:delivery_id>/retry/", program_views.retry_webhook, name="retry_webhook_call"),
    path("accounts/webhook/remove/", program_views.remove_webhook, name="remove_webhook"),
]
