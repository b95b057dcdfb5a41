import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { plannedMark, verdictMark } from "#web/page/verdict-mark";
import type { MaintenanceSnapshot } from "#service/alerting/snapshot";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { framed, type PageContext, type PageRequest } from "#service/operator/page-request";
import {
  announced,
  type Announcements,
  announcementsSection,
} from "#service/operator/planned/announcements";
import { pathOfWork } from "#service/operator/planned/work-acts";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { Story } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/**
 * Where the number of an announced window leads. The store keeps it among incidents, and messages name it so; people read
 * of planned work on its own page. Of what is deleted, what was announced is all that is known.
 */
export async function announcedAnswer(
  { rooms }: PageContext,
  request: PageRequest,
  story: Story,
): Promise<PageAnswer> {
  const { id } = story.incident.subject;
  const isThere = (await rooms.store.alerts.maintenances.get(id)) !== null;
  if (isThere) return seeOther(pathOfWork({ id }));
  const at = rooms.clock.wall();
  const announcements = await announced(rooms, { work: id, page: null }, [story.incident]);
  return framed(request, {
    title: `${story.name} · Maintenance · Picket`,
    section: "maintenance",
    document: null,
    at,
    content: announcedView(story, announcements, at),
  });
}

/** One window of planned work that is deleted, as it was announced. */
function announcedView(story: Story, announcements: Announcements, at: EpochMillis): Html {
  const { ended } = story.incident;
  const snapshot = story.events.at(-1)?.snapshot;
  const said = snapshot?.of === "maintenance" ? snapshot.maintenance : null;
  const isCancelled = said !== null && ended !== null && ended.at < said.to;
  return html`<p class="back"><a href="/maintenances">Maintenance</a></p>
    <h1 class="target">${story.name}</h1>
    <p class="verdict">
      ${ended === null ? plannedMark("Now") : verdictMark("success", isCancelled ? "Cancelled" : "Completed")}
      <span class="kind">This maintenance was deleted.</span>
    </p>
    ${said === null ? null : facts(said, isCancelled ? "Planned end" : said.to <= at ? "Ended" : "Ends")}
    <div class="columns stack">
      ${
        said === null || said.message === said.title
          ? null
          : html`<section aria-labelledby="message">
              <h2 id="message">Message</h2>
              <div class="said">${reportMarkup(said.message)}</div>
            </section>`
      }
      ${announcementsSection(announcements, at, { coming: "", byItself: null })}
    </div>`;
}

const facts = (
  { from, to, monitorNames, monitorCount }: MaintenanceSnapshot["maintenance"],
  endLabel: string,
): Html => {
  const rest = monitorCount - monitorNames.length;
  const names = monitorNames.join(", ");
  return html`<dl class="tiles brief" aria-label="Details">
    <div>
      <dt>Began</dt>
      <dd>${minuteOf(from)}</dd>
    </div>
    <div>
      <dt>${endLabel}</dt>
      <dd>${minuteOf(to)}</dd>
    </div>
    ${
      monitorCount === 0
        ? null
        : html`<div>
            <dt>Covered</dt>
            <dd>${rest > 0 ? `${names} and ${rest} more` : names}</dd>
          </div>`
    }
  </dl>`;
};
