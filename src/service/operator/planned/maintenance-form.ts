import { html, type Html } from "#web/page/html";
import * as alertsLimits from "#limits/alerts-limits";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { newMaintenance } from "#service/api/maintenance-api";
import { isTimeZone } from "#service/alerting/time-zone";
import { wallTime } from "#service/edge/written-time";
import { violation } from "#service/edge/call-refusal";
import {
  checkField,
  choiceField,
  severalField,
  textArea,
  textField,
} from "#service/operator/form-fields";
import { type FormRequest, type KnownReader, mayChange } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture } from "#service/operator/picture";
import type { StatusPageRow } from "#service/store/page-store";

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
  /** The status page that says it; empty for none. */
  readonly page: string;
  /** Whether subscribers of that page get it. */
  readonly notify: boolean;
}

/** What the form offers to choose from. */
export interface MaintenanceChoices extends Pick<Picture, "monitors" | "locations"> {
  readonly pages: readonly StatusPageRow[];
}

/** Nothing yet, or one monitor. */
export const emptyFields = (monitor: number | null): MaintenanceFields => ({
  title: "",
  message: "",
  from: "",
  to: "",
  timeZone: "UTC",
  recurrence: "",
  monitors: monitor === null ? [] : [String(monitor)],
  locations: [],
  page: "",
  notify: false,
});

/** What a person has typed, to be shown again where it was wrong. */
export const fieldsIn = (form: URLSearchParams): MaintenanceFields => ({
  title: form.get("title") ?? "",
  message: form.get("message") ?? "",
  from: form.get("from") ?? "",
  to: form.get("to") ?? "",
  timeZone: form.get("zone") ?? "",
  recurrence: form.get("recurrence") ?? "",
  monitors: form.getAll("monitor"),
  locations: form.getAll("location"),
  page: form.get("page") ?? "",
  notify: form.has("notify"),
});

/** A form that plans work; nothing for a reader who may only read. */
export function maintenanceForm(
  fields: MaintenanceFields,
  { monitors, locations, pages }: MaintenanceChoices,
  reader: KnownReader,
  isOpen: boolean,
): Html | null {
  if (!mayChange(reader)) return null;
  const { title, message, from, to, timeZone, recurrence } = fields;
  return html`<details class="act" ${isOpen ? html` open` : null}>
    <summary>Plan maintenance</summary>
    <form method="post" action="/maintenances" class="filter">
      <input type="hidden" name="form" value="${reader.formToken}" />
      ${textField({ words: "Title", name: "title", value: title, charsMax: checkLimits.nameCharsMax, isRequired: true })}
      ${textArea({ words: "Message (Markdown)", name: "message", value: message, charsMax: alertsLimits.maintenanceMessageCharsMax, isRequired: true })}
      ${timeField("From", "from", from)} ${timeField("To", "to", to)}
      ${textField({ words: "Time zone", name: "zone", value: timeZone, charsMax: limits.timeZoneCharsMax, isRequired: true })}
      ${textField({ words: "Repeats (optional)", name: "recurrence", value: recurrence, charsMax: limits.pageFilterCharsMax, example: "FREQ=WEEKLY;BYDAY=SU" })}
      ${severalField("Monitors", "monitor", monitors, fields.monitors)}
      ${severalField("Locations", "location", locations, fields.locations)}
      ${pageFields(fields, pages)}
      <button type="submit">Plan it</button>
    </form>
    <p class="words">
      Nothing opens an incident in a window. A location means all monitors that only it runs. A
      status page says it of the parts that show these monitors, or of the page as a whole.
    </p>
  </details>`;
}

const timeField = (words: string, name: string, value: string): Html =>
  html`<label
    >${words} <input type="datetime-local" name="${name}" value="${value}" required
  /></label>`;

/** Which status page says it, and to whom: nothing if there is no page. */
const pageFields = (
  { page, notify }: MaintenanceFields,
  pages: readonly StatusPageRow[],
): Html | null =>
  pages.length === 0
    ? null
    : html`${choiceField(
        "Status page",
        "page",
        [
          ["", "none"],
          ...pages.map(({ id, definition }) => [String(id), definition.title] as const),
        ],
        page,
      )}
      ${checkField("Send it to the page's subscribers", "notify", notify)}`;

/** Keeps what the form says, or refuses it by its field. */
export async function planMaintenance(rooms: PageRooms, { form }: FormRequest): Promise<void> {
  const fields = fieldsIn(form);
  const { title, message, from, to, timeZone, recurrence, monitors, locations } = fields;
  const zone = timeZone === "" ? "UTC" : timeZone;
  if (!isTimeZone(zone))
    throw violation({ field: "time zone", message: "must be an IANA name, e.g. Europe/Berlin" });
  if (fields.notify && fields.page === "")
    throw violation({
      field: "status page",
      message: "must be chosen: subscribers are those of a page",
    });
  const made = await newMaintenance(rooms, {
    title,
    message,
    from: instantText("from", from, zone),
    to: instantText("to", to, zone),
    recurrence,
    timeZone: zone,
    pageId: fields.page,
    components: await showingComponents(rooms, fields),
    monitorIds: monitors,
    privateLocationIds: locations,
    notify: true,
  });
  await rooms.store.alerts.maintenances.create(made, fields.notify);
}

/** The parts of the page that show one of the monitors. */
async function showingComponents(
  { statusPages }: PageRooms,
  { page, monitors }: MaintenanceFields,
): Promise<readonly string[]> {
  if (page === "") return [];
  const { components } = await statusPages.content((await statusPages.get(page)).id);
  return components
    .filter(({ monitor }) => monitor !== null && monitors.includes(String(monitor)))
    .map(({ id }) => String(id));
}

/** A wall-clock time of a zone as an instant. */
function instantText(field: string, wall: string, zone: string): string {
  const instant = wallTime(wall, zone);
  if (instant !== null) return instant;
  throw violation({ field, message: "must be a day and a time, e.g. 2026-08-12T14:00" });
}
