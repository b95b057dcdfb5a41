import type { MonitorDefinition } from "#check/definition";
import { ringWords, wayTo } from "#check/dependency-rings";
import { refuseViolations } from "#service/edge/call-refusal";
import { integerOf, type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** What a monitor says that it cannot work without. */
export const dependenciesIn = ({ alerting }: MonitorDefinition): readonly MonitorId[] =>
  (alerting?.dependsOn ?? []).flatMap((text) => {
    const integer = integerOf(text);
    return integer === null ? [] : [monitorId(integer)];
  });

/** Reads monitors by their ids; those that are not there are left out. */
export type MonitorReader = (ids: readonly MonitorId[]) => Promise<readonly MonitorRow[]>;

/** Some monitors and what they depend on, over others too, as far as it is there; about `most` of them. */
export async function withDependencies(
  of: Iterable<MonitorId>,
  read: MonitorReader,
  most: number = Infinity,
): Promise<ReadonlyMap<MonitorId, MonitorRow>> {
  const found = new Map<MonitorId, MonitorRow>();
  const asked = new Set(of);
  for (let next = [...asked]; next.length > 0 && found.size < most;) {
    const rows = await read(next);
    for (const row of rows) found.set(row.id, row);
    const named = new Set(rows.flatMap(({ definition }) => dependenciesIn(definition)));
    next = [...named].filter((id) => !asked.has(id));
    for (const id of next) asked.add(id);
  }
  return found;
}

/**
 * Refuses what a monitor would wait for in vain: one that is not there, and itself, over others too. Two calls at the same
 * moment may still make a ring, and older services took them: what is in a ring holds back nothing of it.
 */
export async function refuseDependencies(
  self: MonitorRow | null,
  definition: MonitorDefinition,
  read: MonitorReader,
): Promise<void> {
  const wanted = dependenciesIn(definition);
  if (wanted.length === 0) return;
  const found = await withDependencies(wanted, read);
  // One that was deleted meanwhile stays where it was named before.
  const before = new Set(self === null ? [] : dependenciesIn(self.definition));
  const missing = wanted.find((id) => !found.has(id) && !before.has(id));
  if (missing !== undefined) refuse(`names the monitor ${missing}, which does not exist`);
  if (self === null) return;
  const definitions = new Map([...found].map(([id, row]) => [id, row.definition]));
  definitions.set(self.id, definition);
  const definitionOf = (id: MonitorId) => definitions.get(id);
  const ring = wayTo(self.id, self.id, (id) => {
    const named = definitionOf(id);
    return named === undefined ? [] : dependenciesIn(named);
  });
  if (ring === null) return;
  const names = ring.map((id) => `"${definitionOf(id)?.name ?? id}"`);
  refuse(`makes ${ringWords(names)}`);
}

const refuse = (message: string): void =>
  refuseViolations([{ field: "alerting.depends_on", message }]);
