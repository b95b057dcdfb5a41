import { jsonFields } from "#base/json";
import { noPhases, type PhaseName, phaseNames, type Phases } from "#check/outcome";
import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import { type Nanos, nanos } from "#base/units";

/** How long each part of a result's last attempt took: by the phases where the agent knows them, else by the instants. */
export function phasesIn({ detail, result }: Pick<BatchResult, "detail" | "result">): Phases {
  const said = detail?.phases;
  if (said !== undefined) {
    const of = (elapsed: bigint | undefined): Nanos | null =>
      elapsed === undefined ? null : nanos(Number(elapsed));
    return phasesOf((name) => of(said[`${name}Ns`]));
  }
  if (result.case !== "http") return noPhases;
  const marks = jsonFields(result.value.timing);
  return phasesOf((name) => spanOf(marks, markNames[name] ?? null));
}

/** The agent's own work in it, which is in no phase; null if it is not known, and then part of the phases. */
export const ownIn = ({ detail }: Pick<BatchResult, "detail">): Nanos | null =>
  detail?.ownNs === undefined ? null : nanos(Number(detail.ownNs));

function phasesOf(of: (name: PhaseName) => Nanos | null): Phases {
  const phases: Record<PhaseName, Nanos | null> = { ...noPhases };
  for (const name of phaseNames) phases[name] = of(name);
  return phases;
}

/** What the ten instants of the plain calls name the phases. */
const markNames: { readonly [P in PhaseName]?: string } = {
  dns: "dns",
  connect: "connect",
  tls: "tlsHandshake",
  wait: "firstByte",
  receive: "transfer",
};

function spanOf(marks: Readonly<Record<string, unknown>>, name: string | null): Nanos | null {
  if (name === null) return null;
  const elapsed = Number(marks[`${name}Done`]) - Number(marks[`${name}Start`]);
  if (!Number.isSafeInteger(elapsed)) return null;
  return nanos(Math.min(Math.max(0, elapsed), 2 ** 31 - 1) * 1e6);
}
