// Where somebody signs up: the time zone of this device, in which the house will tell him its moments.
const field = document.querySelector("[name=time_zone]");
if (field) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
