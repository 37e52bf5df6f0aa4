"""URLs for users and mages; all others under /accounts/ belong to django-allauth."""

from django.urls import path

from accounts.views import conduct, hooks, mages, programs, settings

app_name = "accounts"

urlpatterns = [
    path("accounts/mages/", mages.list_mages, name="mages"),
    path("accounts/mages/new/", mages.register, name="register_mage"),
    path("accounts/mages/<int:mage_id>/keep/", mages.keep, name="keep_mage"),
    path("accounts/mages/<int:mage_id>/pronoun/", mages.choose_pronoun, name="set_pronoun"),
    path("accounts/hold/", conduct.show_hold, name="hold"),
    path("accounts/settings/", settings.edit_preferences, name="preferences"),
    path("accounts/about/", settings.edit_about, name="about"),
    path("accounts/name/", settings.change_name, name="change_name"),
    path("accounts/language/", settings.choose_language, name="language"),
    path("accounts/mail-password/", settings.edit_mail_password, name="mail_password"),
    path("blocks/", conduct.show_block_effects, name="block_effects"),
    path("accounts/blocks/", conduct.list_blocks, name="blocks"),
    path("accounts/blocks/lift/", conduct.unblock, name="unblock"),
    path("accounts/hosting/", conduct.edit_hosting, name="hosting"),
    path("accounts/browser-id/", conduct.answer_for_browsers, name="browser_id"),
    path("accounts/vacation/", mages.go_on_vacation, name="vacation"),
    path("accounts/bot/", programs.make_bot, name="bot"),
    path("accounts/notices/", settings.edit_notices, name="notices"),
    path("accounts/devices/", settings.list_devices, name="devices"),
    path("accounts/devices/this/", settings.show_this_device, name="this_device"),
    path("accounts/devices/<int:device_id>/remove/", settings.remove_device, name="remove_device"),
    path("accounts/tokens/", programs.list_tokens, name="tokens"),
    path("accounts/tokens/<int:token_id>/revoke/", programs.revoke_token, name="revoke_token"),
    path("accounts/calendar/", programs.edit_calendar, name="calendar"),
    path("accounts/hooks/", hooks.edit_hooks, name="hooks"),
    path("accounts/hooks/<int:hook_id>/", hooks.edit_hook, name="hook"),
]
