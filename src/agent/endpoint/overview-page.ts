import { kindTable } from "#check/kinds/kind-table";
import type { AgentStatus } from "#agent/agent-status";
import { agentFacts } from "#agent/endpoint/agent-facts";
import { checkDetail, why } from "#agent/endpoint/check-detail";
import { liveness, unassigned } from "#agent/endpoint/liveness";
import type { LastCheck } from "#agent/endpoint/history";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { MonitorRow, Overview } from "#agent/endpoint/overview";
import { refusedList } from "#agent/endpoint/refused-list";
import { remarkList } from "#agent/endpoint/remark-list";
import { queryOf, type Selection, type View } from "#agent/endpoint/selection";
import { sparkline, sparklineAxis } from "#web/page/sparkline";
import { type Standing, standings, standingWords, verdictMark } from "#web/page/verdict-mark";
import {
  counted,
  dayAndTime,
  grouped,
  isoTime,
  latencyWords,
  span,
  timeOfDay,
} from "#web/page/format";
import { hidesTarget } from "#check/cause";
import { isUncertain } from "#check/outcome";
import { capital } from "#base/text";
import { between, type EpochMillis } from "#base/units";

interface OverviewPage {
  readonly status: AgentStatus;
  readonly overview: Overview;
  readonly selection: Selection;
  readonly serviceUrl: string;
  readonly now: EpochMillis;
}

/** What runs, what fails and why, and how the agent is. */
export function overviewPage(page: OverviewPage): Html {
  const { status, serviceUrl, now } = page;
  const { lede, advice } = headline(page);
  return html`<h1>${status.region ?? "No assignment yet"}</h1>
    <p class="lede">${lede}</p>
    ${[...advice, ...notices(status, now)].map((line) => html`<p class="advice">${line}</p>`)}
    ${status.monitors === 0 ? null : monitorList(page)} ${remarkList(status.remarks)}
    ${refusedList(status.targets)} ${agentFacts(status, serviceUrl, now)}`;
}

interface Headline {
  /** For who reads no more than one line. */
  readonly lede: string;
  readonly advice: readonly string[];
}

function headline({ status, overview }: OverviewPage): Headline {
  if (status.region === null) {
    const { matter, advice } = unassigned(status);
    return { lede: capital(matter), advice: [capital(advice)] };
  }
  if (status.monitors === 0)
    return {
      lede: "No monitors",
      advice: ["Assign some to this location in the service, or with picket apply --location."],
    };
  return { lede: verdictOfAll(overview.counts), advice: [] };
}

function verdictOfAll({ error, degraded, unchecked, success }: Overview["counts"]): string {
  const all = counted(error + degraded + unchecked + success, "monitor");
  const trouble = [
    ...(error === 0 ? [] : [`${grouped(error)} failing`]),
    ...(degraded === 0 ? [] : [`${grouped(degraded)} degraded`]),
  ];
  if (trouble.length > 0) return `${trouble.join(", ")}, of ${all}`;
  if (unchecked === 0) return `${all}, all passing`;
  return success === 0
    ? `${all}, not checked yet`
    : `${all}, ${grouped(success)} passing, ${grouped(unchecked)} not checked yet`;
}

/** What is wrong with the agent itself: shown above its monitors, however many they are. */
function notices(status: AgentStatus, now: EpochMillis): readonly string[] {
  const { state, link, linkSince, region, resultsWaiting } = status;
  const alive = liveness(status);
  const away = region !== null && (link === "down" || link === "refused");
  const since = span(between(linkSince, now));
  return [
    ...(alive.ok ? [] : [`${capital(alive.reason)}.`]),
    ...(state === "draining" || state === "stopped"
      ? ["The agent is stopping: it starts no more checks."]
      : []),
    ...status.conditions.map(
      ({ cause, state }) =>
        `${capital(cause.sentence)}, since ${dayAndTime(cause.since)}. ${counted(cause.affected, "monitor")} ${cause.affected === 1 ? "is" : "are"} affected${state === "recovering" ? "; it seems to be over" : ""}.${hidesTarget(cause) ? " Their slots are missed, not failed: the state of their targets is unknown." : ""}`,
    ),
    ...status.warnings.map(
      ({ sentence, since }) =>
        `${capital(sentence)}, since ${dayAndTime(since)}. No check fails because of it yet.`,
    ),
    ...(status.audit.fault === null
      ? []
      : [
          `${capital(status.audit.fault.sentence)}. Seen ${dayAndTime(status.audit.fault.at)}. Find out why; if a backup was restored, run picket audit accept here.`,
        ]),
    ...(away
      ? [
          `${capital(unassigned(status).matter)}, for ${since} now. Monitors keep running; ${counted(resultsWaiting, "result")} ${resultsWaiting === 1 ? "waits" : "wait"} to be reported.`,
        ]
      : []),
  ];
}

