import { aborted } from "#base/aborted";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { keyAction, type KeyValues } from "#cli/service/key-action";
import { serviceListenDefault } from "#cli/edge/service-listen";
import { lineLog } from "#cli/edge/line-log";
import { leadsToJournal, openLogOutput } from "#cli/edge/log-output";
import { certificateFiles, renewCertificate } from "#cli/service/service-certificate";
import { runServiceDoctor } from "#cli/service/service-doctor";
import { inDatabase } from "#cli/service/service-database";
import {
  readSurroundings,
  type ServiceSetup,
  secretFileOf,
  setupOf,
} from "#cli/service/service-setup";
import {
  noSupervisor,
  openSupervisor,
  type Supervisor,
  tellStart,
  tellSupervisor,
} from "#cli/edge/supervisor";
import { serviceGrammar } from "#cli/service/service-grammar";
import { whileWorking } from "#cli/edge/progress";
import { managePassword } from "#cli/service/service-password";
import { UsageError } from "#cli/edge/usage-error";
import { systemClock } from "#base/clock";
import * as alertsLimits from "#limits/alerts-limits";
import * as serviceLimits from "#limits/service-limits";
import type { Logger } from "#base/log";
import { isEveryAddress } from "#network/listen-address";
import { isServer } from "#service/store/open-store";
import { isSentence } from "#cli/service/sentence-error";
import { backUp, byCommand, openAccess } from "#service/edge/access";
import { personAction } from "#cli/service/person-action";
import { openPeople } from "#service/people/open-people";
import { type Service, startService } from "#service/server";
import type { ServerIdentity } from "#service/edge/web-server";
import { showText } from "#base/text";
import { millis } from "#base/units";

