import type { Hop, HttpOutcome, Phases } from "#check/outcome";
import { epochMillis, type EpochMillis } from "#base/units";

/**
 * The ten instants of the wire as JSON, placed on the wall clock from the start of the last hop. A phase that did not
 * happen is 0 at both ends; one that happened has both, so that no reader subtracts from nothing.
 */
export function httpTiming(outcome: HttpOutcome | null): string {
  const hop = outcome?.hops.at(-1) ?? null;
  const startedAt = outcome === null || hop === null ? null : startOf(hop, outcome);
  let elapsed = 0;
  let json = "";
  for (const { name, phases } of spans) {
    const before = elapsed;
    let happened = false;
    for (const phase of phases) {
      const took = hop?.phases[phase] ?? null;
      happened ||= took !== null;
      elapsed += took ?? 0;
    }
    const at = (instant: number): number =>
      startedAt === null || !happened ? 0 : Math.round(startedAt + instant / 1e6);
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
