import { recentDays, uptimeOf } from "#web/page/chart/calendar";
import { isoTime, shortMillis, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PicturedMonitor } from "#service/operator/picture";
import { between, type EpochMillis } from "#base/units";

interface FiguredMonitor {
  readonly monitor: PicturedMonitor;
  readonly at: EpochMillis;
  /** When the certificate that was last seen ends; null if none was. */
  readonly certificateEnd: EpochMillis | null;
}

/** What a person looks for first: how much it was up, how quick it is, and when it was last checked. */
export function monitorFigures({ monitor, at, certificateEnd }: FiguredMonitor): Html {
  const { days, latency, usual, lastCheckedAt, period } = monitor;
  const known = recentDays(days).length;
  return html`<dl class="tiles">
    ${tile("Uptime, 7 days", uptimeOf(days.slice(-7)) ?? "–")}
    ${known > 14 ? tile("Uptime, 30 days", uptimeOf(days.slice(-30)) ?? "–") : null}
    ${known > 30 ? tile("Uptime, 90 days", uptimeOf(days) ?? "–") : null}
    ${tile("Latency now", latency === null ? "–" : shortMillis(latency))}
    ${tile("Median, 7 days", usual === null ? "–" : shortMillis(usual))}
    ${tile(
      "Last check",
      lastCheckedAt === null
        ? "never"
        : html`<time datetime="${isoTime(lastCheckedAt)}"
            >${span(between(lastCheckedAt, at))} ago</time
          >`,
      `every ${span(period)}`,
    )}
    ${certificateEnd === null ? null : tile("Certificate", leftWords(certificateEnd, at))}
  </dl>`;
}

const leftWords = (end: EpochMillis, at: EpochMillis): string =>
  end < at ? "expired" : `${span(between(at, end))} left`;

const tile = (name: string, value: string | Html, note = ""): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === "" ? null : html` <span class="note">${note}</span>`}</dd>
  </div>`;