/** `picket service`: the service itself, and what opens it. */
export async function runService(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(serviceGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const database = values.database ?? io.env["PICKET_SERVICE_DATABASE"] ?? defaultDatabase(io);
  const [noun, ...rest] = words;
  if (noun === undefined) return serve(setupOf(values, database, io), io);
  if (noun === "doctor") {
    const files = certificateFiles(values, io.env);
    const secretFile = secretFileOf(database, io);
    return runServiceDoctor({ files, database, secretFile }, values.json, io);
  }
  if (noun === "backup") return backUpTo(rest, database, io);
  if (noun === "password") return managePassword(rest, values.remove, database, io);
  if (noun === "person") return managePeople(rest, values, database, io);
  if (noun !== "key")
    throw new UsageError(
      `service has no subcommand ${noun}; it has key, person, password, backup and doctor`,
    );
  return manageKeys(rest, values, database, io);
}

const defaultDatabase = (io: Io): string => {
  const directory = io.env["STATE_DIRECTORY"];
  return directory === undefined ? "picket-service.sqlite" : path.join(directory, "service.sqlite");
};

/** The user and the password of a server stay out of the output. */
function shownDatabase(database: string): string {
  if (!isServer(database)) return database;
  const url = URL.parse(database);
  return url === null ? "PostgreSQL" : `postgres://${url.host}${url.pathname}`;
}

async function serve(serving: ServiceSetup, io: Io): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${serviceLimits.heapGrowthPercent}`);
  const output = openLogOutput(io.stderr, leadsToJournal(io.env, 2), (message, fields) =>
    log.warn(message, fields),
  );
  const log = lineLog(output, io.env["PICKET_LOG_LEVEL"] === "debug" ? "debug" : "info");
  const surroundings = readSurroundings(serving, io);
  if (surroundings.why.length > 0) return cannotStart(surroundings.why.join("; "), io);
  for (const warning of surroundings.warnings)
    io.stderr.write(`picket service: warning: ${showText(warning)}\n`);
  const manager = openSupervisor(io.env, log);
  const started = new AbortController();
  const onProgress = tellStart(manager, systemClock, started.signal);
  let service: Service;
  try {
    const starting = { signal: io.signal, onProgress, clock: systemClock, log };
    service = await startService({ ...surroundings.chosen, ...starting });
  } catch (error) {
    if (io.signal.aborted && error === io.signal.reason) return stoppedEarly(io);
    if (!isSentence(error)) throw error;
    return cannotStart(showText(error.message), io);
  } finally {
    started.abort();
  }
  await using running = service;
  const { identity } = surroundings.chosen;
  await untilStopped(running, { serving, manager, log, hasTls: identity !== undefined }, io);
  return exitCodes.fine;
}

interface RunningTools {
  readonly serving: ServiceSetup;
  readonly manager: Supervisor;
  readonly log: Logger;
  readonly hasTls: boolean;
}

/** Prints where it listens, keeps its supervisor and its certificate up to date, and ends with the process's signal. */
async function untilStopped(
  running: Service,
  { serving: { database, listen, files }, manager, log, hasTls }: RunningTools,
  io: Io,
): Promise<void> {
  const everywhere = isEveryAddress(listen.host) ? ", and on every other address here" : "";
  const listens = `The service listens on ${running.url}${everywhere}; its database is ${shownDatabase(database)}\n`;
  io.stdout.write(`${listens}${await firstKey(running, io)}`);
  const renew = (one: ServerIdentity): void => running.renew(one);
  const telling = {
    manager,
    signs: () => ({ alive: true, line: `listens on ${running.url}${everywhere}` }),
    drainTimeout: millis(alertsLimits.deliveryDrain + serviceLimits.serviceDrainTimeout),
    clock: systemClock,
  };
  const ended = new AbortController();
  const loops = [
    ...(manager === noSupervisor ? [] : [tellSupervisor(telling, io.signal, ended.signal)]),
    ...(hasTls ? [renewCertificate({ files, renew, clock: systemClock, log }, ended.signal)] : []),
  ];
  await aborted(io.signal);
  ended.abort();
  await Promise.all(loops);
  io.stdout.write("Stopping: requests and messages under way are finished.\n");
  io.abandon.addEventListener("abort", () => running.abandon(), { once: true });
}

/** A file that was being brought over is as before or as after, and the next start opens either. */
function stoppedEarly({ stdout }: Io): number {
  stdout.write(
    "Stopped while the database was being opened: it is whole, and the next start opens it.\n",
  );
  return exitCodes.fine;
}

function cannotStart(why: string, { stderr }: Io): number {
  stderr.write(`picket service: cannot start: ${why}\n`);
  return exitCodes.failed;
}

/** What is said of the first key: empty if there is one. */
async function firstKey({ admin, url }: Service, { env }: Io): Promise<string> {
  if (leadsToJournal(env, 1)) return (await admin.listApiKeys()).length === 0 ? noKey : "";
  const key = await admin.createFirstApiKey({ name: "first", scope: "write" });
  if (key === null) return "";
  return `
There was no API key. One was made, which may read and write; it is shown only now:

  export SERVICE_API_URL=${url} SERVICE_API_KEY=${key}

Open ${pagesUrl(url, env)} in a browser and sign in with this key: ${key}
Or write monitors into a file: picket apply -f monitors.yaml --location NAME
`;
}

/** Where people reach the pages: behind a proxy at another address than programs of this machine. */
const pagesUrl = (url: string, env: Io["env"]): string => env["PICKET_SERVICE_PUBLIC_URL"] ?? url;

/** The journal is kept and read by others: a key is not shown there. */
const noKey = `There is no API key: make one with picket service key create --name NAME --scope write, in the
database of this service.
`;

async function manageKeys(
  words: readonly string[],
  values: KeyValues,
  database: string,
  io: Io,
): Promise<number> {
  // What is wrong with the words is said before any file is touched.
  const act = keyAction(words, values);
  return inDatabase(database, io, async () => {
    await using opened = await openAccess(database, systemClock);
    return await byCommand("picket service key", () => act(opened.keys, systemClock.wall()));
  });
}

async function managePeople(
  words: readonly string[],
  values: Parameters<typeof personAction>[1] & { readonly listen: string | null },
  database: string,
  io: Io,
): Promise<number> {
  const listen = values.listen ?? io.env["PICKET_SERVICE_LISTEN"] ?? serviceListenDefault;
  const address = io.env["PICKET_SERVICE_PUBLIC_URL"] ?? `http://${listen}`;
  const act = personAction(words, values, address.replace(/\/+$/, ""));
  return inDatabase(database, io, async () => {
    await using opened = await openPeople(database, systemClock);
    return await byCommand("picket service person", () => act(opened.people));
  });
}

async function backUpTo(words: readonly string[], database: string, io: Io): Promise<number> {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new UsageError("backup needs one FILE");
  return inDatabase(database, io, async () => {
    await whileWorking(`Copying to ${showText(file)}`, io, () => backUp(database, file));
    return `${showText(file)} is a copy of ${showText(database)}\n`;
  });
}
