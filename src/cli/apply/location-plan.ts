import type { Configuration, WantedLocation } from "#cli/apply/configuration";
import type { ManagedMonitor } from "#cli/management/management";
import type { PrivateLocationSummary } from "#contract/openstatus/private_location/v1/private_location_pb";
import type { MonitorDefinition } from "#check/definition";
import { nearest } from "#nearest";

/** What has to happen to a private location, or to what it runs. Monitors are named: some have no id yet. */
export type LocationStep = {
  readonly name: string;
  /** Those that it is to run. */
  readonly monitors: readonly MonitorDefinition[];
} & (
  | { readonly change: "create"; readonly metadata: WantedLocation["metadata"] }
  | {
      readonly change: "update";
      readonly id: string;
      readonly metadata: WantedLocation["metadata"];
      /** What changes, each as a person reads it: `+ shop`, `− db`, `metadata changed`. */
      readonly differences: readonly string[];
    }
  | { readonly change: "same"; readonly id: string }
  /** It stands in no file: monitors of the files are added to what it runs. */
  | { readonly change: "assign"; readonly id: string; readonly differences: readonly string[] }
);

export interface LocationPlan {
  readonly steps: readonly LocationStep[];
  readonly conflicts: readonly string[];
}

/** Compares the locations that are wanted with those that there are; the service's monitors say what each of them runs. */
export function planLocations(
  { locations, elsewhere }: Configuration,
  existing: readonly PrivateLocationSummary[],
  monitors: readonly ManagedMonitor[],
): LocationPlan {
  const byName = Map.groupBy(existing, ({ name }) => name);
  const conflicts: string[] = [];
  const foundOf = (name: string): PrivateLocationSummary | null => {
    const [found, ...others] = byName.get(name) ?? [];
    if (others.length > 0)
      conflicts.push(
        `The service has ${others.length + 1} private locations named "${name}", so it is not clear which one is meant. Rename or delete all but one.`,
      );
    return found ?? null;
  };
  const wanted = locations.map((one) => wantedStep(one, foundOf(one.name), monitors));
  const added = [...Map.groupBy(elsewhere, ({ location }) => location)].flatMap(([name, all]) => {
    const found = foundOf(name);
    if (found === null) conflicts.push(noSuchLocation(name, all[0]?.monitor, existing));
    return found === null
      ? []
      : [
          assignStep(
            found,
            all.map(({ monitor }) => monitor),
            monitors,
          ),
        ];
  });
  return { steps: [...wanted, ...added], conflicts };
}

function wantedStep(
  { name, monitors, metadata }: WantedLocation,
  found: PrivateLocationSummary | null,
  existing: readonly ManagedMonitor[],
): LocationStep {
  if (found === null) return { change: "create", name, monitors, metadata };
  const running = new Set(runningAt(found.id, existing).map(keyOfManaged));
  const wanted = new Set(monitors.map(keyOf));
  const differences = [
    ...[...wanted.difference(running)].map((one) => `+ ${one}`),
    ...[...running.difference(wanted)].map((one) => `− ${one}`),
    ...(sameLabels(metadata, found.metadata) ? [] : ["metadata changed"]),
  ];
  const { id } = found;
  return differences.length === 0
    ? { change: "same", name, monitors, id }
    : { change: "update", name, monitors, metadata, id, differences };
}

function assignStep(
  { id, name }: PrivateLocationSummary,
  monitors: readonly MonitorDefinition[],
  existing: readonly ManagedMonitor[],
): LocationStep {
  const running = new Set(runningAt(id, existing).map(keyOfManaged));
  const differences = monitors
    .map(keyOf)
    .filter((one) => !running.has(one))
    .map((one) => `+ ${one}`);
  return differences.length === 0
    ? { change: "same", name, monitors, id }
    : { change: "assign", name, monitors, id, differences };
}

/** The monitors that a location runs. */
export const runningAt = (
  locationId: string,
  monitors: readonly ManagedMonitor[],
): readonly ManagedMonitor[] =>
  monitors.filter(({ message }) => message.privateLocationIds.includes(locationId));

const keyOf = ({ kind, name }: MonitorDefinition): string => `${kind} "${name}"`;
const keyOfManaged = ({ kind, message }: ManagedMonitor): string => `${kind} "${message.name}"`;

const sameLabels = (
  a: Readonly<Record<string, string>>,
  b: Readonly<Record<string, string>>,
): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([label, value]) => b[label] === value);

function noSuchLocation(
  name: string,
  monitor: MonitorDefinition | undefined,
  existing: readonly PrivateLocationSummary[],
): string {
  const meant = nearest(
    name,
    existing.map((one) => one.name),
  );
  const hint = meant === null ? "Write it under private_locations." : `Did you mean "${meant}"?`;
  return `The monitor "${monitor?.name}" names the location "${name}", which neither the files nor the service have. ${hint}`;
}