function monitorList({ overview, selection, now }: OverviewPage): Html {
  const { rows, matched } = overview;
  const view = viewOf(selection, rows.length);
  const item = view === "lines" ? monitorLine : monitorItem;
  const list =
    rows.length === 0
      ? html`<p class="advice">No monitor matches. <a href="/">Show all</a></p>`
      : html`<ul class="monitors ${view}">
          ${rows.map((row) => item(row, now))}
        </ul>`;
  return html`<section aria-labelledby="monitors">
    <h2 id="monitors">Monitors</h2>
    ${choices(overview, selection)} ${list} ${paging(selection, matched)}
  </section>`;
}

/** Many monitors get a line each, unless the reader chose. */
const viewOf = ({ view }: Selection, shown: number): View =>
  view ?? (shown > limits.monitorsInFullMax ? "lines" : "full");

/** Links, so that what is shown has an address. */
function choices({ counts, rows }: Overview, selection: Selection): Html {
  const all = standings.reduce((sum, standing) => sum + counts[standing], 0);
  const choice = (status: Standing | null, words: string, count: number): Html => {
    const here = selection.status === status;
    const href = `/${queryOf({ ...selection, status, offset: 0 })}`;
    const current = here ? html` aria-current="true"` : null;
    return html`<li>
      <a href="${href}" ${current}>${words} <span class="count">${grouped(count)}</span></a>
    </li>`;
  };
  const some = standings.filter(
    (standing) => counts[standing] > 0 || standing === selection.status,
  );
  const hidden = Object.entries({ status: selection.status, view: selection.view }).map(
    ([name, value]) =>
      value === null ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`,
  );
  const other = viewOf(selection, rows.length) === "lines" ? "full" : "lines";
  return html`<div class="choices">
    <nav aria-label="Monitors by verdict">
      <ul>
        ${choice(null, "All", all)}${some.map((standing) => choice(standing, standingWords[standing], counts[standing]))}
        <li>
          <a href="/${queryOf({ ...selection, view: other })}"
            >${other === "lines" ? "A line each" : "In full"}</a
          >
        </li>
      </ul>
    </nav>
    <form role="search" action="/" method="get">
      ${hidden}<label for="search">Find a name, target or id</label>
      <input id="search" name="search" type="search" value="${selection.search}" /><button
        type="submit"
      >
        Find
      </button>
    </form>
  </div>`;
}

function monitorItem(row: MonitorRow, now: EpochMillis): Html {
  const { id, name, kind, target, standing, last, recent, period, next } = row;
  const what = name === null ? "" : ` ${target}`;
  return html`<li class="monitor ${standing}">
    <h3><a href="/monitors/${encodeURIComponent(id)}">${name ?? target}</a></h3>
    <p class="verdict">
      ${verdictMark(standing)}
      <span class="kind">${kindTable[kind].label}${what}, every ${span(period)}</span>
    </p>
    ${last === null ? null : html`<div class="whys">${why(last)}</div>`}
    <p class="latency">${took(last)}</p>
    <p class="history">${recent.length === 0 ? null : sparkline(recent)}${sparklineAxis(recent)}</p>
    ${
      last === null
        ? html`<p class="when">
            First check at <time datetime="${isoTime(next)}">${timeOfDay(next)}</time>
          </p>`
        : html`<details>
            <summary>Last check ${span(between(last.startedAt, now))} ago</summary>
            ${checkDetail(last)}
          </details>`
    }
  </li>`;
}

/** What has to be read at night in one line: how it stands, what it is, how long it took; and why, if it is not fine. */
function monitorLine({ id, name, target, standing, last, recent }: MonitorRow): Html {
  const reason = last === null || standing === "success" ? null : why(last);
  return html`<li class="monitor ${standing}">
    ${verdictMark(standing)}
    <h3><a href="/monitors/${encodeURIComponent(id)}">${name ?? target}</a></h3>
    <p class="kind">${name === null ? null : target}</p>
    <p class="history">${recent.length === 0 ? null : sparkline(recent)}</p>
    <p class="latency">${took(last)}</p>
    ${reason}
  </li>`;
}

/** What was never tried took no time. */
const took = (last: LastCheck | null): Html =>
  last === null || last.attempts === 0
    ? html`–`
    : html`${latencyWords(last.latency)}${isUncertain(last) ? html` <span class="note">uncertain</span>` : null}`;

function paging(selection: Selection, matched: number): Html | null {
  const { offset, limit } = selection;
  if (offset === 0 && matched <= limit) return null;
  const link = (to: number, words: string): Html =>
    html`<a href="/${queryOf({ ...selection, offset: to })}">${words}</a>`;
  const before = offset > 0 ? link(Math.max(0, offset - limit), "Previous") : null;
  const after = offset + limit < matched ? link(offset + limit, "Next") : null;
  const last = Math.min(matched, offset + limit);
  const range = offset >= matched ? "none" : `${grouped(offset + 1)} to ${grouped(last)}`;
  return html`<nav class="paging" aria-label="More monitors">
    <span>${range} of ${grouped(matched)}</span> ${before} ${after}
  </nav>`;
}
