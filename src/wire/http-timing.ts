import type { Hop, HttpOutcome, Phases } from "#check/outcome";
import { epochMillis, type EpochMillis } from "#base/units";

/**
 * The ten instants of the wire as JSON, placed on the wall clock from the start of the last hop. A phase that did not
 * happen is 0 at both ends; one that happened has both, so that no reader subtracts from nothing.
 */
export function httpTiming(outcome: HttpOutcome | null): string {
  const hop = outcome?.hops.at(-1) ?? null;
  if (outcome === null || hop === null) return phaseTiming(null);
  return phaseTiming({ startedAt: startOf(hop, outcome), phases: hop.phases });
}

/** The same of a check that is one exchange; null is one that saw nothing. */
export function phaseTiming(
  exchange: { readonly startedAt: EpochMillis; readonly phases: Phases } | null,
): string {
  let elapsed = 0;
  let json = "";
  for (const { name, phases } of spans) {
    const before = elapsed;
    let happened = false;
    for (const phase of phases) {
      const took = exchange?.phases[phase] ?? null;
      happened ||= took !== null;
      elapsed += took ?? 0;
    }
    const at = (instant: number): number =>
      exchange === null || !happened ? 0 : Math.round(exchange.startedAt + instant / 1e6);
    json += `${json === "" ? "{" : ","}"${name}Start":${at(before)},"${name}Done":${at(elapsed)}`;
  }
  return `${json}}`;
}

/** The phases of a hop, side by side in their order, by what the wire calls them. */
const spans: readonly { readonly name: string; readonly phases: readonly (keyof Phases)[] }[] = [
  { name: "dns", phases: ["dns"] },
  { name: "connect", phases: ["connect", "proxy"] },
  { name: "tlsHandshake", phases: ["tls"] },
  { name: "firstByte", phases: ["write", "wait"] },
  { name: "transfer", phases: ["receive"] },
];

/** No instant lies before the attempt's, which is the report's timestamp. */
const startOf = (hop: Hop, { startedAt }: HttpOutcome): EpochMillis =>
  epochMillis(Math.max(hop.startedAt, startedAt));
