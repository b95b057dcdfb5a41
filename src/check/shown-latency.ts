import { meanRoundTrip } from "#check/kinds/icmp/icmp-outcome";
import type { Result } from "#check/result";

/** A latency with its unit. That of a ping is not rounded: within one network it is a part of a millisecond. */
export function shownLatency({ latency, outcome }: Pick<Result, "latency" | "outcome">): string {
  const mean = outcome?.kind === "icmp" ? meanRoundTrip(outcome) : null;
  return mean === null ? `${latency} ms` : `${(mean / 1e6).toFixed(3)} ms`;
}
