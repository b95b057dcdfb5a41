import { type Echo, roundTrips, meanRoundTrip, lossOf, jitterOf } from "#check/echoes";
import type { OutcomeOf } from "#check/outcome";
import type { Detail, Fact } from "#check/fact";
import type { Nanos } from "#base/units";

/** `2 of 3 replies from 10.0.0.1, 33 % lost`, the round trips, and in full each echo. */
export function icmpFacts(outcome: OutcomeOf<"icmp">, detail: Detail): readonly Fact[] {
  const { address, echoes, hopLimit, duplicates } = outcome;
  if (address === null || echoes.length === 0) return [];
  const all = roundTrips(outcome);
  const lost = all.length < echoes.length ? `, ${Math.round(lossOf(outcome))} % lost` : "";
  const twice = duplicates === 0 ? "" : `, ${duplicates} of them twice`;
  const from = `${all.length} of ${echoes.length} replies from ${address}${twice}${lost}`;
  const mean = meanRoundTrip(outcome);
  return [
    { label: "Answer", value: from },
    ...(mean === null ? [] : [{ label: "Round trip", value: spread(all, mean, outcome) }]),
    ...(hopLimit === null || detail === "brief"
      ? []
      : [{ label: "Hop limit", value: `${hopLimit} of the last reply` }]),
    ...(detail === "brief" ? [] : echoes.map(echoFact)),
  ];
}

function spread(all: readonly Nanos[], mean: Nanos, outcome: OutcomeOf<"icmp">): string {
  const jitter = jitterOf(outcome);
  const varied = jitter === null ? "" : `, jitter ${inMillis(jitter)}`;
  return `${inMillis(mean)} on average, ${inMillis(least(all))} to ${inMillis(most(all))}${varied}`;
}

const least = (all: readonly Nanos[]): number => all.reduce((a, b) => Math.min(a, b), Infinity);
const most = (all: readonly Nanos[]): number => all.reduce((a, b) => Math.max(a, b), 0);

function echoFact({ roundTrip, errorBar, refusal }: Echo, index: number): Fact {
  const label = `Echo ${index + 1}`;
  if (roundTrip !== null) return { label, value: `${inMillis(roundTrip)} ± ${inMillis(errorBar)}` };
  if (refusal === null) return { label, value: "no reply" };
  const { sender, type, code } = refusal;
  return { label, value: `ICMP ${type}/${code} from ${sender}` };
}

const inMillis = (took: number): string => `${(took / 1e6).toFixed(3)} ms`;
