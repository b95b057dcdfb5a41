import { failureSentence } from "#service/notify/message/failure-sentence";
import { codeWords, failureName } from "#service/operator/failures/failure-words";
import { counted, grouped, lastingLength, lengthOf } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { unacknowledged } from "#service/operator/incidents/cause-acknowledgement";
import { causeLines, oneLineList } from "#service/operator/incidents/cause-lines";
import { type IncidentQuery, incidentQueryText } from "#service/operator/incidents/incident-query";
import { numberRanges } from "#service/alerts/number-ranges";
import type { IncidentGroup } from "#service/operator/incidents/rows-of-incidents";
import { causeMark, passingWords, recoveredOf } from "#service/operator/incidents/recovery-words";
import { eachPlace, placesWords } from "#service/operator/monitors/cause-places";
import { inCommon } from "#service/operator/monitors/common-traits";
import { firstNames } from "#service/operator/monitors/cause-row";
import type { CauseGroup } from "#service/operator/monitors/cause-groups";
import { failedFor, failsAnew } from "#service/operator/monitors/failed-for";
import type { KnownReader } from "#service/operator/page-request";
import type { EpochMillis } from "#base/units";
import { may } from "#service/operator/roles";
import type { Picture } from "#service/operator/picture";
import { plannedChipsOf } from "#service/operator/planned/planned-chips";
import { placeList } from "#service/operator/lists/place-list";

interface GroupLook {
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What the list is of. */
  readonly query: IncidentQuery;
  readonly back: string;
}

/** A row for all incidents of one cause, with a line of each below it. */
export function groupRow(group: IncidentGroup, look: GroupLook): Html {
  const { cause, numbers } = group;
  const { picture, query } = look;
  const { monitors, reason } = cause;
  const folded = monitors.slice(0, limits.causeLinesMax);
  const rest = monitors.length - folded.length;
  const common = inCommon(monitors);
  const what = `${counted(numbers.length, "monitor")}: ${codeWords(reason.code)}`;
  const apart = { ...query, state: "open", grouped: false, offset: 0 } as const;
  return html`<li class="incident event outage group">
    ${causeMark(monitors)}
    <h3>${what}${plannedChipsOf(picture, monitors)}</h3>
    <p class="length">${lengthWords(monitors, picture.at)}</p>
    <p class="why">${whyWords(cause, picture.at)}</p>
    <p class="meta">
      <span title="${eachPlace(cause)}">${failureName(reason)}${placesWords(cause)}</span>
      ${common === "" ? null : html`<span class="names">in common: ${breakable(common)}</span>`}
      ${unacknowledged(monitors).length > 0 ? null : html`<span class="names">acknowledged by ${breakable(placeList(group.acknowledgedBy))}</span>`}
    </p>
    ${groupAct(group, look)}
    <details id="group-${numbers[0] ?? 0}">
      <summary>${firstNames(monitors)}</summary>
      ${oneLineList(causeLines(folded, picture.at))}
      ${rest === 0 ? null : html`<p class="words"><a href="/incidents${incidentQueryText(apart)}">All ${grouped(monitors.length)}, a row each</a></p>`}
    </details>
  </li>`;
}

/** For how long they have failed; of those that all recover, for how long they did. */
function lengthWords(monitors: CauseGroup["monitors"], at: EpochMillis): Html | string | null {
  const recovered = recoveredOf(monitors, at);
  return recovered === null
    ? failedFor(monitors, at, "for")
    : `was down for ${lengthOf(recovered.down)}`;
}

/** How it fails, and how many of them pass, a sentence each. */
function whyWords({ monitors, reason }: CauseGroup, at: EpochMillis): string {
  const recovered = recoveredOf(monitors, at);
  const up =
    recovered === null
      ? passingWords(monitors)
      : `All pass now for ${lastingLength(recovered.passing)}.`;
  if (reason.message === "") return up;
  const now = monitors.some(failsAnew) ? "Now: " : "";
  const sentence = `${now}${failureSentence(reason.message)}`;
  if (recovered !== null) return `${up} Before that: ${sentence}`;
  return up === "" ? sentence : `${sentence.replace(/\.$/, "")}. ${up}`;
}

function groupAct({ cause }: IncidentGroup, { reader, back }: GroupLook): Html | null {
  const open = unacknowledged(cause.monitors).length;
  if (open === 0) return null;
  if (!may(reader, "responder")) return html`<p class="next">${grouped(open)} not acknowledged</p>`;
  return acknowledgeAll(cause, { reader, back });
}

interface AllOfCause {
  readonly reader: KnownReader;
  readonly back: string;
}

/** One press for all that the page shows and no one has acknowledged. */
export function acknowledgeAll({ monitors }: CauseGroup, { reader, back }: AllOfCause): Html {
  const open = unacknowledged(monitors);
  const numbers = open.slice(0, acknowledgedTogetherMax);
  const rest = open.length - numbers.length;
  const several =
    rest === 0
      ? `all ${grouped(open.length)}`
      : `${grouped(numbers.length)} of ${grouped(open.length)}`;
  return html`<form class="next" method="post" action="/incidents/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="numbers" value="${numberRanges(numbers)}" />
    <input type="hidden" name="back" value="${back}" />
    <button type="submit" class="small">Acknowledge ${open.length === 1 ? null : several}</button>
  </form>`;
}
