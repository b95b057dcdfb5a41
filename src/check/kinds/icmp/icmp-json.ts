import { meanRoundTrip, lossOf, jitterOf } from "#check/echoes";
import type { OutcomeOf } from "#check/outcome";

/** What a program reads of a ping. */
export function icmpJson(outcome: OutcomeOf<"icmp">): object {
  const { address, echoes, hopLimit, duplicates } = outcome;
  return {
    address,
    loss_percent: lossOf(outcome),
    mean_ns: meanRoundTrip(outcome),
    jitter_ns: jitterOf(outcome),
    hop_limit: hopLimit,
    duplicates,
    echoes: echoes.map(({ roundTrip, errorBar, refusal }) => ({
      rtt_ns: roundTrip,
      error_bar_ns: errorBar,
      icmp: refusal === null ? null : `${refusal.type}/${refusal.code}`,
      refused_by: refusal?.sender ?? null,
    })),
  };
}
