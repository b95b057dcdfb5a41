import type { Configuration } from "#cli/apply/configuration";
import { type LocationStep, planLocations } from "#cli/apply/location-plan";
import { planMonitors, type Step } from "#cli/apply/plan";
import {
  listLocations,
  listMonitors,
  type ManagedMonitor,
  type Management,
} from "#cli/management/management";
import type { PrivateLocationSummary } from "#contract/openstatus/private_location/v1/private_location_pb";

/** What a configuration and a service have in common, and what differs. */
export interface Comparison {
  readonly steps: readonly Step[];
  readonly locationSteps: readonly LocationStep[];
  /** Why it is not clear what is meant: with any of these, nothing is done. */
  readonly conflicts: readonly string[];
  /** What the service has and no file says; it is left as it is. */
  readonly beside: readonly { readonly kind: string; readonly name: string }[];
  /** What the service has of each, for whoever carries it out. */
  readonly existing: ServiceState;
}

export interface ServiceState {
  readonly monitors: readonly ManagedMonitor[];
  readonly locations: readonly PrivateLocationSummary[];
}

/** Compares; `alsoAt` is a location that runs all the monitors too, and is made where it is missing. */
export async function compare(
  configuration: Configuration,
  alsoAt: string | null,
  management: Management,
  signal: AbortSignal,
): Promise<Comparison> {
  const [monitors, locations] = await Promise.all([
    listMonitors(management, signal),
    listLocations(management, signal),
  ]);
  const whole = alsoAt === null ? configuration : withLocation(configuration, alsoAt, locations);
  const plan = planMonitors(whole.monitors, monitors);
  const located = planLocations(whole, locations, monitors);
  const wanted = new Set(whole.monitors.map(({ kind, name }) => `${kind} ${name}`));
  const named = new Set(located.steps.map(({ name }) => name));
  return {
    steps: plan.steps,
    locationSteps: located.steps,
    conflicts: [...plan.conflicts, ...located.conflicts],
    beside: [
      ...monitors
        .filter(({ kind, message }) => !wanted.has(`${kind} ${message.name}`))
        .map(({ kind, message }) => ({ kind, name: message.name })),
      ...locations
        .filter(({ name }) => !named.has(name))
        .map(({ name }) => ({ kind: "private location", name })),
    ],
    existing: { monitors, locations },
  };
}

/** The configuration in which a location runs every monitor, beside what it runs already. */
function withLocation(
  configuration: Configuration,
  name: string,
  existing: readonly PrivateLocationSummary[],
): Configuration {
  const { monitors, locations, elsewhere } = configuration;
  if (locations.some((one) => one.name === name))
    return {
      ...configuration,
      locations: locations.map((one) => (one.name === name ? { ...one, monitors } : one)),
    };
  if (!existing.some((one) => one.name === name))
    return { ...configuration, locations: [...locations, { name, monitors, metadata: {} }] };
  const added = monitors.map((monitor) => ({ monitor, location: name }));
  return { ...configuration, elsewhere: [...elsewhere, ...added] };
}

/** Whether there is anything to do. */
export const isChange = ({ steps, locationSteps }: Comparison): boolean =>
  [...steps, ...locationSteps].some(({ change }) => change !== "same");
