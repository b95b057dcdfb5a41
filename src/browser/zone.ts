import { withZoneName } from "#browser/reader-zone";

/* Puts the reader's time zone into a form for something new, with what a clock there shows. What was chosen already stays. */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

const zoneField = (): HTMLSelectElement | null =>
  document.querySelector('select[name="time_zone"]');
const momentField = (name: "from" | "to"): HTMLInputElement | null =>
  document.querySelector(`input[name="${name}"]`);

/** What this browser calls a zone that has been renamed, e.g. `Asia/Calcutta`; null of one that it does not know. */
function ownName(zone: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** Of times as a clock shows them. */
const moved = (wall: string, ms: number): string =>
  wall === "" ? "" : new Date(Date.parse(`${wall}Z`) + ms).toISOString().slice(0, 16);

/**
 * Only in a form that no one has sent yet: the answer to one has the zone that a person chose, whatever it answers. And
 * not of a person who chose one in their profile.
 */
function useOwnZone(): void {
  if (document.documentElement.dataset["zone"] !== undefined) return;
  const field = zoneField();
  const isSent = document.querySelector("main[data-once]") !== null;
  // A pasted URL is sent before the form itself is shown for the first time.
  const isFirst = document.querySelector("[data-unsent]") !== null;
  if ((isSent && !isFirst) || field?.value !== "UTC") return;
  const all = [...field.options].map(({ value }) => value);
  const own =
    all.find((zone) => zone === timeZone) ?? all.find((zone) => ownName(zone) === timeZone);
  if (own === undefined) return;
  field.value = own;
  for (const input of [momentField("from"), momentField("to")])
    if (input !== null && input.value !== "" && input.value === input.defaultValue) {
      const instant = new Date(`${input.value}Z`);
      input.value = moved(input.value, -instant.getTimezoneOffset() * 60_000);
    }
  // A renewal leaves the form as it is now, and the preview shows it.
  if (field.form !== null) field.form.dataset["filled"] = "";
  showPreviewed();
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The preview's times in the same zone, until the service answers with them. */
function showPreviewed(): void {
  const preview = document.querySelector("[data-preview]");
  if (preview === null) return;
  const texts = document.createTreeWalker(preview, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
    text.textContent = (text.textContent ?? "").replaceAll(writtenTime, ownTime);
}

/** `22 Nov 2026, 12:59:55 UTC`, `12:59 UTC`, `22 Nov 2026, 12:05–13:05 UTC`. */
const writtenTime =
  /(?:(\d{1,2} [A-Z][a-z]{2,3} \d{4}), )?(?<![–:\d])(\d\d:\d\d(:\d\d)?)(?:–(\d\d:\d\d))? UTC/g;

function ownTime(written: string, day?: string, from?: string, second?: string, to = from): string {
  const on = day ?? new Date().toUTCString().slice(5, 16);
  const [begin, end] = [from, to].map((time) => new Date(`${on} ${time} UTC`));
  if (begin === undefined || end === undefined || Number.isNaN(begin.getTime())) return written;
  const format = new Intl.DateTimeFormat("en-GB", {
    ...(day === undefined ? {} : ({ day: "numeric", month: "short", year: "numeric" } as const)),
    hour: "2-digit",
    minute: "2-digit",
    ...(second === undefined ? {} : { second: "2-digit" }),
    timeZoneName: "short",
  });
  // A period that passes midnight of UTC ends on the next day.
  const last = end < begin ? new Date(end.getTime() + 86_400_000) : end;
  return withZoneName(format.formatRange(begin, last), begin, last);
}

useOwnZone();
// A test mail has its time as a new channel's messages have it.
for (const field of document.querySelectorAll<HTMLInputElement>('input[name="test_zone"]'))
  field.value = timeZone;
