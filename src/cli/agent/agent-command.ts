import type { Agent } from "#agent/agent";
import type { AgentEnd } from "#agent/stop";
import { type Config, readConfig } from "#agent/settings/config";
import { serverFields } from "#network/server-fields";
import { proxyingOf } from "#config/service-proxy";
import { openStateDirectory } from "#agent/state/state-directory";
import { agentGrammar } from "#cli/agent/agent-grammar";
import { agentSigns } from "#cli/agent/agent-signs";
import { startAgentLog } from "#cli/agent/agent-log";
import { openAssignmentMemory } from "#cli/agent/agent-state";
import { openAgent } from "#cli/agent/open-agent";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { noSupervisor, openSupervisor, tellSupervisor } from "#cli/edge/supervisor";
import { leadsToJournal, openLogOutput } from "#cli/edge/log-output";
import { readWords } from "#cli/grammar/read-words";
import { systemClock } from "#base/clock";
import type { Logger } from "#base/log";
import { counted } from "#base/text";
import { showHostPort } from "#network/host-port";
import { version } from "#base/version";

/** `picket agent`: the daemon. Everything it has to know comes from the environment. */
export async function runAgent(args: readonly string[], io: Io): Promise<number> {
  if (readWords(agentGrammar, args, io) === null) return exitCodes.fine;
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
  const { how, results, durable } = await runToEnd(config, io, log);
  const isLost = results > 0 && !durable;
  log[isLost ? "warn" : "info"](`picket agent stopped${leftWords({ results, durable }, config)}`, {
    how,
    results,
  });
  return io.abandon.aborted ? exitCodes.failed : exitCodes.fine;
}

/** What a stopped agent leaves unsent, and whether the disk has it. */
interface Left {
  readonly results: number;
  readonly durable: boolean;
}

function leftWords({ results, durable }: Left, { stateDirectory }: Config): string {
  if (results === 0) return "";
  const are = results === 1 ? "is" : "are";
  return durable
    ? `: ${counted(results, "result")} ${are} kept in ${stateDirectory} and ${are} sent at the next start`
    : `: ${counted(results, "result")} that the service did not take ${are} lost, as nothing is kept on disk`;
}

/** Runs the agent until all of it is closed. */
async function runToEnd(
  config: Config,
  io: Io,
  log: Logger,
): Promise<Left & { readonly how: AgentEnd }> {
  using state = openStateDirectory(config.stateDirectory, log);
  await using opened = await openAgent({
    config,
    state,
    memory: openAssignmentMemory(config, state),
    listen: config.listen,
    log,
    verdictLog: log,
    sinks: [],
    abandon: io.abandon,
  });
  log.info("picket agent started", {
    "service.version": version(),
    "service.instance.id": opened.instance,
    ...serverFields(config.serviceUrl),
    "results waiting": opened.agent.status.resultsWaiting,
    "service.proxy": shownProxy(config),
  });
  const how = await runSupervised(opened.agent, config, io, log);
  const { resultsWaiting: results, spoolDurable: durable } = opened.agent.status;
  return { how, results, durable };
}

/** Runs the agent to its end, and reports to whatever supervises the process how it does. */
async function runSupervised(
  agent: Agent,
  { drainTimeout }: Pick<Config, "drainTimeout">,
  io: Io,
  log: Logger,
): Promise<AgentEnd> {
  const ended = new AbortController();
  const manager = openSupervisor(io.env, log);
  const running = agent.run(io.signal, io.abandon);
  const statusKept =
    manager === noSupervisor
      ? null
      : tellSupervisor(
          { manager, signs: () => agentSigns(agent.status), drainTimeout, clock: systemClock },
          io.signal,
          ended.signal,
        );
  try {
    return await running;
  } finally {
    ended.abort();
    await statusKept;
  }
}

/** Without the password, which parsing has put aside. */
function shownProxy({ serviceProxy }: Config): string | undefined {
  const { proxy } = proxyingOf(serviceProxy, []);
  return proxy === null ? undefined : showHostPort(proxy.host, proxy.port);
}
