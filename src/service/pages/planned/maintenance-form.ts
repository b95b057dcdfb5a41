import { html, type Html } from "#page/html";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { newMaintenance } from "#service/alerts/maintenance-api";
import { isTimeZone } from "#service/alerts/maintenance-rules";
import { wallTime } from "#service/alerts/written-time";
import { refuseViolations } from "#service/call-refusal";
import { severalField } from "#service/pages/form-fields";
import { type FormRequest, type KnownReader, mayChange } from "#service/pages/page-request";
import type { PageRooms } from "#service/pages/page-rooms";
import type { Picture } from "#service/pages/picture";

/** What stands in the fields at first. */
export interface MaintenanceFields {
  readonly title: string;
  readonly message: string;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
  readonly recurrence: string;
  readonly monitors: readonly string[];
  readonly locations: readonly string[];
}

/** Nothing yet, or one monitor. */
export const emptyFields = (monitor: number | null = null): MaintenanceFields => ({
  title: "",
  message: "",
  from: "",
  to: "",
  timeZone: "UTC",
  recurrence: "",
  monitors: monitor === null ? [] : [String(monitor)],
  locations: [],
});

/** What somebody has typed, to be shown again where it was wrong. */
export const fieldsIn = (form: URLSearchParams): MaintenanceFields => ({
  title: form.get("title") ?? "",
  message: form.get("message") ?? "",
  from: form.get("from") ?? "",
  to: form.get("to") ?? "",
  timeZone: form.get("zone") ?? "",
  recurrence: form.get("recurrence") ?? "",
  monitors: form.getAll("monitor"),
  locations: form.getAll("location"),
});

/** A form that plans work; nothing for a reader who may only read. */
export function maintenanceForm(
  fields: MaintenanceFields,
  picture: Picture,
  reader: KnownReader,
  isOpen: boolean,
): Html | null {
  if (!mayChange(reader)) return null;
  const { title, message, from, to, timeZone, recurrence } = fields;
  const text = (words: string, name: string, value: string, max: number): Html =>
    html`<label
      >${words}
      <input name="${name}" value="${value}" maxlength="${max}" autocomplete="off" required
    /></label>`;
  const time = (words: string, name: string, value: string): Html =>
    html`<label
      >${words} <input type="datetime-local" name="${name}" value="${value}" required
    /></label>`;
  return html`<details class="act" ${isOpen ? html` open` : null}>
    <summary>Plan maintenance</summary>
    <form method="post" action="/maintenances" class="filter">
      <input type="hidden" name="form" value="${reader.formToken}" />
      ${text("Title", "title", title, checkLimits.nameCharsMax)}
      ${text("Message", "message", message, alertsLimits.maintenanceMessageCharsMax)}
      ${time("From", "from", from)} ${time("To", "to", to)}
      ${text("Time zone", "zone", timeZone, limits.timeZoneCharsMax)}
      <label
        >Repeats (optional)
        <input
          name="recurrence"
          value="${recurrence}"
          maxlength="${limits.pageFilterCharsMax}"
          placeholder="FREQ=WEEKLY;BYDAY=SU"
          autocomplete="off"
      /></label>
      ${severalField("Monitors", "monitor", picture.monitors, fields.monitors)}
      ${severalField("Locations", "location", picture.locations, fields.locations)}
      <button type="submit">Plan it</button>
    </form>
    <p class="words">
      Nothing opens an incident in a window. A location stands for all monitors that only it runs.
    </p>
  </details>`;
}

/** Keeps what the form says, or refuses it by its field. */
export async function planMaintenance(rooms: PageRooms, { form }: FormRequest): Promise<void> {
  const { title, message, from, to, timeZone, recurrence, monitors, locations } = fieldsIn(form);
  const zone = timeZone === "" ? "UTC" : timeZone;
  if (!isTimeZone(zone))
    refuseViolations([{ field: "time zone", message: "must be an IANA name, e.g. Europe/Berlin" }]);
  const made = await newMaintenance(rooms, {
    title,
    message,
    from: instantText("from", from, zone),
    to: instantText("to", to, zone),
    recurrence,
    timeZone: zone,
    pageId: "",
    components: [],
    monitorIds: monitors,
    privateLocationIds: locations,
    notify: true,
  });
  await rooms.store.alerts.maintenances.create(made, false);
}

/** A wall-clock time of a zone as an instant. */
function instantText(field: string, wall: string, zone: string): string {
  const instant = wallTime(wall, zone);
  if (instant === null)
    refuseViolations([{ field, message: "must be a day and a time, e.g. 2026-08-12T14:00" }]);
  return instant ?? "";
}
