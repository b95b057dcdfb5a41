import type { Environment } from "#config/environment";
import { serviceSettings } from "#config/service-settings";
import { settings } from "#config/agent-settings";
import { secretPrefix } from "#config/secret-names";
import { nearest } from "#base/nearest";

/**
 * A warning for each variable with our prefix that is in no table: it is most likely misspelt. Agent and service may
 * share an environment, so neither warns of the other's.
 */
export const unknownNames = (env: Environment): readonly string[] =>
  Object.keys(env)
    .filter(
      (name) => name.startsWith("PICKET_") && !name.startsWith(secretPrefix) && !known.has(name),
    )
    .map((name) => {
      const meant = nearest(name, [...known]);
      return `${name} is not known and has no effect${meant === null ? "" : `; did you mean ${meant}?`}`;
    });

const known: ReadonlySet<string> = new Set([
  ...Object.keys(settings),
  ...Object.keys(serviceSettings),
]);
