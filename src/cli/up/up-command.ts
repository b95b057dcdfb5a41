import { openView } from "#cli/up/open-view";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Code, ConnectError } from "@connectrpc/connect";
import type { Agent } from "#agent/agent";
import { readNotifySettings } from "#service/settings/notify-settings";
import { type Config, readConfig } from "#agent/settings/config";
import { noStateDirectory, openStateDirectory } from "#agent/state/state-directory";
import { openAgent } from "#cli/agent/open-agent";
import { builtInMonitors } from "#cli/up/built-in-monitors";
import { startExampleTarget } from "#cli/up/example-target";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { lineLog } from "#cli/edge/line-log";
import { type LocalService, startLocalService } from "#cli/up/local-service";
import type { Configuration } from "#cli/apply/configuration";
import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import { type LocationReport, readBack, readLocation } from "#cli/up/read-back";
import { parseUpArguments, type UpArguments } from "#cli/up/up-arguments";
import type { LocationState, View } from "#cli/up/up-view";
import { type Clock, systemClock } from "#base/clock";
import { noAssignmentMemory } from "#agent/state/assignment-file";
import * as limits from "#limits/cli-limits";
import { isThisMachine, type ListenAddress } from "#network/listen-address";
import { type Logger, silentLogger } from "#base/log";
import { isSentence } from "#cli/service/sentence-error";
import { counted, showText } from "#base/text";

/** `picket up`: the service and an agent in one process, talking over HTTP as they do on two machines. */
export async function runUp(args: readonly string[], io: Io): Promise<number> {
  const options = parseUpArguments(args, io);
  if (options === null) return exitCodes.fine;
  const { monitorsFile } = options;
  const wanted =
    monitorsFile === null
      ? null
      : await readConfigurationArgument([monitorsFile], true, "Nothing was started.", io);
  if (wanted === null && monitorsFile !== null) return exitCodes.failed;
  try {
    return await up(options, wanted, io);
  } catch (error) {
    if (!(error instanceof ConnectError)) throw error;
    // The second signal cuts off calls to the service wherever they are.
    if (error.code !== Code.Canceled || !io.abandon.aborted) sayFault(error, options, io);
    return exitCodes.failed;
  }
}

/** The service is in this process, and still it may refuse: its disk fails, or another command took its key away. */
function sayFault({ rawMessage }: ConnectError, { dataDirectory }: UpArguments, io: Io): void {
  const next =
    dataDirectory === null
      ? "Start picket up again"
      : `Look at the disk of ${dataDirectory}, then start picket up again: it continues with the existing data`;
  io.stderr.write(`picket up: its service refused a call: ${showText(rawMessage)}. ${next}.\n`);
}

/** Opens everything in its order, runs until asked to stop, says what the service knows, and closes in reverse. */
async function up(options: UpArguments, wanted: Configuration | null, io: Io): Promise<number> {
  const clock = systemClock;
  const notes = new Notes(io);
  const log = lineLog(
    (line) => notes.add(line),
    io.env["PICKET_LOG_LEVEL"] === "debug" ? "debug" : "warn",
  );
  await using life = new AsyncDisposableStack();
  const service = await openService(options, wanted, { life, io, clock, log });
  const config = service === null ? null : agentConfig(service, io);
  if (service === null || config === null) return exitCodes.failed;
  const view = life.use(openView(options, wanted?.monitors ?? null, service, { io, clock }));
  notes.showIn(view);
  if (service.notified.length > 0) view.note(`Notifications go to: ${service.notified.join(", ")}`);
  const seen = await runAgentBeside(service, config, view, { options, io, clock, log });
  if (seen === "abandoned") return exitCodes.failed;
  const report = await readBack(service.management, service.locationId, seen, io.abandon);
  view[Symbol.dispose]();
  io.stdout.write(options.json ? `${JSON.stringify(report)}\n` : summary(report));
  return exitCodes.fine;
}

/** Runs the agent until it has to stop and everything that it knows is with the service; gives its location while it ran. */
async function runAgentBeside(
  service: LocalService,
  config: Config,
  view: View,
  { options, io, clock, log }: { options: UpArguments; io: Io; clock: Clock; log: Logger },
): Promise<LocationState | "abandoned"> {
  const { dataDirectory } = options;
  using state = dataDirectory === null ? noStateDirectory : openStateDirectory(dataDirectory, log);
  await using opened = await openAgent({
    config,
    state,
    memory: noAssignmentMemory,
    listen: pageAddress(config, io),
    log,
    // The view shows every verdict.
    verdictLog: silentLogger,
    sinks: [({ result }) => view.result(result)],
    abandon: io.abandon,
  });
  const { agent, endpoint } = opened;
  if (isThisMachine(options.listen.host))
    view.note(`Open ${service.url} to see the monitors, ${service.url}/start for the first steps`);
  if (endpoint !== null) view.note(`Status page of the agent: ${endpoint.url}`);
  const ended = new AbortController();
  const watching =
    io.interactive && !options.json ? watchLocation(service, view, clock, ended.signal) : null;
  const asked = stopSignal(options, io, clock, ended.signal);
  asked.addEventListener("abort", () => noteWaiting(agent, config, view), { once: true });
  const stop = new AbortController();
  const seen = readAtEnd(service, asked, io.abandon).finally(() => stop.abort());
  try {
    await agent.run(stop.signal, io.abandon);
  } finally {
    ended.abort();
    await watching;
  }
  return io.abandon.aborted ? "abandoned" : await seen;
}

