import { html, type Html } from "#web/page/html";
import { daysShown } from "#limits/pages-limits";
import {
  affectedNamesMax,
  maintenanceWindowsMax,
  reportMessageCharsMax,
} from "#limits/status-limits";
import {
  audienceWords,
  besideBox,
  messagePreview,
  previewSection,
  shownPreview,
} from "#service/operator/message-preview";
import { endedEarly } from "#service/alerting/ended-early";
import { type Window, windowsAfter } from "#service/alerting/maintenance";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { finalWindow, nextWindow } from "#service/operator/planned/work-under-way";
import type { WindowUpdate } from "#service/status-page/page-facts";
import { trueUpdates } from "#service/status-site/true-updates";
import { repeatsOf } from "#service/status-site/view/repeat-rule";
import { workArticle } from "#service/status-site/view/window-list";
import { periodInZone, wordsIn } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { ComponentRow, StatusPageRow } from "#service/store/page-store";
import { epochMillis, type EpochMillis, hours } from "#base/units";

interface PreviewedUpdate {
  readonly row: MaintenanceRow;
  /** Null: none shows it. */
  readonly page: StatusPageRow | null;
  /** Those of the page that it is about. */
  readonly components: readonly ComponentRow[];
  /** What was said before, the newest first. */
  readonly updates: readonly WindowUpdate[];
  readonly typed: URLSearchParams;
  /** Whom it reaches if it is sent. */
  readonly audience: string;
  readonly now: EpochMillis;
}

/** Planned work as its page will show it with a further update, in the page's own language. */
export function updatePreview(preview: PreviewedUpdate): Html {
  const { row, page, typed, audience } = preview;
  const message = (typed.get("message") ?? "").slice(0, reportMessageCharsMax);
  const after = html`<p class="help">${audienceWords(typed, page?.definition ?? null)}</p>
    ${besideBox(audience)}`;
  const seen = page === null ? null : seenOn(page, preview, message);
  return seen === null
    ? messagePreview({ subject: row.title, lines: [], fault: null, message, after })
    : previewSection(shownPreview(html`<div class="seen">${seen}</div>`, after));
}

/** Its times that a page knows. */
const timesOf = (row: MaintenanceRow, now: EpochMillis): readonly Window[] =>
  maintenanceOf(row).flatMap((plan) =>
    windowsAfter(plan, epochMillis(now - daysShown * hours(24)), maintenanceWindowsMax),
  );

/** Null of work that has no time any more which a page could show. */
function seenOn(
  { definition }: StatusPageRow,
  { row, components, updates, now }: PreviewedUpdate,
  message: string,
): Html | null {
  const window = endedEarly(row.movedEnds, now) ?? nextWindow(row, now) ?? finalWindow(row);
  if (window === null) return null;
  const fresh = message.trim() === "" ? "Type a message, and it is shown here." : message;
  const names = components.slice(0, affectedNamesMax).map(({ name }) => name);
  const { id, title } = row;
  const shown = {
    ...window,
    id,
    title,
    message: row.message,
    components: components.map((one) => one.id),
    updates: [{ at: now, message: fresh }, ...trueUpdates(row, updates, timesOf(row, now), now)],
    repeats: repeatsOf(row),
    series: null,
    createdAt: row.createdAt,
    changedAt: row.updatedAt,
  };
  const words = wordsIn(definition.defaultLocale);
  const { from, to } = window;
  // As a reader in the zone in which it was planned has it.
  const period = periodInZone(words.locale, row.timeZone, new Date(from), new Date(to));
  const facts = { title: html`<h2>${title}</h2>`, period, names: names.join(", ") };
  return workArticle(
    { window: shown, later: [], skipped: [], isOver: window.to <= now },
    facts,
    words,
  );
}
