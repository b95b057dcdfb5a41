import { shownLength } from "#base/duration";
import type { OutageFigures } from "#service/notify/event-facts";
import type { Incident, Severity, WellSpan } from "#service/alerting/incident";
import * as limits from "#limits/alerts-limits";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** A stretch of an incident in which its subject was in trouble; `to` is null while it lasts. */
interface DownSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis | null;
}

type Stretch = Pick<Incident, "startedAt" | "ended" | "flapping" | "well">;

/** What of an incident was trouble, in order. */
export function downSpans({ startedAt, ended, flapping, well }: Stretch): readonly DownSpan[] {
  const isUp = ended === null && flapping !== null && !flapping.isDown;
  const end = isUp ? flapping.changedAt : (ended?.at ?? null);
  const spans: DownSpan[] = [];
  let from = startedAt;
  for (const one of well) {
    if (one.from > from) spans.push({ from, to: one.from });
    from = epochMillis(Math.max(from, one.to));
  }
  if (end === null || end > from) spans.push({ from, to: end });
  return spans;
}

/** How long it was in trouble in all, until now if it still is; of that only what was after `since`, if it is given. */
export const downFor = (
  incident: Stretch,
  now: EpochMillis,
  since: EpochMillis = epochMillis(0),
): Millis =>
  millis(
    downSpans(incident).reduce(
      (sum, { from, to }) => sum + Math.max(0, (to ?? now) - Math.max(from, since)),
      0,
    ),
  );

/** The same by the seconds that pages show: from 08:05:20 to 08:09:20 it is four minutes, whatever the milliseconds. */
export const shownDownFor = (incident: Stretch, now: EpochMillis): Millis =>
  millis(downSpans(incident).reduce((sum, { from, to }) => sum + shownLength(from, to ?? now), 0));

/** How long it was down, or slow if it was never down: by its checks if they say it, as messages and pages have it. */
export function troubleFor(
  incident: Stretch & Pick<Incident, "worst">,
  figures: { readonly [K in "downFor" | "slowFor"]: OutageFigures[K] | null } | null,
  now: EpochMillis,
): Millis {
  const seen = incident.worst === "error" ? figures?.downFor : figures?.slowFor || null;
  return seen ?? shownDownFor(incident, now);
}

/** Since when it has been in trouble, without the times before that it was well. */
export const downSince = (incident: Stretch): EpochMillis =>
  downSpans(incident).at(-1)?.from ?? incident.startedAt;

/** With one more stretch that it was well in. Of an incident with very many of them, the later ones are not kept. */
export function withWell(
  well: readonly WellSpan[],
  from: EpochMillis,
  to: EpochMillis,
  was: Severity,
): readonly WellSpan[] {
  if (to <= from || well.length >= limits.wellSpansMax) return well;
  return [...well, { from, to, was }];
}

/** The worst that it was since it opened last. */
export function worstOfLast({
  severity,
  worst,
  wasDown = false,
  well,
}: Pick<Incident, "severity" | "worst" | "wasDown" | "well">): Severity {
  if (well.length === 0 || worst === "degraded") return worst;
  return wasDown ? "error" : severity;
}

/** The worst that it was in each of its times, in order. What an older version kept does not say it. */
export function severitiesOf(incident: Incident): readonly Severity[] {
  const { well, worst } = incident;
  return downSpans(incident).map(({ to }, index, { length }) =>
    index === length - 1
      ? worstOfLast(incident)
      : (well.find(({ from }) => from === to)?.was ?? worst),
  );
}

/** Since when an open incident is not known to last: no location can say anything, or its monitor is not watched. Null if it is. */
export function unseenSince({
  unwatchedSince,
  noDataSince,
}: Pick<Incident, "unwatchedSince" | "noDataSince">): EpochMillis | null {
  if (unwatchedSince === null || noDataSince === null) return unwatchedSince ?? noDataSince;
  return epochMillis(Math.min(unwatchedSince, noDataSince));
}