/** A stop that takes a while says what for: otherwise it looks as if Ctrl-C had no effect. */
function noteWaiting(agent: Agent, { drainTimeout }: Config, view: View): void {
  const checking = agent.checking();
  if (checking.length === 0) return;
  const named = checking.slice(0, limits.waitedForShownMax).map(({ name, id }) => name ?? id);
  const more = checking.length - named.length;
  const all = more === 0 ? named : [...named, `${more} more`];
  view.note(
    `Stopping: waiting for ${counted(checking.length, "check")} in flight (${all.join(", ")}), at most ${drainTimeout / 1000} s. Press Ctrl-C again to abort.`,
  );
}

/** The location in the last moment of its agent, whose goodbye ends what is known of it. */
async function readAtEnd(
  { management, locationId }: LocalService,
  asked: AbortSignal,
  abandon: AbortSignal,
): Promise<LocationState> {
  const end = AbortSignal.any([asked, abandon]);
  await new Promise<void>((resolve) => {
    if (end.aborted) resolve();
    else end.addEventListener("abort", () => resolve(), { once: true });
  });
  const unknown = { status: "unknown", lastSeenAt: null };
  return readLocation(management, locationId, abandon).catch(() => unknown);
}

/** A free port, unless one was asked for: several agents may be tried on one machine, next to one that is in use. */
const pageAddress = (config: Config, io: Io): ListenAddress | null =>
  config.listen === null || (io.env["PICKET_LISTEN"] ?? "") !== ""
    ? config.listen
    : { ...config.listen, port: 0 };

/** Aborts at the first signal, and when the time of --for is over. */
function stopSignal(
  { runFor }: UpArguments,
  { signal }: Io,
  clock: Clock,
  ended: AbortSignal,
): AbortSignal {
  if (runFor === null) return signal;
  const over = new AbortController();
  void clock.sleep(runFor, AbortSignal.any([signal, ended])).then(() => over.abort());
  return AbortSignal.any([signal, over.signal]);
}

interface Surroundings {
  readonly life: AsyncDisposableStack;
  readonly io: Io;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The service with its monitors; says why it cannot be started, and gives null then. */
async function openService(
  { listen, dataDirectory, notify }: UpArguments,
  wanted: Configuration | null,
  { life, io, clock, log }: Surroundings,
): Promise<LocalService | null> {
  const { notifying, publicUrl, errors } = readNotifySettings(io.env, clock.wall());
  for (const error of errors) io.stderr.write(`picket up: ${error}\n`);
  if (errors.length > 0) return null;
  const definitions = wanted?.monitors ?? null;
  const example = definitions === null ? life.use(await startExampleTarget(clock)) : null;
  try {
    const directory = await openDirectory(dataDirectory, life);
    const service = await startLocalService({
      ...listen,
      database: path.join(directory, "service.sqlite"),
      monitors: (url) => definitions ?? (example === null ? [] : builtInMonitors(url, example)),
      // Our own monitors come every ten seconds, which a person's may not.
      door: definitions === null ? "assignment" : "management",
      channels: { urls: notify, written: wanted?.channels ?? [] },
      notifying,
      publicUrl,
      clock,
      log,
      signal: io.abandon,
    });
    return life.use(service);
  } catch (error) {
    if (io.abandon.aborted && error === io.abandon.reason) return null;
    if (!isSentence(error)) throw error;
    io.stderr.write(`picket up: cannot start: ${showText(error.message)}\n`);
    return null;
  }
}

async function openDirectory(kept: string | null, life: AsyncDisposableStack): Promise<string> {
  if (kept !== null) {
    // Not recursive: in a file system that makes no directories, e.g. /proc, Node would try forever.
    await mkdir(kept, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST")
        throw new Error(`the directory ${kept} cannot be made (${error.code ?? error.message})`);
    });
    return kept;
  }
  const directory = await mkdtemp(path.join(tmpdir(), "picket-up-"));
  life.defer(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The agent's own settings hold; where its service is and how it proves itself are given here. */
function agentConfig({ url, token }: LocalService, io: Io): Config | null {
  const reading = readConfig({
    ...io.env,
    PICKET_TOKEN: token,
    PICKET_TOKEN_FILE: undefined,
    PICKET_TOKEN_HEADER: undefined,
    SERVICE_API_URL: url,
    // The service is in this process, whatever address it listens on.
    PICKET_ALLOW_HTTP: "on",
    no_proxy: "*",
  });
  for (const warning of reading.warnings) io.stderr.write(`picket up: warning: ${warning}\n`);
  if (reading.ok) return reading.config;
  for (const error of reading.errors) io.stderr.write(`picket up: ${error}\n`);
  return null;
}

/** Keeps the view's word on the location fresh; while the service does not answer, the last word stands. */
async function watchLocation(
  { management, locationId }: LocalService,
  view: View,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await readLocation(management, locationId, signal).then(
      (seen) => view.location(seen),
      () => {},
    );
    await clock.sleep(limits.viewLocationEvery, signal);
  }
}

function summary({ location, results }: LocationReport): string {
  const seen = location.last_seen_at === null ? "" : `, last seen ${location.last_seen_at}`;
  return (
    `Stopped. The service has ${counted(results.total, "result")}: ${results.success} success, ` +
    `${results.degraded} degraded, ${results.error} error. The location was ${location.status}${seen}.\n`
  );
}

/** Lines that have to be read: on stderr until there is a view that knows where to put them. */
class Notes {
  #show: (line: string) => void;

  constructor({ stderr }: Io) {
    this.#show = (line) => void stderr.write(`${showText(line)}\n`);
  }

  add(line: string): void {
    this.#show(line);
  }

  showIn(view: View): void {
    this.#show = (line) => view.note(line);
  }
}
