import type { WireExchange } from "../../test/wire-truth/exchange-on-wire.ts";
import { type Figures, figuresOf, type Reported } from "../../test/wire-truth/reported.ts";
import { captureToleranceNanos } from "../../test/wire-truth/deviation.ts";
import { isUncertain } from "#check/outcome";
import { nanos } from "#base/units";
import type { CheckedRow } from "./checked-row.ts";
import type { Capture } from "../../test/wire-truth/pcap.ts";

/** The figures that are compared. */
export const figures = ["connect", "wait", "latency", "total"] as const;
export type Figure = (typeof figures)[number];

/** |reported − captured| of one check in microseconds; null for what the tool or the kind does not have. */
export interface Deviating {
  readonly errors: Readonly<Record<Figure, number | null>>;
  readonly isUncertain: boolean;
  /** Whether a figure is further off than its error bar and the capture's own stamps may be. */
  readonly isOutside: boolean;
  /** What the wire took, in milliseconds. */
  readonly captured: number;
  /** What lay between the first packet of the answer and the last, in microseconds; null if there was no answer. */
  readonly spread: number | null;
}

/** A check and its exchange begin within this: a monitor's next one is ten seconds away. */
const sameStartMillis = 2_500;

/** The exchange of a check that began at an instant; null if the capture has none. */
export function exchangeAt(
  exchanges: readonly WireExchange[],
  { origin }: Pick<Capture, "origin">,
  startedAt: number,
): WireExchange | null {
  const distance = ({ started }: WireExchange): number =>
    Math.abs(origin * 1e3 + started / 1e6 - startedAt);
  let nearest: WireExchange | null = null;
  for (const one of exchanges)
    if (nearest === null || distance(one) < distance(nearest)) nearest = one;
  return nearest !== null && distance(nearest) <= sameStartMillis ? nearest : null;
}

export function deviationOf(row: CheckedRow, wire: WireExchange): Deviating {
  const { connect, wait, total, own, errorBar } = row;
  const was = figuresOf(wire, own !== null);
  const errors = {
    connect: distance(connect, was.connect),
    wait: distance(wait, was.wait),
    latency: distance(total - (own ?? 0), latencyOf(was)),
    total: distance(total, was.total),
  };
  const allowed = (errorBar + captureToleranceNanos) / 1e3;
  const times = { total: nanos(total), own: own === null ? null : nanos(own) };
  return {
    errors,
    // The total is off by our own work's bar as well, which is not reported.
    isOutside: [errors.connect, errors.wait, errors.latency].some(
      (error) => error !== null && error > allowed,
    ),
    isUncertain: isUncertain({ ...times, errorBar: nanos(errorBar) }),
    captured: (was.total ?? 0) / 1e6,
    spread: was.receive === null ? null : was.receive / 1e3,
  };
}

/** The same of another tool, which has no `wait` where it counts the request's way to the network in. */
export function toolDeviation({ figures: said }: Reported, wire: WireExchange): Deviating {
  const was: Figures = figuresOf(wire, false);
  return {
    errors: {
      connect: distance(said.connect, was.connect),
      wait: distance(said.wait, was.wait) ?? distance(said.firstByte, was.firstByte),
      latency: distance(said.total, was.total),
      total: distance(said.total, was.total),
    },
    isUncertain: false,
    isOutside: false,
    captured: (was.total ?? 0) / 1e6,
    spread: null,
  };
}

/** What the wire took without the tool's own work between two packets, if the figures leave that out. */
function latencyOf({ connect, tls, write, wait, receive, total }: Figures): number | null {
  if (total === null || (connect === null && wait === null)) return total;
  return [connect, tls, write, wait, receive].reduce<number>((sum, part) => sum + (part ?? 0), 0);
}

const distance = (told: number | null, was: number | null): number | null =>
  told === null || was === null || Number.isNaN(told) ? null : Math.abs(told - was) / 1e3;
