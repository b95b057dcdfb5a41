/*
 * Puts the reader's time zone into a form for something new. A zone that was chosen already stays.
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
