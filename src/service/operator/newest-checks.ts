import { fineLatency } from "#check/echo-spread";
import { isoTime, knownMillis, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { seenAs } from "#service/monitors/judged-monitor";
import type { PicturedMonitor } from "#service/operator/picture";
import { statusMark } from "#service/operator/status-mark";
import type { StoredResult } from "#service/store/result-store";
import type { EpochMillis } from "#base/units";

/** The newest results, a line each; those before the first few are folded. */
export function newestChecks(
  newest: readonly StoredResult[],
  { seenBy }: PicturedMonitor,
  at: EpochMillis,
): Html | null {
  if (newest.length === 0) return null;
  const line = (result: StoredResult): Html =>
    checkLine(result, seenBy.find((one) => one.location === result.location)?.name ?? null, at);
  const [shown, older] = [
    newest.slice(0, limits.newestChecksShown),
    newest.slice(limits.newestChecksShown),
  ];
  return html`<section aria-labelledby="newest">
    <h2 id="newest">Newest checks</h2>
    <ol class="checks">
      ${shown.map(line)}
    </ol>
    ${
      older.length === 0
        ? null
        : html`<details id="older-checks">
            <summary>${older.length} older checks</summary>
            <ol class="checks">
              ${older.map(line)}
            </ol>
          </details>`
    }
  </section>`;
}

function checkLine(result: StoredResult, location: string | null, at: EpochMillis): Html {
  const { slot, status, failure, trigger } = result;
  const notes = [
    ...(failure === null ? [] : [html`<code>${failure.code}</code>`]),
    ...(trigger === "api" ? [html` asked for`] : []),
  ];
  return html`<li>
    ${statusMark(seenAs[status])}
    <span class="when"><time datetime="${isoTime(slot)}">${nearTime(slot, at)}</time></span>
    <span class="latency">${knownMillis(fineLatency(result))}</span>
    <span class="note">${location} ${notes}</span>
  </li>`;
}
