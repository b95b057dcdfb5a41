/*
 * Puts the reader's time zone into a form for something new, with what a clock there shows, and keeps the end one hour
 * after the beginning. What was chosen already stays.
 */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

const zoneField = (): HTMLSelectElement | null =>
  document.querySelector('select[name="time_zone"]');
const momentField = (name: "from" | "to"): HTMLInputElement | null =>
  document.querySelector(`input[name="${name}"]`);

/** Of times as a clock shows them: which zone it is in does not matter for an hour. */
const moved = (wall: string, ms: number): string =>
  wall === "" ? "" : new Date(Date.parse(`${wall}Z`) + ms).toISOString().slice(0, 16);
const hourAfter = (wall: string): string => moved(wall, 3_600_000);

/**
 * Only in a form that no one has sent yet: the answer to one has the zone that a person chose, whatever it answers. And
 * not of a person who chose one in their profile.
 */
function useOwnZone(): void {
  if (document.documentElement.dataset["zone"] !== undefined) return;
  const field = zoneField();
  if (document.querySelector("main[data-once]") !== null || field?.value !== "UTC") return;
  const own = [...field.options].find(({ value }) => value === timeZone);
  if (own === undefined) return;
  own.defaultSelected = true;
  field.value = timeZone;
  for (const input of [momentField("from"), momentField("to")])
    if (input !== null && input.value !== "" && input.value === input.defaultValue) {
      const instant = new Date(`${input.value}Z`);
      input.defaultValue = moved(input.value, -instant.getTimezoneOffset() * 60_000);
    }
}

useOwnZone();

let before = momentField("from")?.value ?? "";
// A search among the form's boxes puts another form in its place.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "from" || target.value === "")
    return;
  const end = momentField("to");
  if (end !== null && (end.value === "" || end.value === hourAfter(before)))
    end.value = hourAfter(target.value);
  before = target.value;
});
