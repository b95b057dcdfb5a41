/*
 * Puts the reader's time zone into a form for something new, and an end one hour after what begins. What was chosen
 * already stays.
 */

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const field = document.querySelector('select[name="time_zone"]');
if (field instanceof HTMLSelectElement && field.value === "UTC") {
  const own = [...field.options].find(({ value }) => value === timeZone);
  if (own !== undefined) {
    own.defaultSelected = true;
    field.value = timeZone;
  }
}

const begin = document.querySelector<HTMLInputElement>('input[name="from"]');
const end = document.querySelector<HTMLInputElement>('input[name="to"]');
begin?.addEventListener("change", () => {
  if (end === null || end.value !== "" || begin.value === "") return;
  // As a clock shows it: which zone it is in does not matter for an hour.
  const later = new Date(Date.parse(`${begin.value}Z`) + 3_600_000);
  end.value = later.toISOString().slice(0, 16);
});
