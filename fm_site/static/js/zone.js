// The sign-up page: sends the time zone of this device, so that the site can show times in it.
const field = document.querySelector("[name=time_zone]");
if (field) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
