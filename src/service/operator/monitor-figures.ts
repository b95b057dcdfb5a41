import { recentDays, shownUptime } from "#web/page/chart/calendar";
import { isoTime, shortMillis, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { figureTile } from "#service/edge/figure-tile";
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
    ${figureTile("Uptime, 7 days", shownUptime(days.slice(-7)) ?? "–")}
    ${known > 14 ? figureTile("Uptime, 30 days", shownUptime(days.slice(-30)) ?? "–") : null}
    ${known > 30 ? figureTile("Uptime, 90 days", shownUptime(days) ?? "–") : null}
    ${figureTile("Latency now", latency === null ? "–" : shortMillis(latency))}
    ${figureTile("Median, 7 days", usual === null ? "–" : shortMillis(usual), usual === null ? "after its first whole day" : "")}
    ${figureTile(
      "Last check",
      lastCheckedAt === null
        ? "never"
        : html`<time datetime="${isoTime(lastCheckedAt)}"
            >${span(between(lastCheckedAt, at))} ago</time
          >`,
      `every ${span(period)}`,
    )}
    ${certificateEnd === null ? null : figureTile("Certificate", leftWords(certificateEnd, at))}
  </dl>`;
}

const leftWords = (end: EpochMillis, at: EpochMillis): string =>
  end < at ? "expired" : `${span(between(at, end))} left`;
