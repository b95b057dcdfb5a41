import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import type { Instances, StoredInstance } from "#service/agents/instances";
import type { LocationId } from "#service/store/ids";

/** Why locations do not check monitors of a kind, as sentences without a full stop: no agent there is of a version that knows it. */
export async function whyUnchecked(
  instances: Instances,
  kind: Kind,
  locations: readonly LocationId[],
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const location of locations) {
    const why = unknownKind(kind, await instances.of(location));
    if (why !== null) found.set(location, why);
  }
  return found;
}

/** Null if one of a location's agents knows the kind, or none says what it knows: other agents send no heartbeat. */
function unknownKind(kind: Kind, agents: readonly StoredInstance[]): string | null {
  const live = agents.filter((one) => one.live && one.report.version !== "");
  if (live.length === 0 || live.some(({ report }) => report.kinds.includes(kind))) return null;
  const names = live.map(
    ({ id, report }) => `${report.hostname === "" ? id : report.hostname} (${report.version})`,
  );
  const [who, them] =
    names.length === 1
      ? [`the agent ${names[0]}`, "it"]
      : [`the agents ${names.join(", ")}`, "them"];
  const does = names.length === 1 ? "does" : "do";
  return `not checked: ${who} ${does} not know ${kindTable[kind].label} monitors: upgrade ${them}`;
}
