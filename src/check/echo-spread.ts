import type { Phases } from "#check/outcome";
import { type Millis, millis, type Nanos, nanos } from "#base/units";

/** What the echoes of one check came to: the figures that are kept of every ping. */
export interface EchoSpread {
  readonly sent: number;
  readonly received: number;
  /** The shortest and the longest round trip; null if no reply came. */
  readonly least: Nanos | null;
  readonly most: Nanos | null;
}

/**
 * A latency as people compare it. That of a ping, and each below ten milliseconds, has its microseconds, since within one
 * network it is a part of a millisecond: agents report whole ones, and the phases that they are the sum of.
 */
export const fineLatency = ({
  latency,
  phases,
  echoes,
}: {
  readonly latency: Millis;
  readonly phases: Phases;
  readonly echoes: EchoSpread | null;
}): Millis =>
  echoes === null
    ? ofPhases(latency, phases)
    : echoes.received === 0 || phases.connect === null
      ? latency
      : inMicros(phases.connect);

const inMicros = (time: number): Millis => millis(Math.round(time / 1e3) / 1e3);

/** With the body or without it, as the monitor wants it; what does not round to what was reported is of something else. */
function ofPhases(latency: Millis, phases: Phases): Millis {
  if (latency >= finestBelow) return latency;
  const all = Object.values(phases).reduce<number>((sum, time) => sum + (time ?? 0), 0);
  const found = [all, all - (phases.receive ?? 0)].find((one) => Math.round(one / 1e6) === latency);
  return found === undefined ? latency : inMicros(found);
}

const finestBelow = 10;

/** What the echoes of several checks came to; null of none. */
export function sumOfEchoes(all: readonly (EchoSpread | null)[]): EchoSpread | null {
  const pings = all.filter((one) => one !== null);
  if (pings.length === 0) return null;
  const extreme = (of: "least" | "most", choose: (a: number, b: number) => number): Nanos | null =>
    pings
      .map((one) => one[of])
      .filter((one) => one !== null)
      .reduce<Nanos | null>((a, b) => (a === null ? b : nanos(choose(a, b))), null);
  return {
    sent: pings.reduce((sum, one) => sum + one.sent, 0),
    received: pings.reduce((sum, one) => sum + one.received, 0),
    least: extreme("least", Math.min),
    most: extreme("most", Math.max),
  };
}
