import type { AgentStatus } from "#agent/agent";
import { agentFacts } from "#endpoint/agent-facts";
import { checkDetail, why } from "#endpoint/check-detail";
import { unassigned } from "#endpoint/health";
import { html, type Html } from "#endpoint/html";
import type { MonitorRow, Overview } from "#endpoint/overview";
import { queryOf, type Selection, type Standing, standings } from "#endpoint/selection";
import { sparkline } from "#endpoint/sparkline";
import { standingWords, verdictMark } from "#endpoint/verdict-mark";
import { counted, grouped, isoTime, span, timeOfDay, wholeMillis } from "#endpoint/words";
import { between, type EpochMillis } from "#units";

export interface OverviewPage {
  readonly status: AgentStatus;
  readonly overview: Overview;
  readonly selection: Selection;
  readonly serviceUrl: string;
  readonly now: EpochMillis;
}

/** What runs, what fails and why, and how the agent is. */
export function overviewPage(page: OverviewPage): Html {
  const { status, serviceUrl, now } = page;
  const { region, state } = status;
  const stopping = state === "draining" || state === "stopped";
  return html`<h1>${region ?? "No assignment yet"}</h1>
    <p class="lede">${headline(page)}</p>
    ${stopping ? html`<p class="advice">The agent is stopping: it starts no more checks.</p>` : null}
    ${status.monitors === 0 ? null : monitorList(page)} ${agentFacts(status, serviceUrl, now)}`;
}

/** The one sentence for who reads no more than one. */
export function headline({ status, overview }: Pick<OverviewPage, "status" | "overview">): string {
  if (status.region === null) return capital(`${unassigned(status)}.`);
  if (status.monitors === 0)
    return "No monitors are assigned to this location: assign some in the service, or with picket apply.";
  const { error, degraded, unchecked, success } = overview.counts;
  const all = error + degraded + unchecked + success;
  const trouble = [
    ...(error === 0 ? [] : [`${grouped(error)} failing`]),
    ...(degraded === 0 ? [] : [`${grouped(degraded)} degraded`]),
  ];
  if (trouble.length > 0) return `${trouble.join(", ")}, of ${counted(all, "monitor")}`;
  if (success === all) return `${counted(all, "monitor")}, all passing`;
  return unchecked === all
    ? `${counted(all, "monitor")}, not checked yet`
    : `${counted(all, "monitor")}, ${grouped(success)} passing, ${grouped(unchecked)} not checked yet`;
}

function monitorList({ overview, selection, now }: OverviewPage): Html {
  const { rows, matched } = overview;
  const list =
    rows.length === 0
      ? html`<p class="advice">No monitor is like this. <a href="/">Show all</a></p>`
      : html`<ul class="monitors">
          ${rows.map((row) => monitorItem(row, now))}
        </ul>`;
  return html`<section aria-labelledby="monitors">
    <h2 id="monitors">Monitors</h2>
    ${choices(overview, selection)} ${list} ${paging(selection, matched)}
  </section>`;
}

/** Links, so that what is shown has an address of its own. */
function choices({ counts }: Overview, selection: Selection): Html {
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
  const hidden =
    selection.status === null
      ? null
      : html`<input type="hidden" name="status" value="${selection.status}" />`;
  return html`<div class="choices">
    <nav aria-label="Monitors by verdict">
      <ul>
        ${choice(null, "All", all)}${some.map((standing) => choice(standing, standingWords[standing], counts[standing]))}
      </ul>
    </nav>
    <form role="search" action="/" method="get">
      ${hidden}<label for="search">Find a target or id</label>
      <input id="search" name="search" type="search" value="${selection.search}" /><button
        type="submit"
      >
        Find
      </button>
    </form>
  </div>`;
}

function monitorItem(row: MonitorRow, now: EpochMillis): Html {
  const { id, kind, target, standing, last, recent, period, next } = row;
  return html`<li class="monitor ${standing}">
    <h3><a href="/monitors/${encodeURIComponent(id)}">${target}</a></h3>
    <p class="verdict">
      ${verdictMark(standing)}
      <span class="kind">${kind.toUpperCase()}, every ${span(period)}</span>
    </p>
    ${why(last)}
    <p class="latency">${last === null ? "–" : wholeMillis(last.latency)}</p>
    <p class="history">${recent.length === 0 ? null : sparkline(recent)}</p>
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

const capital = (sentence: string): string =>
  sentence.slice(0, 1).toUpperCase() + sentence.slice(1);
