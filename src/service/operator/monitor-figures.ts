import type { CertificateSpan } from "#check/certificate-ending";
import type { MonitorDefinition } from "#check/definition";
import { fineLatency } from "#check/echo-spread";
import {
  type Day,
  dayLength,
  daysBefore,
  knownOf,
  recentDays,
  uptimeOf,
} from "#web/page/chart/calendar";
import { isoTime, lengthOf, latencyWords, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { figureTile } from "#service/edge/figure-tile";
import type { TailLatency } from "#service/operator/charts/tail-latency";
import { certificateTile } from "#service/operator/monitors/certificate-tile";
import { checkAge } from "#service/operator/monitors/check-age";
import type { PicturedMonitor } from "#service/operator/picture";
import type { StoredResult } from "#service/store/result-store";
import { between, type EpochMillis, type Millis } from "#base/units";

interface FiguredMonitor {
  readonly monitor: PicturedMonitor;
  readonly at: EpochMillis;
  readonly definition: Pick<MonitorDefinition, "active" | "alerting">;
  /** The one that was last seen; null if none was. */
  readonly certificate: CertificateSpan | null;
  /** While it fails, the newest check that passed; null if none is kept. */
  readonly lastGood: StoredResult | null;
  /** That of today, as the report has it, of a monitor without a whole day; null if nothing passed. */
  readonly median: Millis | null;
  readonly tail: TailLatency | null;
  /** Until when it was last under planned work; null if it was under none. */
  readonly plannedUntil: EpochMillis | null;
}

/** What a person looks for first: how much it was up, how quick it is, and when it was last checked. */
export function monitorFigures(figured: FiguredMonitor): Html {
  const { monitor, at, certificate, definition, plannedUntil } = figured;
  const { days, lastCheckedAt, period } = monitor;
  const known = recentDays(days).length;
  return html`<dl class="tiles">
    ${uptimeTile(7, days, plannedUntil)} ${known > 14 ? uptimeTile(30, days, plannedUntil) : null}
    ${known > 30 ? uptimeTile(90, days, plannedUntil) : null} ${latencyTile(figured)}
    ${medianTile(figured)}
    ${figureTile(
      "Last check",
      lastCheckedAt === null
        ? "never"
        : html`<time datetime="${isoTime(lastCheckedAt)}"
            >${span(between(lastCheckedAt, at))} ago</time
          >`,
      `every ${span(period)}`,
    )}
    ${certificate === null ? null : certificateTile(certificate, definition, at)}
  </dl>`;
}

/** A share of less time than its name says has that time with it: of a young monitor, and of one that was paused. */
function uptimeTile(count: number, all: readonly Day[], plannedUntil: EpochMillis | null): Html {
  const days = all.slice(-count);
  const isYoung = daysBefore(all) > all.length - count;
  const notes = [seenNote(days, isYoung), plannedNote(days, plannedUntil)];
  const note = notes.filter((one) => one !== "").join("; ");
  return figureTile(`Uptime, ${count} days`, uptimeOf(days) ?? "–", note);
}

/** A status page leaves planned work out of the same figure. */
function plannedNote(days: readonly Day[], plannedUntil: EpochMillis | null): string {
  const first = days.find(({ known }) => known > 0);
  const isIn = first !== undefined && plannedUntil !== null && plannedUntil > first.begin;
  return isIn ? "planned maintenance counts, too" : "";
}

function seenNote(days: readonly Day[], isYoung: boolean): string {
  const known = knownOf(days);
  if (known === 0) return isYoung ? "no data yet" : "no data";
  if (isYoung) return `of ${lengthOf(known)} so far`;
  // What is missing of a day or two is that of an agent that was away.
  return known < (days.length * dayLength) / 2 ? `of ${lengthOf(known)} that checks saw` : "";
}

const nonePassed = "no check has passed";

/** While it fails, that of its last good check, and how long ago that was. What has no data, or is paused, has none of now. */
function latencyTile({ monitor: { latency, status }, lastGood, at }: FiguredMonitor): Html {
  const isOld = status === "unknown" || status === "inactive";
  if (latency !== null)
    return figureTile(isOld ? "Last latency" : "Latency now", latencyWords(latency));
  if (lastGood === null) return figureTile("Latency now", "–", nonePassed);
  const ago = checkAge(lastGood, at);
  return figureTile("Last good latency", latencyWords(fineLatency(lastGood)), ago);
}

/** Of a monitor without a whole day, that of today. */
function medianTile({ monitor: { usual }, median, tail }: FiguredMonitor): Html {
  const slow =
    tail === null ? "" : `p95\u00a0${latencyWords(tail.p95)}, p99\u00a0${latencyWords(tail.p99)}`;
  if (usual !== null) return figureTile("Median, 7 days", latencyWords(usual), slow);
  return median === null
    ? figureTile("Median, today", "–", nonePassed)
    : figureTile("Median, today", latencyWords(median), slow);
}
