import { dayAndMinute, isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { Silence } from "#service/alerting/silence";
import { verdictMark } from "#web/page/verdict-mark";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { buttonForm, ownForm } from "#service/operator/form-fields";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import { managedNote } from "#service/operator/managed-note";
import { recurrenceWords } from "#service/operator/planned/repeat-words";
import { nextWindow, type PlannedWindow } from "#service/operator/planned/work-under-way";
import { may } from "#service/operator/roles";
import { silenceNotes } from "#service/operator/silence-form";
import type { MaintenanceRow } from "#service/store/alert-store";
import type { StatusPageRow } from "#service/store/page-store";
import { between, type EpochMillis } from "#base/units";

interface MaintenancePage {
  readonly rows: readonly MaintenanceRow[];
  /** The status pages that show them, by their ids. */
  readonly pages: ReadonlyMap<string, StatusPageRow>;
  readonly total: number;
  readonly offset: number;
  readonly silences: readonly Silence[];
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What became of a form, or what is wrong with it; null if none was sent. */
  readonly notice: FormNotice | null;
}

/** Planned work, the latest first, and what is silenced now. */
export function maintenanceView(page: MaintenancePage): Html {
  const { rows, total, offset, silences, picture, reader, notice } = page;
  const { at } = picture;
  const running = rows.filter((row) => isRunning(row, at)).length;
  return html`${listHead({
      title: "Maintenance",
      count: running === 0 ? "No maintenance now" : `${running} under way`,
      sentence:
        "No incident opens while work is under way. Each entry says which status page shows it.",
      acts: mayChange(reader) ? mainAct("/maintenances/new", "Plan maintenance") : null,
    })}
    ${noticeLine(notice)}
    <section aria-labelledby="planned">
      <h2 id="planned">Planned, the latest first</h2>
      ${
        rows.length === 0
          ? html`<p class="advice">Nothing is planned. Plan work before you do it.</p>`
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

function maintenanceLine(row: MaintenanceRow, { picture, pages, reader }: MaintenancePage): Html {
  const { at } = picture;
  const window = nextWindow(row, at);
  const mark =
    window === null
      ? verdictMark("success", "Completed")
      : window.from <= at
        ? verdictMark("degraded", "Now")
        : verdictMark("unchecked", "Planned");
  const { from, to } = window ?? row;
  return html`<li class="incident event">
    ${mark}
    <h3>${row.title}</h3>
    <div class="why said">${reportMarkup(row.message)}</div>
    <p class="meta">
      <span>${minuteOf(from)} to ${minuteOf(to)}, ${lengthOf(between(from, to))}</span>
      ${row.recurrence === "" ? null : html`<span class="names">${recurrenceWords(row)} (${row.timeZone})</span>`}
      <span class="names">${targetWords({ ...row, labels: {} }, picture)}</span>
      <span class="names">${shownWords(pages.get(row.page) ?? null)}</span>
    </p>
    ${acts(row, at, reader)}
  </li>`;
}

/** Where readers see planned work; `page` null: it is on none. */
export function shownWords(page: StatusPageRow | null): string {
  if (page === null) return "No status page shows it.";
  const { title, published } = page.definition;
  return published
    ? `The status page “${title}” shows it.`
    : `The status page “${title}” is a draft: publish it, and its readers see this.`;
}

const minuteOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndMinute(at)}</time>`;

/** Work of a file is changed there: the next reading of the file would bring it back. */
function acts(row: MaintenanceRow, at: EpochMillis, reader: KnownReader): Html | null {
  if (!may(reader, "responder")) return null;
  if (!mayChange(reader)) return html`<div class="next acts">${updateLink(row)}</div>`;
  if (row.owner !== "")
    return html`<div class="next acts">${updateLink(row)}</div>
      ${managedNote(row.owner)}`;
  const path = `/maintenances/${row.id}`;
  const isNow = row.from <= at && at < row.to;
  return html`<div class="next acts">
    ${updateLink(row)}
    <a class="button small" href="${path}/edit" aria-label="Edit ${row.title}">Edit</a>
    ${isNow ? buttonForm(`${path}/end`, reader, "End now", row.title) : null}
    <a class="button small" href="${path}/delete" aria-label="Delete ${row.title}">Delete</a>
  </div>`;
}

/** Work that takes longer, or goes well, is said where it was announced. */
const updateLink = ({ id, title }: MaintenanceRow): Html =>
  html`<a
    class="button small"
    href="/maintenances/${id}/updates"
    aria-label="Post an update: ${title}"
    >Post an update</a
  >`;

/** Asks once. */
export const deletionView = (row: MaintenanceRow, reader: KnownReader): Html =>
  html`<p class="back"><a href="/maintenances">Maintenance</a></p>
    <h1 class="page">Delete ${row.title}?</h1>
    <p class="lede-line">
      ${row.recurrence === "" ? "It goes" : `It goes with all times at which it repeats: ${recurrenceWords(row)}. It goes`}
      from this list and from its status page. Monitors open incidents again at once. This cannot be
      undone.
    </p>
    ${
      row.owner === ""
        ? ownForm(
            `/maintenances/${row.id}/delete`,
            reader,
            html`<button type="submit" class="danger">Delete</button>
              <a href="/maintenances">Cancel</a>`,
          )
        : managedNote(row.owner)
    }`;

type Target = Pick<Silence, "monitors" | "locations" | "labels">;

/** Names of what is covered. */
function targetWords({ monitors, locations, labels }: Target, picture: Picture): string {
  const nameOf = (all: Picture["monitors"] | Picture["locations"], id: number): string =>
    all.find((one) => one.id === id)?.name ?? `${id}, deleted`;
  const pairs = Object.entries(labels);
  // A silence names a thousand: those that are not shown are not looked up.
  const most = limits.namesShown;
  const names = [
    ...monitors.slice(0, most).map((id) => nameOf(picture.monitors, id)),
    ...locations.slice(0, most).map((id) => `location ${nameOf(picture.locations, id)}`),
    ...pairs.slice(0, most).map(([key, value]) => `label ${key}: ${value}`),
  ].slice(0, most);
  const more = monitors.length + locations.length + pairs.length - names.length;
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

/** The window that something is in now; nothing if it is in none. */
export const windowNote = (window: PlannedWindow | null, at: EpochMillis): Html | null =>
  window === null
    ? null
    : html`<p class="advice">
        Under maintenance for
        <time datetime="${isoTime(window.to)}">${lengthOf(between(at, window.to))}</time> more:
        <a href="/maintenances">${window.title}</a>. ${window.message}
      </p>`;
