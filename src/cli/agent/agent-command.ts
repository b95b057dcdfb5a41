import { hostname } from "node:os";
import { Agent, type AgentEnd } from "#agent/agent";
import { type Config, readConfig } from "#config/config";
import { serverFields } from "#network/server-fields";
import { proxyingOf } from "#config/service-proxy";
import { settings } from "#config/settings";
import { openStateDirectory } from "#state/state-directory";
import { currentToken } from "#config/token";
import { type Scraped, Telemetry } from "#agent/telemetry";
import { startWorkerProber } from "#prober/worker-prober";
import { startAgentLog } from "#cli/agent/agent-log";
import { instanceOf, openAssignmentMemory, openSpool } from "#cli/agent/agent-state";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { serviceWay } from "#cli/service-way";
import { noSupervisor, openSupervisor, tellSupervisor } from "#cli/agent/supervisor";
import { leadsToJournal, openLogOutput } from "#cli/log-output";
import { parseArguments } from "#cli/usage-error";
import { systemClock } from "#clock";
import { type Endpoint, openEndpoint } from "#endpoint/endpoint";
import { History } from "#endpoint/history";
import type { ListenAddress } from "#network/listen-address";
import type { Logger } from "#log";
import { showHostPort } from "#network/host-port";
import { connectControlPlane, type ConnectOptions } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import type { Spool } from "#spool/spool";
import type { Watch } from "#transport/watch";
import { websocketWatch } from "#transport/websocket-watch";
import { version } from "#version";

/** `picket agent`: the daemon. Everything it has to know comes from the environment. */
export async function runAgent(args: readonly string[], io: Io): Promise<number> {
  const { values } = parseArguments(args, { options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) {
    io.stdout.write(agentHelp());
    return exitCodes.fine;
  }
  const reading = readConfig(io.env);
  const say = openLogOutput(io.stderr, leadsToJournal(io.env, 2), () => {});
  for (const warning of reading.warnings) say(`picket agent: warning: ${warning}`, "warn");
  if (!reading.ok) {
    for (const error of reading.errors) say(`picket agent: ${error}`, "error");
    say("See: picket agent --help", "info");
    return exitCodes.failed;
  }
  return runConfigured(reading.config, io);
}

async function runConfigured(config: Config, io: Io): Promise<number> {
  const log = startAgentLog(config, io);
  const state = openStateDirectory(config.stateDirectory, log);
  const instance = instanceOf(config, state, log);
  await using life = new AsyncDisposableStack();
  const spool = life.use(openSpool(config, state, systemClock, log));
  const prober = life.use(await startWorkerProber(config.probing, config.workers, log));
  const telemetry = life.use(telemetryOf(config, instance, spool, log, io.abandon));
  const history = new History((monitorId) => agent.runs(monitorId));
  const agent = new Agent({
    ...config,
    prober,
    ...serviceOf(config, instance, log),
    spool,
    memory: openAssignmentMemory(config, state),
    clock: systemClock,
    log,
    onResult: (result, monitor, lateness) => {
      history.note(result);
      telemetry.note(result, monitor, lateness);
    },
  });
  telemetry.watch(agent);
  life.use(await endpointOf(config, config.listen, { agent, history, telemetry, instance, log }));
  log.info("picket agent started", {
    "service.version": version(),
    "service.instance.id": instance,
    ...serverFields(config.serviceUrl),
    "results waiting": spool.size,
    "service.proxy": shownProxy(config),
  });
  const end = await runTold(agent, config, io, log);
  log.info("picket agent stopped", { how: end });
  return io.abandon.aborted ? exitCodes.failed : exitCodes.fine;
}

/** Runs the agent to its end, while who started the process is told how it does. */
async function runTold(
  agent: Agent,
  { drainTimeout }: Pick<Config, "drainTimeout">,
  io: Io,
  log: Logger,
): Promise<AgentEnd> {
  const ended = new AbortController();
  const manager = openSupervisor(io.env, log);
  const running = agent.run(io.signal, io.abandon);
  const told =
    manager === noSupervisor
      ? null
      : tellSupervisor(
          { manager, agent, drainTimeout, clock: systemClock },
          io.signal,
          ended.signal,
        );
  try {
    return await running;
  } finally {
    ended.abort();
    await told;
  }
}

/** The metrics of an agent that is configured so. */
export const telemetryOf = (
  config: Config,
  instance: string,
  spool: Spool,
  log: Logger,
  abandon: AbortSignal,
): Telemetry =>
  new Telemetry({
    config,
    instance,
    prober: config.probing,
    spool,
    version: version(),
    clock: systemClock,
    log,
    abandon,
  });

/** The local endpoint of an agent; null where it is to have none, or cannot. */
export async function endpointOf(
  config: Config,
  listen: ListenAddress | null,
  { telemetry, instance, ...parts }: EndpointParts,
): Promise<Endpoint | null> {
  if (listen === null) return null;
  const { listenHosts } = config;
  const identity = { ...config, instance, version: version() };
  const metrics = (query: URLSearchParams): Scraped => telemetry.scraped(query);
  return openEndpoint({ ...parts, listen, listenHosts, identity, metrics, clock: systemClock });
}

interface EndpointParts {
  readonly agent: Agent;
  readonly history: History;
  readonly telemetry: Telemetry;
  readonly instance: string;
  readonly log: Logger;
}

/** The service that a configuration names, as the agent calls it and listens to it. */
export function serviceOf(
  config: Config,
  instance: string,
  log: Logger,
): {
  readonly controlPlane: ControlPlane;
  readonly watch: Watch | null;
} {
  const options: ConnectOptions = {
    baseUrl: config.serviceUrl,
    token: currentToken(config.token, log),
    tokenHeader: config.tokenHeader,
    instance: {
      id: instance,
      version: version(),
      hostname: hostname(),
      node: config.node,
      labels: config.labels,
      placement: config.placement,
    },
    way: serviceWay(config),
    clock: systemClock,
  };
  return {
    controlPlane: connectControlPlane(options),
    watch: config.watching ? websocketWatch(options) : null,
  };
}

/** Without the password, which parsing has put aside. */
function shownProxy({ serviceProxy }: Config): string | undefined {
  const { proxy } = proxyingOf(serviceProxy, []);
  return proxy === null ? undefined : showHostPort(proxy.host, proxy.port);
}

function agentHelp(): string {
  const rows = Object.entries(settings).map(([name, { fallback, does }]) => {
    const otherwise = fallback === null || fallback === "" ? "" : ` (default ${fallback})`;
    return `  ${name.padEnd(26)} ${does}${otherwise}`;
  });
  return `Usage: picket agent

Runs the monitors of a private location until SIGTERM, SIGINT or SIGHUP, then ends the checks in flight, reports
what it has, and exits with 0. A second signal gives up at once and exits with 1.

Environment
${rows.join("\n")}

The agent's own metrics go where OTEL_EXPORTER_OTLP_ENDPOINT says, by OpenTelemetry's standard variables.

Exit codes: 0 stopped as asked, 1 wrong configuration or given up, 64 wrong usage, 70 a bug.
`;
}
