import { type ManagedMonitor, managedMonitor } from "#wire/managed-monitor";
import { differencesOf } from "#service/configuration/monitor-difference";
import type { MonitorDefinition } from "#check/definition";

/** What has to happen at the service so that it has the monitors that a file says; monitors are the same by kind and name. */
export interface Plan {
  readonly steps: readonly Step[];
  /** Monitors that look the same: with any of these, nothing is done. */
  readonly conflicts: readonly string[];
}

export type Step = { readonly definition: MonitorDefinition } & (
  | { readonly change: "create" }
  | { readonly change: "update" | "same"; readonly id: string }
);

/** Compares what is wanted with what there is. Nothing is ever deleted. */
export function planMonitors(
  definitions: readonly MonitorDefinition[],
  existing: readonly ManagedMonitor[],
): Plan {
  const byName = Map.groupBy(existing, nameOf);
  const conflicts: string[] = [];
  const steps = definitions.map((definition): Step => {
    const wanted = managedMonitor(definition);
    const [found, ...others] = byName.get(nameOf(wanted)) ?? [];
    if (others.length > 0) conflicts.push(conflictOf(wanted, others.length + 1));
    if (found === undefined) return { change: "create", definition };
    const change = differencesOf(found, wanted).length === 0 ? "same" : "update";
    return { change, definition, id: found.message.id };
  });
  return { steps, conflicts };
}

const nameOf = ({ kind, message }: ManagedMonitor): string => `${kind} ${message.name}`;

const conflictOf = ({ kind, message }: ManagedMonitor, count: number): string =>
  `The service has ${count} ${kind} monitors named "${message.name}", so it is not clear which one the file means. Rename or delete all but one.`;
