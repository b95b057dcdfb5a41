import { Agent } from "#agent/agent";
import { logSink, type ResultSink } from "#agent/checks/result-sink";
import { fitHeapGrowth } from "#agent/heap-growth";
import { keepMemorySmall } from "#agent/unused-memory";
import { placeSources } from "#agent/looks/place-sources";
import { renewSecrets, watchSecrets } from "#agent/secrets/secret-watch";
import { type TargetUser, TargetWatch } from "#agent/settings/target-watch";
import { Telemetry } from "#agent/telemetry";
import { linkOf } from "#cli/agent/agent-link";
import { instanceOf, openSpool } from "#cli/agent/agent-state";
import { takeOverLeftResults } from "#cli/agent/left-results";
import { systemClock } from "#base/clock";
import type { Config } from "#agent/settings/config";
import { type Endpoint, openEndpoint } from "#agent/endpoint/endpoint";
import { History } from "#agent/endpoint/history";
import { keepHistory } from "#agent/endpoint/kept-history";
import type { Logger } from "#base/log";
import type { ListenAddress } from "#network/listen-address";
import { startThreadChecker } from "#agent/prober/thread-checker";
import type { AssignmentMemory } from "#agent/state/assignment-file";
import type { StateDirectory } from "#agent/state/state-directory";
import { version } from "#base/version";

/** What differs between the commands that run an agent. */
interface AgentSurroundings {
  readonly config: Config;
  readonly state: StateDirectory;
  readonly memory: AssignmentMemory;
  /** Where the local endpoint listens; null opens none. */
  readonly listen: ListenAddress | null;
  readonly log: Logger;
  /** Where a monitor's change of verdict is logged. */
  readonly verdictLog: Logger;
  /** Where results go in addition to the agent's own page and its metrics. */
  readonly sinks: readonly ResultSink[];
  /** Aborts when nothing is to be waited for any more. */
  readonly abandon: AbortSignal;
}

/** An agent with all that it needs. Closing it closes each part, the last one opened first. */
interface OpenAgent extends AsyncDisposable {
  readonly agent: Agent;
  /** Null where there is to be none, or its address cannot be had. */
  readonly endpoint: Endpoint | null;
  readonly instance: string;
}

/** Opens an agent's parts in their order; it does not run yet. */
export async function openAgent(surroundings: AgentSurroundings): Promise<OpenAgent> {
  const { config, state, log, verdictLog, sinks, abandon } = surroundings;
  const clock = systemClock;
  const instance = instanceOf(config, state, log);
  await using opening = new AsyncDisposableStack();
  const spool = opening.use(openSpool(config, state, clock, log));
  opening.use(takeOverLeftResults({ ...config, state, spool, clock, log }));
  const { watch } = opening.use(await watchSecrets(config.secretSources, clock, log));
  const { table: secrets } = watch;
  const checker = opening.use(await startThreadChecker({ ...config, secrets, log }));
  const speaker = { instance, version: version(), prober: config.probing };
  const telemetry = opening.use(
    new Telemetry({ config, ...speaker, spool, clock, log, abandon, secrets }),
  );
  opening.use(renewSecrets(watch, clock, [checker, telemetry]));
  const place = placeSources(config.probing, clock);
  const targets = opening.use(watchedTargets(config, log, [checker, telemetry, place]));
  const history = new History((monitorId) => agent.runs(monitorId));
  opening.use(keepHistory({ file: state.file("history"), history, clock, log }));
  const agent = new Agent({
    ...config,
    verdictLog,
    log,
    ...linkOf(surroundings, instance),
    checker,
    spool,
    clock,
    place,
    targets,
    sinks: [...sinksOf({ ...surroundings, history, telemetry }), ...sinks],
  });
  telemetry.watch(agent);
  const endpoint = opening.use(
    await endpointOf({ ...surroundings, agent, history, telemetry, instance }),
  );
  for (const upkeep of [keepMemorySmall(clock), fitHeapGrowth(clock)]) opening.use(upkeep);
  const open = opening.move();
  return { agent, endpoint, instance, [Symbol.asyncDispose]: () => open.disposeAsync() };
}

/** The rules for targets, and whoever has to know when they change. */
function watchedTargets(
  { targetLists, probing }: Config,
  log: Logger,
  users: readonly (TargetUser | null)[],
): TargetWatch {
  const watch = new TargetWatch(targetLists, probing.targetRules, log);
  watch.renew(
    systemClock,
    users.filter((user) => user !== null),
  );
  return watch;
}

const sinksOf = ({
  config,
  log,
  history,
  telemetry,
}: Pick<EndpointParts, "config" | "log" | "history" | "telemetry">): readonly ResultSink[] => [
  ...(config.logLevel === "debug" ? [logSink(log)] : []),
  ({ result }) => history.note(result),
  ({ result, monitor, lateness }) => telemetry.note(result, monitor, lateness),
];

interface EndpointParts extends AgentSurroundings {
  readonly agent: Agent;
  readonly history: History;
  readonly telemetry: Telemetry;
  readonly instance: string;
}

async function endpointOf(parts: EndpointParts): Promise<Endpoint | null> {
  const { config, listen, telemetry, instance, agent, history, log } = parts;
  if (listen === null) return null;
  return openEndpoint({
    agent,
    history,
    log,
    listen,
    listenHosts: config.listenHosts,
    identity: { ...config, instance, version: version() },
    metrics: (query) => telemetry.scraped(query),
    clock: systemClock,
  });
}
