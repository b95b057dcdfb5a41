import { dayAndTime, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { Silence } from "#service/alerting/silence";
import { verdictMark } from "#web/page/verdict-mark";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import {
  maintenanceForm,
  type MaintenanceFields,
} from "#service/operator/planned/maintenance-form";
import { nextWindow, type PlannedWindow } from "#service/operator/planned/work-under-way";
import { silenceNotes } from "#service/operator/silence-form";
import type { MaintenanceRow } from "#service/store/alert-store";
import type { StatusPageRow } from "#service/store/page-store";
import { between, type EpochMillis } from "#base/units";

export interface MaintenancePage {
  readonly rows: readonly MaintenanceRow[];
  readonly total: number;
  readonly offset: number;
  readonly silences: readonly Silence[];
  readonly picture: Picture;
  /** Status pages that may say what is planned. */
  readonly pages: readonly StatusPageRow[];
  readonly reader: KnownReader;
  readonly fields: MaintenanceFields;
  /** What became of a form, or what is wrong with it; null if none was sent. */
  readonly notice: FormNotice | null;
}

/** Planned work, the latest first, and what is silenced now. */
export function maintenanceView(page: MaintenancePage): Html {
  const { rows, total, offset, silences, picture, pages, reader, fields, notice } = page;
  const { at } = picture;
  const running = rows.filter((row) => isRunning(row, at)).length;
  return html`<h1>Maintenance</h1>
    <p class="lede">${running === 0 ? "No maintenance now" : `${running} under way`}</p>
    ${noticeLine(notice)}
    ${maintenanceForm(fields, { ...picture, pages }, reader, notice?.isFault === true || fields.monitors.length > 0)}
    <section aria-labelledby="planned">
      <h2 id="planned">Planned, the latest first</h2>
      ${
        rows.length === 0
          ? html`<p class="advice">Nothing is planned.</p>`
          : html`<ul class="watched incidents">
              ${rows.map((row) => maintenanceLine(row, page))}
            </ul>`
      }
      ${pagingNav({
        label: "More maintenance",
        offset,
        size: limits.maintenancesListed,
        matched: total,
        to: (to) => `/maintenances?offset=${to}`,
      })}
    </section>
    <section aria-labelledby="silences">
      <h2 id="silences">Silenced now</h2>
      ${silences.length === 0 ? html`<p class="advice">Nothing is silenced.</p>` : null}
      ${silences.map(
        (silence) =>
          html`<h3>${targetWords(silence, picture)}</h3>
            ${silenceNotes([silence], "/maintenances", reader, at)}`,
      )}
    </section>`;
}

function isRunning(row: MaintenanceRow, at: EpochMillis): boolean {
  const window = nextWindow(row, at);
  return window !== null && window.from <= at;
}

function maintenanceLine(row: MaintenanceRow, { picture, reader }: MaintenancePage): Html {
  const { at } = picture;
  const window = nextWindow(row, at);
  const mark =
    window === null
      ? verdictMark("success", "Over")
      : window.from <= at
        ? verdictMark("degraded", "Now")
        : verdictMark("unchecked", "Planned");
  const { from, to } = window ?? row;
  return html`<li class="incident">
    ${mark}
    <h3>${row.title}</h3>
    <p class="kind">
      <time datetime="${isoTime(from)}">${dayAndTime(from)}</time> to
      <time datetime="${isoTime(to)}">${dayAndTime(to)}</time>,
      ${span(between(from, to))}${row.recurrence === "" ? null : html`, repeats by <code>${row.recurrence}</code> in ${row.timeZone}`};
      ${targetWords({ ...row, labels: {} }, picture)}
    </p>
    <div class="why">
      <p>${row.message}</p>
      ${window === null ? null : endForm(row, window.from <= at, reader)}
    </div>
  </li>`;
}

/** Work of a file is ended there: the next reading of the file would bring it back. */
function endForm(row: MaintenanceRow, isNow: boolean, reader: KnownReader): Html | null {
  if (!mayChange(reader)) return null;
  if (row.owner !== "") return html`<p>Managed by the file of ${row.owner}: edit it there.</p>`;
  const words = isNow && row.recurrence === "" ? "End now" : "Remove";
  return html`<form method="post" action="/maintenances/${row.id}/end">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit" aria-label="${words}: ${row.title}">${words}</button>
  </form>`;
}

type Target = Pick<Silence, "monitors" | "locations" | "labels">;

/** Names of what is covered. */
function targetWords({ monitors, locations, labels }: Target, picture: Picture): string {
  const nameOf = (all: Picture["monitors"] | Picture["locations"], id: number): string =>
    all.find((one) => one.id === id)?.name ?? `${id}, deleted`;
  const names = [
    ...monitors.map((id) => nameOf(picture.monitors, id)),
    ...locations.map((id) => `location ${nameOf(picture.locations, id)}`),
    ...Object.entries(labels).map(([key, value]) => `label ${key}: ${value}`),
  ];
  const more = names.length - limits.namesShown;
  return more > 0
    ? `${names.slice(0, limits.namesShown).join(", ")} and ${more} more`
    : names.join(", ");
}

/** The window that something is in now; nothing if it is in none. */
export const windowNote = (window: PlannedWindow | null, at: EpochMillis): Html | null =>
  window === null
    ? null
    : html`<p class="advice">
        Under maintenance for
        <time datetime="${isoTime(window.to)}">${span(between(at, window.to))}</time> more:
        <a href="/maintenances">${window.title}</a>. ${window.message}
      </p>`;
