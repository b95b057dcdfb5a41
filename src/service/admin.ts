import type { MonitorDefinition } from "#check/definition";
import { byCommand } from "#service/edge/access";
import type { ApiKey, Keys, WantedKey } from "#service/edge/keys";
import type { LocationArguments, Locations } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import { millis } from "#base/units";
import type { Door } from "#check/findings";

/** Management from within the process, for commands on the machine of the service. Rules are the calls' own. */
export interface Admin {
  createApiKey(wanted: WantedKey): Promise<{ readonly id: string; readonly key: string }>;
  /** Null if there is a key. */
  createFirstApiKey(wanted: WantedKey): Promise<string | null>;
  listApiKeys(): Promise<readonly ApiKey[]>;
  revokeApiKey(id: string): Promise<void>;
  /** Rejects with a Refusal that names every violation. */
  createMonitor(definition: MonitorDefinition, door: Door): Promise<{ readonly id: string }>;
  updateMonitor(id: string, definition: MonitorDefinition, door: Door): Promise<void>;
  createPrivateLocation(
    wanted: LocationArguments,
  ): Promise<{ readonly id: string; readonly token: string }>;
  updatePrivateLocation(id: string, changes: Partial<LocationArguments>): Promise<void>;
  /** A new token; the old one stops at once. */
  renewToken(locationId: string): Promise<{ readonly token: string }>;
}

const immediately = millis(0);

export function adminOf(keys: Keys, monitors: Monitors, locations: Locations): Admin {
  const by = <T>(work: () => T): T => byCommand("picket", work);
  return {
    createApiKey: (wanted) => by(() => keys.create(wanted)),
    createFirstApiKey: (wanted) => by(() => keys.createFirst(wanted)),
    listApiKeys: () => keys.list(),
    revokeApiKey: (id) => by(() => keys.revoke(id)),
    createMonitor: (definition, door) => by(() => monitors.create(definition, door)),
    updateMonitor: (id, definition, door) => by(() => monitors.update(id, definition, door)),
    createPrivateLocation: (wanted) => by(() => locations.create(wanted)),
    updatePrivateLocation: (id, changes) =>
      by(() => locations.update(id, { name: null, monitorIds: null, metadata: null, ...changes })),
    renewToken: async (id) => {
      const location = await locations.get(id);
      return by(() => locations.tokens.rotate(location.id, immediately));
    },
  };
}
