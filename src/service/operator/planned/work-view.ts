import { html, type Html } from "#web/page/html";
import { momentOf, weekdayMinuteOf } from "#web/page/moment";
import { silencedMax } from "#limits/alerts-limits";
import { workRemindedBefore } from "#limits/status-limits";
import type { Window } from "#service/alerting/maintenance";
import { isSeldom } from "#service/alerting/work-moments";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { nameOfActor } from "#service/operator/changes/actor-name";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { managedNote } from "#service/operator/managed-note";
import type { KnownReader } from "#service/operator/page-request";
import type { Picture } from "#service/operator/picture";
import { announcementsSection } from "#service/operator/planned/announcements";
import { coveredNames } from "#service/operator/planned/covered-names";
import { updateLines } from "#service/operator/planned/maintenance-update-page";
import type { PlannedStory } from "#service/operator/planned/planned-story";
import { movedNow, movedSection } from "#service/operator/planned/moved-times";
import { recurrenceWords } from "#service/operator/planned/repeat-words";
import { filesNote, headActs } from "#service/operator/planned/work-acts";
import { comingSection } from "#service/operator/planned/skipped-times";
import { finalWindow } from "#service/operator/planned/work-under-way";
import { whenWords, workMark } from "#service/operator/planned/work-words";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { between, type EpochMillis } from "#base/units";

interface WorkPage {
  readonly story: PlannedStory;
  readonly picture: Picture;
  readonly at: EpochMillis;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: FormNotice | null;
  /** What takes back a move of its end; null if none was made. */
  readonly undo: Html | null;
}

/** One planned work: when it is, what it covers, what readers see of it, and who was notified. */
export function workView({ story, picture, at, reader, notice, undo }: WorkPage): Html {
  const { row, updates } = story;
  const shown = story.window ?? finalWindow(row);
  return html`<p class="back"><a href="/maintenances">Maintenance</a></p>
    <div class="title-line monitor-head">
      <h1 class="target">${row.title}</h1>
      <p class="verdict">
        ${workMark(story.window, at)}
        ${shown === null ? null : html`<span class="kind">${whenWords(shown, at)}</span>`}
      </p>
      ${headActs(row, at, reader)}
    </div>
    ${noticeLine(notice)} ${undo} ${managedNote(row.owner)} ${filesNote(row, at, reader)}
    ${movedNow(row, at)} ${facts(story, shown, at)}
    <div class="columns stack">
      ${coverSection(story, picture)} ${messageSection(story)}
      ${
        updates.length === 0
          ? null
          : html`<section aria-labelledby="updates">
              <h2 id="updates">Updates</h2>
              ${updateLines(row, updates, reader)}
            </section>`
      }
      ${comingSection(story, at, reader)} ${movedSection(row, at)}
      ${announcementsSection(story.announcements, at, {
        coming: comingWords(story, shown, at),
        byItself: byItselfWords(story, at),
      })}
    </div>`;
}

function facts({ row, page, made }: PlannedStory, shown: Window | null, at: EpochMillis): Html {
  return html`<dl class="tiles brief" aria-label="Details">
    ${shown === null ? null : tile(shown.from <= at ? "Began" : "Begins", weekdayMinuteOf(shown.from), row.recurrence === "" ? `planned in ${row.timeZone.replaceAll("_", " ")}` : null)}
    ${shown === null ? null : tile(shown.to <= at ? "Ended" : "Ends", weekdayMinuteOf(shown.to))}
    ${row.recurrence === "" ? null : tile("Repeats", recurrenceWords(row), row.timeZone)}
    ${
      page === null
        ? tile("Status page", "none shows it")
        : tile(
            "Status page",
            html`<a href="/status-pages/${page.id}">${page.definition.title}</a>`,
            page.definition.published ? "its readers see this" : "a draft: no reader sees it",
          )
    }
    ${tile("Planned", momentOf(row.createdAt), made === null ? null : `by ${nameOfActor(made)}`)}
  </dl>`;
}

const tile = (name: string, value: string | Html, note: string | null = null): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === null ? null : html` <span class="note">${note}</span>`}</dd>
  </div>`;

/** Monitors and locations by name, each with its page, and parts of the status page. */
function coverSection({ row, page, components, monitors }: PlannedStory, picture: Picture): Html {
  const none = { monitors: [], locations: [], labels: {} };
  const parts = components.map(({ name }) => name).join(", ");
  return html`<section aria-labelledby="covers">
    <h2 id="covers">What it covers</h2>
    <dl class="facts">
      ${monitors.length === 0 ? null : fact("Monitors", coveredNames({ ...none, monitors }, picture, silencedMax))}
      ${row.locations.length === 0 ? null : fact("Locations", coveredNames({ ...none, locations: row.locations }, picture, silencedMax))}
      ${page === null ? null : fact("Components", parts === "" ? "the status page as a whole" : parts)}
    </dl>
    ${
      monitors.length + row.locations.length === 0
        ? null
        : html`<p class="words">They open no incident while it is under way.</p>`
    }
  </section>`;
}

const fact = (name: string, value: string | Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

/** Work on no page has its title as its message, unless something else was typed. */
const messageSection = ({ row }: PlannedStory): Html | null =>
  row.message === row.title
    ? null
    : html`<section aria-labelledby="message">
        <h2 id="message">Message</h2>
        <div class="said">${reportMarkup(row.message)}</div>
      </section>`;

function comingWords({ row }: PlannedStory, shown: Window | null, at: EpochMillis): string {
  if (!row.notify) return "No channel is notified of it.";
  return shown !== null && shown.to > at
    ? "Channels of what it covers are notified when it begins and ends, if they ask for planned maintenance."
    : "No channel was notified of it.";
}

/** What subscribers of its page are still sent of its next time, if its form says so. */
function byItselfWords({ row, page, window }: PlannedStory, at: EpochMillis): string | null {
  const [plan] = maintenanceOf(row);
  if (page === null || window === null || plan === undefined) return null;
  if (!isSeldom(plan, window)) return null;
  const { reminder, times } = row.says;
  const isReminded = reminder && between(at, window.from) > workRemindedBefore;
  const what = [
    ...(isReminded ? ["an hour before it starts"] : []),
    ...(times ? [at < window.from ? "when it starts and is over" : "when it is over"] : []),
  ];
  return what.length === 0
    ? null
    : `By itself, a message goes to subscribers ${what.join(", and ")}.`;
}
