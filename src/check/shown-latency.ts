import { meanRoundTrip } from "#check/echoes";
import type { Result } from "#check/result";
import { type Millis, millis } from "#base/units";

type LatencyFacts = Pick<Result, "latency" | "outcome">;

/** A latency with its unit. That of a ping has its microseconds: within one network it is a part of a millisecond. */
export const shownLatency = (result: LatencyFacts): string => shownMillis(latencyToMicros(result));

/** The same as a number. */
export function latencyToMicros({ latency, outcome }: LatencyFacts): Millis {
  const mean = outcome === null ? null : meanRoundTrip(outcome);
  return mean === null ? latency : millis(Math.round(mean / 1e3) / 1e3);
}

/** `12 ms`, or `0.081 ms`. */
export const shownMillis = (latency: Millis): string =>
  `${Number.isInteger(latency) ? latency : latency.toFixed(3)} ms`;
