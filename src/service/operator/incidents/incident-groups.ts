import { failureSentence } from "#service/alerts/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { openedMonitors } from "#service/operator/incidents/opened-monitors";
import { byCause, type CauseGroup } from "#service/operator/monitors/cause-groups";
import { failedFor } from "#service/operator/monitors/failed-for";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { statusMark } from "#service/operator/status-mark";
import type { EpochMillis } from "#base/units";

/** Open incidents of monitors that fail for one cause, the causes of the overview. */
const incidentGroups = (picture: Picture): readonly CauseGroup[] =>
  groupsOf.getOrInsertComputed(picture, () =>
    byCause(openedMonitors(picture)).filter((one) => one.kind === "cause"),
  );
/** Thousands are grouped once for a picture. */
const groupsOf = new WeakMap<Picture, readonly CauseGroup[]>();

/** The incidents of a group that no one has acknowledged. */
export const unacknowledged = ({ monitors }: Pick<CauseGroup, "monitors">): readonly number[] =>
  monitors.flatMap(({ incident }) =>
    incident === null || incident.acknowledged ? [] : [incident.number],
  );

/** Numbers of the incidents that are in a group. */
export const groupedNumbers = (picture: Picture): ReadonlySet<number> =>
  new Set(
    incidentGroups(picture).flatMap(({ monitors }) =>
      monitors.slice(0, limits.causeLinesMax).flatMap(({ incident }) => incident?.number ?? []),
    ),
  );

/** A line for each cause, with one button for all of its incidents; nothing if each has its own. */
export function groupSection(picture: Picture, reader: KnownReader): Html | null {
  const groups = incidentGroups(picture);
  if (groups.length === 0) return null;
  return html`<section aria-labelledby="causes" class="causes">
    <h2 id="causes">Several for one cause</h2>
    <ul class="watched incidents">
      ${groups.map((one) => groupLine(one, picture.at, reader))}
    </ul>
  </section>`;
}

function groupLine(group: CauseGroup, at: EpochMillis, reader: KnownReader): Html {
  const { monitors, places, reason, status } = group;
  const where = places.length === 0 ? "" : ` at ${places.join(", ")}`;
  return html`<li class="incident event">
    ${statusMark(status)}
    <h3>${counted(monitors.length, "open incident")}${where}</h3>
    <p class="length">${failedFor(monitors, at, "for")}</p>
    ${reason.message === "" ? null : html`<p class="why">${failureSentence(reason.message)}</p>`}
    <p class="meta">
      <span>${failureName(reason)}</span>
    </p>
    <details>
      <summary>Its ${counted(monitors.length, "incident")}</summary>
      <ul class="remarks">
        ${monitors.slice(0, limits.causeLinesMax).flatMap(memberItem)}
      </ul>
      ${monitors.length > limits.causeLinesMax ? html`<p class="words">And ${grouped(monitors.length - limits.causeLinesMax)} more, in the list below.</p>` : null}
    </details>
    ${acknowledgeAll(group, reader)}
  </li>`;
}

const memberItem = ({ name, incident }: PicturedMonitor): readonly Html[] =>
  incident === null
    ? []
    : [
        html`<li>
          <a href="/incidents/${incident.number}">Incident ${incident.number}: ${name}</a
          >${incident.acknowledged ? ", acknowledged" : null}
        </li>`,
      ];

function acknowledgeAll(group: CauseGroup, reader: KnownReader): Html | null {
  const count = unacknowledged(group).length;
  if (count === 0) return html`<p class="next">All are acknowledged.</p>`;
  if (!may(reader, "responder")) return null;
  return html`<form class="next" method="post" action="/incidents/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="cause" value="${group.key}" />
    <button type="submit" class="small">Acknowledge all ${grouped(count)} of this cause</button>
  </form>`;
}
