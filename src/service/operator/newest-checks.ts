import { fineLatency } from "#check/echo-spread";
import { isoTime, latencyWords, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";
import { seenAs } from "#service/monitors/judged-monitor";
import { rangeAround, rangeQuery } from "#service/operator/charts/time-range";
import type { PicturedMonitor } from "#service/operator/picture";
import { statusClass, statusMark } from "#service/operator/status-mark";
import type { StoredResult } from "#service/store/result-store";
import type { ResultStatus } from "#check/verdict";
import { type EpochMillis, epochMillis, millis } from "#base/units";

/** What the lines of one monitor's checks are made of. */
interface CheckScene {
  readonly monitor: PicturedMonitor;
  readonly at: EpochMillis;
}

/** Checks one after the other with the same verdict and reason, the newest first: never empty. */
type CheckRun = readonly [StoredResult, ...StoredResult[]];

/** The newest results: checks that ended alike are one row, which opens. */
export function newestChecks(
  newest: readonly StoredResult[],
  monitor: PicturedMonitor,
  at: EpochMillis,
): Html {
  const runs = runsOf(newest);
  // One row alone would leave its column empty.
  const isOpen = runs.length === 1;
  const rows = runs.flatMap((run, index) =>
    rowsOf(run, { isNewest: index === 0, isOpen }, { monitor, at }),
  );
  const [shown, older] = [
    rows.slice(0, limits.newestChecksShown),
    rows.slice(limits.newestChecksShown),
  ];
  return html`<section aria-labelledby="newest">
    <h2 id="newest">Newest checks</h2>
    ${
      rows.length === 0
        ? html`<p class="words">No check was made yet.</p>`
        : html`<ol class="checks">
            ${shown}
          </ol>`
    }
    ${
      older.length === 0
        ? null
        : olderChecks(
            html`<ol class="checks">
              ${older}
            </ol>`,
          )
    }
  </section>`;
}

/** Checks of all locations in the order of time, parted where one ended otherwise than the one before. */
function runsOf(newest: readonly StoredResult[]): readonly CheckRun[] {
  const runs: CheckRun[] = [];
  for (const result of newest) {
    const last = runs.at(-1);
    if (last !== undefined && isAlike(last[0], result)) runs[runs.length - 1] = [...last, result];
    else runs.push([result]);
  }
  return runs;
}

const isAlike = (one: StoredResult, other: StoredResult): boolean =>
  one.status === other.status &&
  one.failure?.code === other.failure?.code &&
  one.failure?.phase === other.failure?.phase;

/** How a run of checks is folded: the newest one has an id that stays. */
interface RunFold {
  readonly isNewest: boolean;
  readonly isOpen: boolean;
}

const rowsOf = (run: CheckRun, fold: RunFold, scene: CheckScene): readonly Html[] =>
  run.length < limits.checksFoldedMin
    ? run.map((result) => checkLine(result, scene))
    : [foldedRun(run, fold, scene)];

const endWords: { readonly [S in ResultStatus]: string } = {
  error: "failed alike",
  degraded: "degraded alike",
  success: "passed",
};

/** One row for all of them. Its id stays while new checks come, so that it stays open. */
function foldedRun(run: CheckRun, { isNewest, isOpen }: RunFold, scene: CheckScene): Html {
  const [newest] = run;
  const oldest = run.at(-1) ?? newest;
  const { status } = newest;
  const names = new Set(run.map((result) => locationOf(result, scene)));
  return html`<li class="run">
    <details id="run-${isNewest ? "newest" : newest.slot}" ${isOpen ? html` open` : null}>
      <summary>
        ${verdictMark(statusClass(seenAs[status]), `${run.length} ${endWords[status]}`)}
        <span class="when"
          >${timeOf(oldest, scene)}<span class="to"> to </span>${timeOf(newest, scene)}</span
        >
        <span class="note">${[...names].join(", ")}${codeOf(newest)}</span>
        <span class="latency">${latencyRange(run)}</span>
      </summary>
      ${isOpen ? openLines(run, scene) : briefLines(run, scene)}
    </details>
  </li>`;
}

const briefLines = (run: readonly StoredResult[], scene: CheckScene): Html =>
  html`<ol class="checks">
    ${run.map((result) => briefLine(result, scene))}
  </ol>`;

/** Those of a row that is open from the start. */
const openLines = (run: CheckRun, scene: CheckScene): Html =>
  html`${briefLines(run.slice(0, limits.openChecksShown), scene)}
  ${
    run.length <= limits.openChecksShown
      ? null
      : olderChecks(briefLines(run.slice(limits.openChecksShown), scene))
  }`;

const olderChecks = (lines: Html): Html =>
  html`<details id="older-checks">
    <summary>Older checks</summary>
    ${lines}
  </details>`;

/** A check of which the row above says how it ended. */
const briefLine = (result: StoredResult, scene: CheckScene): Html =>
  html`<li>
    <span class="note"
      >${timeLink(result, scene)} ${locationOf(result, scene)}${askedFor(result)}</span
    >
    <span class="latency">${latencyWords(fineLatency(result))}</span>
  </li>`;

const checkLine = (result: StoredResult, scene: CheckScene): Html =>
  html`<li>
    ${statusMark(seenAs[result.status])} <span class="when">${timeLink(result, scene)}</span>
    <span class="note">${locationOf(result, scene)}${codeOf(result)}${askedFor(result)}</span>
    <span class="latency">${latencyWords(fineLatency(result))}</span>
  </li>`;

const askedFor = ({ trigger }: StoredResult): string => (trigger === "api" ? ", on request" : "");

/** It leads to the chart of the time around the check. */
function timeLink(result: StoredResult, scene: CheckScene): Html {
  const { slot } = result;
  const fit = { least: limits.chartMarginMin, born: epochMillis(0) };
  const around = rangeQuery(rangeAround({ from: slot, to: slot }, scene.at, fit), {});
  return html`<a href="/monitors/${scene.monitor.id}?${around}#past">${timeOf(result, scene)}</a>`;
}

const timeOf = ({ slot }: StoredResult, { at }: CheckScene): Html =>
  html`<time datetime="${isoTime(slot)}">${nearTime(slot, at)}</time>`;

const locationOf = ({ location }: StoredResult, { monitor }: CheckScene): string =>
  monitor.seenBy.find((one) => one.location === location)?.name ?? "";

const codeOf = ({ failure }: StoredResult): Html | null =>
  failure === null ? null : html` <code>${failure.code}</code>`;

/** `5 000 ms`, or `98 ms to 134 ms`. */
function latencyRange(run: CheckRun): string {
  const all = run.map(fineLatency);
  const [least, most] = [
    latencyWords(millis(Math.min(...all))),
    latencyWords(millis(Math.max(...all))),
  ];
  return least === most ? most : `${least} to ${most}`;
}
