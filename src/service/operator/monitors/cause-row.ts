import { capital } from "#base/text";
import { phaseInWords } from "#check/failure";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { type Day, meanDays } from "#web/page/chart/calendar";
import { counted, grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { codeWords } from "#service/operator/failures/failure-words";
import {
  causeMark,
  passingWords,
  recoveredWords,
} from "#service/operator/incidents/recovery-words";
import { eachPlace, placesWords } from "#service/operator/monitors/cause-places";
import { inCommon } from "#service/operator/monitors/common-traits";
import type { CauseGroup } from "#service/operator/monitors/cause-groups";
import { failedFor, failsAnew } from "#service/operator/monitors/failed-for";
import { latest } from "#service/operator/monitors/line-latency";
import { pickGroup } from "#service/operator/monitors/many-form";
import type { BoxStates } from "#service/operator/monitors/picks";
import { firstQuery, type OverviewQuery, queryText } from "#service/operator/overview-query";
import { listedState, type PicturedMonitor } from "#service/operator/picture";
import type { EpochMillis } from "#base/units";

export interface CauseLook {
  readonly at: EpochMillis;
  /** Null if nothing can be selected. */
  readonly picked: BoxStates | null;
  /** Bars of days, and the uptime of them. */
  readonly drawn: (days: readonly Day[]) => Html;
  /** How many of them are under maintenance, or silenced. */
  readonly chips: (monitors: readonly PicturedMonitor[]) => Html;
}

type DrawLine = (monitor: PicturedMonitor, picked: BoxStates | null) => Html;

/** Monitors that fail for one cause: what it is and for how long, their mean days, and a line of each below it. */
export function causeRow(row: CauseGroup, look: CauseLook, line: DrawLine): Html {
  const { at, picked } = look;
  const { reason, monitors } = row;
  const chosen = picked === null ? 0 : monitors.filter(({ id }) => picked.ids.has(id)).length;
  const isWhole = chosen === monitors.length;
  // Its own box is for all of them: none is selected twice.
  const ofLines = isWhole && picked !== null ? { ...picked, ids: new Set<number>() } : picked;
  const lines = monitors.slice(0, limits.causeLinesMax);
  const recovered = recoveredWords(monitors, at);
  const common = inCommon(monitors);
  const fails = new Set(monitors.map(latest));
  const what =
    reason.message === "" ? capital(codeWords(reason.code)) : failureSentence(reason.message);
  return html`<li class="cause">
    ${picked === null ? null : pickGroup(monitors, what, isWhole)}
    <details${chosen > 0 && !isWhole ? html` open` : null}>
      <summary>
        ${causeMark(monitors)}
        <strong title="${eachPlace(row)}">${counted(monitors.length, "monitor")}${placesWords(row)}${look.chips(monitors)}</strong>
        <span class="kind">${firstNames(monitors)}</span>
        ${look.drawn(meanDays(monitors.map(({ days }) => days)))}
        ${fails.size === 1 ? html`<span class="latency">${[...fails].join(", ")}</span>` : null}
        <span class="why"
          >${recovered === "" ? failedFor(monitors, at) : recovered} ${monitors.some(failsAnew) ? "Now: " : null}${what} (<code>${reason.code}</code> ${phaseInWords(reason.phase)}). ${[recovered === "" ? passingWords(monitors) : "", common === "" ? "" : `In common: ${common}.`, seenTo(monitors)].filter(Boolean).join(" ")}</span
        >
      </summary>
      <ul class="watched${picked === null ? "" : " picks"}">
        ${lines.map((monitor) => line(monitor, ofLines))}
      </ul>
      ${lines.length === monitors.length ? null : html`<p class="words"><a href="/${queryText(apart(row))}">${allWords(monitors)}, a line each</a></p>`}
    </details>
  </li>`;
}

/** The same monitors without groups, and others that fail with the same code. */
const apart = ({ monitors, status, reason }: CauseGroup): OverviewQuery => ({
  ...firstQuery,
  state: monitors.every((one) => listedState(one) === status) ? status : null,
  text: reason.code,
  grouped: false,
});

/** A search finds those that fail now: of the others, no reason is known. */
const allWords = (monitors: readonly PicturedMonitor[]): string =>
  monitors.every(({ status }) => status !== "active")
    ? `All ${grouped(monitors.length)}`
    : "Those that fail now";

/** Which they are, before the row is opened. */
export function firstNames(monitors: readonly PicturedMonitor[]): string {
  const names = monitors.slice(0, limits.namesShown).map(({ name }) => name);
  const more = monitors.length - names.length;
  return `${names.join(", ")}${more === 0 ? "" : ` and ${grouped(more)} more`}`;
}

/** How many of them a person looks at already. */
function seenTo(monitors: readonly PicturedMonitor[]): string {
  const count = monitors.filter(({ incident }) => incident?.acknowledged === true).length;
  if (count === 0) return "";
  return count === monitors.length
    ? "All are acknowledged."
    : `${grouped(count)} of ${grouped(monitors.length)} ${count === 1 ? "is" : "are"} acknowledged.`;
}
