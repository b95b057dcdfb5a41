import type { MonitorDefinition } from "#check/definition";
import { serverOf } from "#check/kinds/kind-table";
import { readMonitor } from "#check/read-monitor";
import { showHostPort } from "#network/host-port";
import { foreseen } from "#network/target-denial";
import { type Destination, parseTargetRules, type TargetRules } from "#network/target-rules";
import type { Instances, StoredInstance } from "#service/agents/instances";
import { parseMonitorSignature, signatureFault } from "#signing/monitor-signature";
import type { LocationId } from "#service/store/ids";

/** A location by what people call it. */
interface ForeseenPlace {
  readonly id: LocationId;
  readonly name: string;
}

/** What the agents of one location will do with a monitor. */
type PlaceForesight = (definition: MonitorDefinition) => readonly string[];

/** What is to be known before a monitor is saved, as sentences: which agents' operators refuse its target, and why. */
export async function foreseenAt(
  instances: Instances,
  definition: MonitorDefinition,
  places: readonly ForeseenPlace[],
): Promise<readonly string[]> {
  const foresights = await Promise.all(places.map((place) => foresightOf(instances, place)));
  return foresights.flatMap((foresight) => foresight?.(definition) ?? []);
}

/** The same for many monitors of one location, whose agents are looked up once; null if nothing is to be said of any. */
export async function foresightOf(
  instances: Instances,
  place: ForeseenPlace,
): Promise<PlaceForesight | null> {
  const live = (await instances.of(place.id)).filter((agent) => agent.live);
  const ruled = live.flatMap((agent) => {
    const rules = rulesOf(agent);
    return rules === null ? [] : [{ agent, rules }];
  });
  const strict = live.filter(({ report }) => report.signedFor !== "");
  if (ruled.length + strict.length === 0) return null;
  return (definition) => {
    const destination = ruled.length === 0 ? null : destinationOf(definition);
    const refusals =
      destination === null
        ? []
        : ruled.flatMap(({ agent, rules }) => refusal(place, agent, destination, rules) ?? []);
    return [...refusals, ...unsignedAt(place, strict, definition)];
  };
}

/** Nothing of a monitor that is signed for all of them. By whom does not matter here: agents alone know whom they trust. */
function unsignedAt(
  place: ForeseenPlace,
  strict: readonly StoredInstance[],
  definition: MonitorDefinition,
): readonly string[] {
  if (strict.length === 0) return [];
  const isSigned = definition.signature !== "" && signatureFault(definition) === null;
  const signature = isSigned ? parseMonitorSignature(definition.signature) : null;
  const locations = signature?.ok === true ? signature.value.locations : [];
  return strict
    .filter(({ report }) => !locations.includes(report.signedFor))
    .map(
      (agent) =>
        `${whoAt(place, agent)} runs only signed monitors, and this one will not be signed for ${agent.report.signedFor}: it stops there until picket apply --sign has signed it.`,
    );
}

const whoAt = ({ name }: ForeseenPlace, { id, report: { hostname } }: StoredInstance): string =>
  `At ${name}, the agent ${hostname === "" ? id : hostname}`;

/** Null if an agent has none, or nothing can be concluded from what it sent of them. */
function rulesOf({ report: { targets } }: StoredInstance): TargetRules | null {
  if (targets === null || targets.isCut) return null;
  const allow = parseTargetRules(targets.allow, "");
  const deny = parseTargetRules(targets.deny, "");
  return allow.ok && deny.ok ? { allow: allow.value, deny: deny.value } : null;
}

/** Null of what cannot be read, and of what asks the agent's own name servers. */
function destinationOf(definition: MonitorDefinition): Destination | null {
  const reading = readMonitor("", definition, "management");
  if (reading.is !== "runnable") return null;
  const { target } = reading.monitor;
  const server = serverOf(target.kind, target);
  return server === null ? null : { kind: target.kind, ...server };
}

function refusal(
  place: ForeseenPlace,
  agent: StoredInstance,
  destination: Destination,
  rules: TargetRules,
): string | null {
  const { host, port } = destination;
  const what = port === null ? host : showHostPort(host, port);
  const at = whoAt(place, agent);
  const said = foreseen(destination, rules);
  switch (said.is) {
    case "open":
      return null;
    case "denied":
      return `${at} will refuse ${what}: its operator denies it ${said.why}. Ask for an entry in PICKET_TARGET_ALLOW.`;
    case "depends":
      return `${at} will refuse ${what}, unless its name resolves to an address in ${said.on.slice(0, entriesShownMax).join(", ")}${said.on.length > entriesShownMax ? " …" : ""}.`;
  }
}

const entriesShownMax = 5;
