import * as limits from "#limits/lines-limits";
import { troubledSince } from "#service/operator/monitors/failed-for";
import type { PicturedMonitor } from "#service/operator/picture";

interface OfMonitor {
  readonly monitor: PicturedMonitor;
}

/**
 * Those that began together, of monitors that fail alike: what begins later is one cause with them only if one of them
 * fails steadily, and no one has acknowledged that, or someone has acknowledged this, too. So a new outage is never hidden in
 * a row that recovers, flaps or is known. Whether what flaps is up at one instant does not count: it would move rows.
 */
export function wavesOf<One extends OfMonitor>(alike: readonly One[]): readonly (readonly One[])[] {
  const waves: One[][] = [];
  let latest = 0;
  for (const burst of burstsOf(alike)) {
    const before = waves[latest];
    if (before !== undefined && isOneCause(before, burst)) before.push(...burst);
    else latest = waves.push([...burst]) - 1;
  }
  return waves;
}

/** In the order of their beginnings; each began soon after the one before it, or is checked too seldom to have begun sooner. */
function burstsOf<One extends OfMonitor>(alike: readonly One[]): readonly (readonly One[])[] {
  const began = ({ monitor }: One): number => troubledSince(monitor) ?? 0;
  const bursts: One[][] = [];
  let before: number | null = null;
  for (const one of alike.toSorted((a, b) => began(a) - began(b))) {
    const since = began(one);
    const soon = Math.max(limits.causeBeginsWithin, one.monitor.period);
    const last = bursts.at(-1);
    if (last === undefined || before === null || since - before > soon) bursts.push([one]);
    else last.push(one);
    before = since;
  }
  return bursts;
}

function isOneCause(before: readonly OfMonitor[], later: readonly OfMonitor[]): boolean {
  const isNew = (isSettled: (one: OfMonitor) => boolean): boolean =>
    before.every(isSettled) && !later.every(isSettled);
  return !isNew(isUnsteady) && !isNew(isAcknowledged);
}

const isUnsteady = ({ monitor: { incident, status } }: OfMonitor): boolean =>
  status === "active" || (incident?.flapping ?? null) !== null;

const isAcknowledged = ({ monitor: { incident } }: OfMonitor): boolean =>
  incident?.acknowledged === true;
