/**
 * Shows times in the reader's own time zone, and tells the server its name, so that dates can be the reader's too.
 * @module
 */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const secure = location.protocol === "https:" ? "; secure" : "";
document.cookie = `timezone=${timeZone}; path=/; max-age=31536000; samesite=lax${secure}`;

const words = new Intl.DateTimeFormat(document.documentElement.lang, {
  weekday: "long",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
});

for (const time of document.querySelectorAll("time[data-local]")) {
  if (time instanceof HTMLTimeElement) time.textContent = words.format(new Date(time.dateTime));
}
