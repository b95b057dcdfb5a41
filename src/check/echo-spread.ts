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

/** A latency as people compare it: that of a ping has its microseconds, since within one network it is a part of a millisecond. */
export const fineLatency = ({
  latency,
  phases,
  echoes,
}: {
  readonly latency: Millis;
  readonly phases: Phases;
  readonly echoes: EchoSpread | null;
}): Millis =>
  echoes === null || echoes.received === 0 || phases.connect === null
    ? latency
    : millis(Math.round(phases.connect / 1e3) / 1e3);

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
