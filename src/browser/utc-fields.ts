import { readerZone as timeZone } from "#browser/reader-zone";

/*
 * Fields for days and times, in the zone of the reader, with the zone named. What is sent of a time is UTC, and a day is
 * sent with its zone: an address means the same to everyone. Without this script such fields are UTC, and say so.
 */

/** Begins to show them in the reader's zone, and to send what is meant. */
export function takeOwnTimes(): void {
  useOwnZone(document);
  document.addEventListener("formdata", ({ target, formData }) => {
    if (!(target instanceof HTMLFormElement)) return;
    for (const field of fieldsIn(target)) formData.set(field.name, sentOf(field));
    // Without a day there is nothing to say of a zone, and UTC is what a day without one is.
    const isPlain =
      formData.get("zone") === "UTC" || daysIn(target).every((day) => day.value === "");
    if (target.dataset["days"] !== undefined && isPlain) formData.delete("zone");
  });
}

/** Of this page, and of those that a renewal brings. */
export function useOwnZone(part: ParentNode): void {
  if (timeZone === "UTC" || timeZone === "") return;
  for (const field of fieldsIn(part)) {
    if (field.dataset["utc"] !== "") continue;
    showOwn(field);
    nameZone(field.labels?.[0] ?? field.parentElement);
  }
  for (const form of part.querySelectorAll<HTMLFormElement>("form[data-days]")) useOwnDays(form);
}

const fieldsIn = (part: ParentNode): readonly HTMLInputElement[] => [
  ...part.querySelectorAll<HTMLInputElement>("input[data-utc]"),
];

const daysIn = (form: HTMLFormElement): readonly HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>('input[type="date"]'),
];

/** After the way back to a page, the browser has put into a field what was typed, which is of this zone already. */
function showOwn(field: HTMLInputElement): void {
  const { defaultValue } = field;
  const isTyped = field.value !== defaultValue;
  field.dataset["utc"] = defaultValue === "" ? "empty" : defaultValue;
  const at = Date.parse(`${defaultValue}Z`);
  if (Number.isNaN(at)) return;
  field.defaultValue = wallOf(at).slice(0, defaultValue.length);
  if (!isTyped) field.value = field.defaultValue;
}

/** What was not changed is sent as it came: an hour that a clock shows twice stays the one that it was. */
function sentOf(field: HTMLInputElement): string {
  const { value, defaultValue } = field;
  const utc = field.dataset["utc"] ?? "";
  if (value === defaultValue && utc !== "empty" && utc !== "") return `${utc}Z`;
  const at = value === "" ? Number.NaN : instantOf(value);
  return Number.isNaN(at) ? value : `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** Days that an address names keep the zone that it names with them. */
function useOwnDays(form: HTMLFormElement): void {
  const zone = form.querySelector<HTMLInputElement>('input[name="zone"]');
  const days = daysIn(form);
  if (zone?.value !== "UTC" || days.some(({ defaultValue }) => defaultValue !== "")) return;
  zone.value = timeZone;
  for (const day of days) nameZone(day.labels?.[0] ?? day.parentElement);
}

function nameZone(label: Element | null | undefined): void {
  const name = label?.querySelector("[data-zone-name]");
  if (name) name.textContent = timeZone.replaceAll("_", " ");
}

/** `2026-11-22 14:05:00`, with a T between. */
const wallOf = (at: number): string => walls.format(at).replace(" ", "T");

/** In Sweden, a date is written as ISO 8601 has it. */
const walls = new Intl.DateTimeFormat("sv-SE", {
  dateStyle: "short",
  timeStyle: "medium",
  timeZone,
});

/** Of an hour that a clock shows twice it is the first; one that it skips is as much later. */
function instantOf(wall: string): number {
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  const before = asUtc - offsetAt(asUtc - dayMs);
  const after = asUtc - offsetAt(asUtc + dayMs);
  const isShown = (at: number): boolean => Date.parse(`${wallOf(at)}Z`) === asUtc;
  return isShown(after) && !isShown(before) ? after : before;
}

const dayMs = 86_400_000;

/** What a clock there is ahead of UTC. */
function offsetAt(at: number): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  return Date.parse(`${wallOf(whole)}Z`) - whole;
}
