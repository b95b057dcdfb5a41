import * as limits from "#limits/service-limits";
import { foresightOf } from "#service/agents/foresight";
import type { Instances } from "#service/agents/instances";
import type { WantedConfiguration, WantedMonitor } from "#service/configuration/wanted";
import { keptSignature } from "#signing/monitor-signature";
import type { Estate } from "#service/store/configuration-store";

/** What the agents of the locations will do with the monitors of the files, a sentence for each that they refuse. */
export async function foreseenIn(
  wanted: WantedConfiguration,
  estate: Estate,
  instances: Instances,
): Promise<readonly string[]> {
  const found: string[] = [];
  const before = new Map(estate.monitors.map((row) => [keyOf(row.definition), row] as const));
  for (const location of estate.locations) {
    const foresight = await foresightOf(instances, location);
    if (foresight === null) continue;
    const places = wanted.locations.filter(
      ({ name, renamedFrom, id }) =>
        [name, renamedFrom].includes(location.name) && (id === null || id === location.id),
    );
    const named = new Set(
      places.flatMap(({ monitors }) => monitors.map(({ kind, name }) => `${kind ?? ""} ${name}`)),
    );
    for (const { definition } of wanted.monitors) {
      const row = before.get(keyOf(definition));
      const planned = row === undefined ? definition : keptSignature(definition, row.definition);
      const isHere =
        named.has(keyOf(definition)) ||
        named.has(` ${definition.name}`) ||
        row?.locations.includes(location.id) === true;
      if (isHere)
        found.push(...foresight(planned).map((remark) => `${definition.name}: ${remark}`));
    }
  }
  const more = found.length - limits.remarksAnsweredMax;
  if (more <= 0) return found;
  return [...found.slice(0, limits.remarksAnsweredMax), `${more} more of these are not shown.`];
}

const keyOf = ({ kind, name }: WantedMonitor["definition"]): string => `${kind} ${name}`;
