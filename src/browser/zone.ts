/*
 * Puts the reader's time zone into a form for something new, with what a clock there shows, and keeps the end one hour
 * after the beginning. What was chosen already stays.
 */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const field = document.querySelector('select[name="time_zone"]');
const begin = document.querySelector<HTMLInputElement>('input[name="from"]');
const end = document.querySelector<HTMLInputElement>('input[name="to"]');

/** Of times as a clock shows them: which zone it is in does not matter for an hour. */
const moved = (wall: string, ms: number): string =>
  wall === "" ? "" : new Date(Date.parse(`${wall}Z`) + ms).toISOString().slice(0, 16);
const hourAfter = (wall: string): string => moved(wall, 3_600_000);

// A form that came back has the zone that a person chose.
const isFresh = document.querySelector(".mistakes") === null;
if (isFresh && field instanceof HTMLSelectElement && field.value === "UTC") {
  const own = [...field.options].find(({ value }) => value === timeZone);
  if (own !== undefined) {
    own.defaultSelected = true;
    field.value = timeZone;
    for (const input of [begin, end])
      if (input !== null && input.value !== "" && input.value === input.defaultValue) {
        const instant = new Date(`${input.value}Z`);
        input.defaultValue = moved(input.value, -instant.getTimezoneOffset() * 60_000);
      }
  }
}

let before = begin?.value ?? "";
begin?.addEventListener("change", () => {
  if (end === null || begin.value === "") return;
  if (end.value === "" || end.value === hourAfter(before)) end.value = hourAfter(begin.value);
  before = begin.value;
});
