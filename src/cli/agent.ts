import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { getCACertificates } from "node:tls";
import { Agent } from "#agent/agent";
import { type Config, readConfig } from "#agent/config";
import { startLogger } from "#agent/logger";
import type { ProberOptions } from "#agent/prober";
import { settings } from "#agent/settings";
import { startWorkerProber } from "#agent/worker-prober";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { parseArguments } from "#cli/usage-error";
import { systemClock } from "#clock";
import { type Endpoint, openEndpoint } from "#endpoint/endpoint";
import { History } from "#endpoint/history";
import type { ListenAddress } from "#listen-address";
import type { Logger } from "#log";
import { parseProxy, type Proxying } from "#probes/proxy";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { ControlPlane } from "#transport/control-plane";
import { memorySpool } from "#transport/memory-spool";
import { version } from "#cli/version";

/** `picket agent`: the daemon. Everything it has to know comes from the environment. */
export async function runAgent(args: readonly string[], io: Io): Promise<number> {
  const { values } = parseArguments(args, { options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) {
    io.stdout.write(agentHelp());
    return exitCodes.fine;
  }
  const reading = readConfig(io.env);
  for (const warning of reading.warnings) io.stderr.write(`picket agent: warning: ${warning}\n`);
  if (!reading.ok) {
    for (const error of reading.errors) io.stderr.write(`picket agent: ${error}\n`);
    io.stderr.write("See: picket agent --help\n");
    return exitCodes.failed;
  }
  return runConfigured(reading.config, io);
}

async function runConfigured(config: Config, io: Io): Promise<number> {
  const log = startLogger(config, io.interactive, io.stdout);
  await using life = new AsyncDisposableStack();
  const prober = life.use(await startWorkerProber(proberOptions(config), config.workers, log));
  const history = new History((monitorId) => agent.runs(monitorId));
  const agent = new Agent({
    ...config,
    prober,
    controlPlane: controlPlaneOf(config),
    spool: memorySpool(),
    clock: systemClock,
    log,
    onResult: (result) => history.note(result),
  });
  life.use(await endpointOf(config, config.listen, { agent, history, log }));
  log.info("picket agent started", {
    "service.version": version(),
    "service.instance.id": config.instance,
    "server.address": config.serviceUrl,
  });
  const end = await agent.run(io.signal, io.abandon);
  log.info("picket agent stopped", { how: end });
  return io.abandon.aborted ? exitCodes.failed : exitCodes.fine;
}

/** The local endpoint of an agent; null where it is to have none, or cannot. */
export async function endpointOf(
  config: Config,
  listen: ListenAddress | null,
  parts: { readonly agent: Agent; readonly history: History; readonly log: Logger },
): Promise<Endpoint | null> {
  if (listen === null) return null;
  const identity = { ...config, version: version() };
  return openEndpoint({ ...parts, listen, identity, metrics: null, clock: systemClock });
}

export const proberOptions = (
  config: Pick<
    Config,
    | "caFile"
    | "nameServers"
    | "ipFamily"
    | "resolver"
    | "targetRules"
    | "targetProxy"
    | "proxyExceptions"
    | "http2"
    | "kernelClock"
    | "bodyBytesMax"
  >,
): ProberOptions => ({
  ...config,
  proxying: proxyingOf(config),
  userAgent: `picket/${version()}`,
});

function proxyingOf({
  targetProxy,
  proxyExceptions: exceptions,
}: Pick<Config, "targetProxy" | "proxyExceptions">): Proxying {
  if (targetProxy === null) return { proxy: null, exceptions };
  const proxy = parseProxy(targetProxy.reveal());
  // Never without it instead: the configuration let only a proxy's URL pass.
  if (!proxy.ok) throw new TypeError(`the target proxy's URL ${proxy.message}`);
  return { proxy: proxy.value, exceptions };
}

/** The service that a configuration names, as the agent calls it. */
export function controlPlaneOf(config: Config): ControlPlane {
  return connectControlPlane({
    baseUrl: config.serviceUrl,
    token: () => config.token.reveal(),
    tokenHeader: config.tokenHeader,
    instance: {
      id: config.instance,
      version: version(),
      hostname: hostname(),
      node: config.node,
      labels: config.labels,
    },
    authorities:
      config.caFile === null
        ? null
        : [...getCACertificates("default"), readFileSync(config.caFile, "utf8")],
    clock: systemClock,
  });
}

function agentHelp(): string {
  const rows = Object.entries(settings).map(([name, { fallback, does }]) => {
    const otherwise = fallback === null || fallback === "" ? "" : ` (default ${fallback})`;
    return `  ${name.padEnd(26)} ${does}${otherwise}`;
  });
  return `Usage: picket agent

Runs the monitors of a private location until SIGTERM, then ends the checks in flight, reports
what it has, and exits with 0. A second signal gives up at once and exits with 1.

Environment
${rows.join("\n")}

Exit codes: 0 stopped as asked, 1 wrong configuration or given up, 64 wrong usage, 70 a bug.
`;
}
