import type { EpochMillis } from "#base/units";
import type { MonitorDefinition } from "#check/definition";
import type { Configuration } from "#cli/apply/configuration";
import { isId } from "#cli/apply/monitor-name";
import { CannotDo } from "#cli/management/with-service";
import * as limits from "#limits/signing-limits";
import { signedMonitor } from "#signing/monitor-signature";
import type { SigningKey } from "#signing/private-key";

/** The same monitors with signatures for the locations that the files give them. `alsoAt` is a location that runs all. */
export function signedConfiguration(
  configuration: Configuration,
  alsoAt: string | null,
  key: SigningKey,
  signedAt: EpochMillis,
): Configuration {
  const places = placesOf(configuration, alsoAt);
  const signed = new Map(
    configuration.monitors.map((definition): [MonitorDefinition, MonitorDefinition] => {
      const locations = [...(places.get(keyOf(definition)) ?? [])];
      refuseTooMany(definition, locations);
      refuseIds(definition, locations);
      if (locations.length === 0) return [definition, definition];
      const signature = signedMonitor(definition, { locations, signedAt }, key);
      return [definition, { ...definition, signature }];
    }),
  );
  const taken = (one: MonitorDefinition): MonitorDefinition => signed.get(one) ?? one;
  return {
    ...configuration,
    monitors: configuration.monitors.map(taken),
    written: configuration.written.map((one) => ({ ...one, definition: taken(one.definition) })),
  };
}

/** Names of the locations that run each monitor, as far as files say it. */
function placesOf(
  { written, locations }: Configuration,
  alsoAt: string | null,
): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map(
    written.map((one) => [keyOf(one.definition), new Set(one.locations)] as const),
  );
  for (const location of locations)
    for (const { kind, name } of location.monitors)
      places.get(`${kind} ${name}`)?.add(location.name);
  if (alsoAt !== null) for (const set of places.values()) set.add(alsoAt);
  return places;
}

const keyOf = ({ kind, name }: MonitorDefinition): string => `${kind} ${name}`;

function refuseTooMany({ name }: MonitorDefinition, { length }: readonly string[]): void {
  if (length > limits.signedLocationsMax)
    throw new CannotDo(
      `the monitor "${name}" runs at ${length} locations, and one signature is for ${limits.signedLocationsMax} at most`,
    );
}

/** An agent knows its location by its name alone. */
function refuseIds({ name }: MonitorDefinition, locations: readonly string[]): void {
  const id = locations.find(isId);
  if (id !== undefined)
    throw new CannotDo(
      `the monitor "${name}" names the location ${id}, and a signature is for locations by their names: write the name of the location in its place`,
    );
}
