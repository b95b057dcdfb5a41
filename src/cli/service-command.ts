import { aborted } from "#aborted";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { exitCodes } from "#cli/exit-code";
import type { OptionValues } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/io";
import { keyAction, type KeyValues } from "#cli/key-action";
import { lineLog } from "#cli/line-log";
import { leadsToJournal, openLogOutput } from "#cli/log-output";
import { certificateFiles, readCertificate, renewCertificate } from "#cli/service-certificate";
import { runServiceDoctor } from "#cli/doctor/service-doctor";
import { inDatabase } from "#cli/service-database";
import { configurationFolder } from "#cli/service-folder";
import { serviceListenDefault } from "#cli/service-listen";
import { noSupervisor, openSupervisor, tellStart, tellSupervisor } from "#cli/supervisor";
import { type ServiceOptions, serviceGrammar } from "#cli/service-grammar";
import { whileWorking } from "#cli/progress";
import { readOidcSettings } from "#cli/service-oidc";
import { managePassword } from "#cli/service-password";
import { UsageError } from "#cli/usage-error";
import { systemClock } from "#clock";
import type { IdentityFiles } from "#config/identity-files";
import { readNotifySettings } from "#config/notify-settings";
import { accepts, expectations, isOn } from "#config/setting-kinds";
import * as checkLimits from "#limits/check-limits";
import * as serviceLimits from "#limits/service-limits";
import { showHostPort } from "#network/host-port";
import { type Block, parseBlock } from "#network/address-block";
import {
  isEveryAddress,
  isThisMachine,
  type ListenAddress,
  parseListenAddress,
} from "#network/listen-address";
import { isHeaderName } from "#service/key-headers";
import type { AboutService } from "#service/plain-answers";
import { isServer } from "#store/open-store";
import { isSentence } from "#cli/sentence-error";
import { backUp, openAccess } from "#service/access";
import { type Service, type ServiceOptions as StartOptions, startService } from "#service/server";
import type { ServerIdentity } from "#service/web-server";
import { showText } from "#text";

/** `picket service`: the service itself, and what opens it. */
export async function runService(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(serviceGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const database = values.database ?? io.env["PICKET_SERVICE_DATABASE"] ?? defaultDatabase(io);
  const [noun, ...rest] = words;
  if (noun === undefined) {
    const listen = values.listen ?? io.env["PICKET_SERVICE_LISTEN"] ?? serviceListenDefault;
    const secretFile = io.env["PICKET_SERVICE_SECRET_FILE"] ?? defaultSecretFile(database, io);
    const trustedProxies = trustedProxiesIn(io);
    const shown = { about: aboutIn(io), keyHeaders: keyHeadersIn(io), trustedProxies };
    const folder = values.config ?? io.env["PICKET_SERVICE_CONFIG"] ?? "";
    const given = folder === "" ? {} : { configuration: configurationFolder(folder, io.env) };
    const wire = { listen: listenOf(listen), ...wireOf(values, io), ...shown, given };
    return serve({ database, secretFile, ...wire }, io);
  }
  if (noun === "doctor")
    return runServiceDoctor({ files: certificateFiles(values, io.env), database }, values.json, io);
  if (noun === "backup") return backUpTo(rest, database, io);
  if (noun === "password") return managePassword(rest, values.remove, database, io);
  if (noun !== "key")
    throw new UsageError(
      `service has no subcommand ${noun}; it has key, password, backup and doctor`,
    );
  return manageKeys(rest, values, database, io);
}

const defaultDatabase = (io: Io): string => {
  const directory = io.env["STATE_DIRECTORY"];
  return directory === undefined ? "picket-service.sqlite" : path.join(directory, "service.sqlite");
};

function listenOf(text: string): ListenAddress {
  const listen = parseListenAddress(text);
  if (listen === null)
    throw new UsageError(`--listen must be HOST:PORT, e.g. 127.0.0.1:8787, not "${text}"`);
  return listen;
}

/** Beside a file; PostgreSQL has no place beside it. */
const defaultSecretFile = (database: string, { env }: Io): string =>
  isServer(database)
    ? path.join(env["STATE_DIRECTORY"] ?? "", "picket-service.key")
    : `${database}.key`;

/** The user and the password of a server stay out of the output. */
function shownDatabase(database: string): string {
  if (!isServer(database)) return database;
  const url = URL.parse(database);
  return url === null ? "PostgreSQL" : `postgres://${url.host}${url.pathname}`;
}

/** What whoami says; tools show it. */
function aboutIn({ env }: Io): AboutService {
  const about = {
    name: env["PICKET_SERVICE_NAME"] || "Picket",
    slug: env["PICKET_SERVICE_SLUG"] || "picket",
  };
  const longest = Math.max(about.name.length, about.slug.length);
  if (longest <= checkLimits.nameCharsMax) return about;
  throw new UsageError(
    `PICKET_SERVICE_NAME and PICKET_SERVICE_SLUG may have ${checkLimits.nameCharsMax} characters each`,
  );
}

function keyHeadersIn({ env }: Io): readonly string[] {
  const text = env["PICKET_SERVICE_KEY_HEADERS"] ?? "";
  const names = text.toLowerCase().split(/[\s,]+/);
  const given = names.filter((name) => name !== "");
  if (given.length <= serviceLimits.keyHeadersMax && given.every(isHeaderName)) return given;
  throw new UsageError(
    `PICKET_SERVICE_KEY_HEADERS must name at most ${serviceLimits.keyHeadersMax} headers, e.g. x-acme-key`,
  );
}

function trustedProxiesIn({ env }: Io): readonly Block[] {
  const given = (env["PICKET_SERVICE_TRUSTED_PROXIES"] ?? "").split(/[\s,]+/);
  return given
    .filter((text) => text !== "")
    .map((text) => {
      const block = parseBlock(text);
      if (block !== null) return block;
      throw new UsageError(
        "PICKET_SERVICE_TRUSTED_PROXIES must be addresses or CIDR blocks, e.g. 10.0.0.0/8, 192.0.2.7",
      );
    });
}

interface ServiceSetup {
  /** The files that say what it is to have, where there are any. */
  readonly given: Pick<StartOptions, "configuration">;
  readonly database: string;
  readonly secretFile: string;
  readonly about: AboutService;
  readonly keyHeaders: readonly string[];
  readonly trustedProxies: readonly Block[];
  readonly listen: ListenAddress;
  readonly files: IdentityFiles;
  readonly httpAllowed: boolean;
}

function wireOf(
  values: OptionValues<ServiceOptions>,
  { env }: Io,
): Pick<ServiceSetup, "files" | "httpAllowed"> {
  const allowed = env["PICKET_SERVICE_ALLOW_HTTP"] || "off";
  if (!accepts.switch(allowed))
    throw new UsageError(`PICKET_SERVICE_ALLOW_HTTP must be ${expectations.switch}`);
  return {
    files: certificateFiles(values, env),
    httpAllowed: values["allow-http"] || isOn(allowed),
  };
}

async function serve(serving: ServiceSetup, io: Io): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${serviceLimits.heapGrowthPercent}`);
  const { database, listen, files } = serving;
  const output = openLogOutput(io.stderr, leadsToJournal(io.env, 2), (message, fields) =>
    log.warn(message, fields),
  );
  const log = lineLog(output, io.env["PICKET_LOG_LEVEL"] === "debug" ? "debug" : "info");
  const { identity, errors, warnings } = readCertificate(files, systemClock);
  const open = identity === null && !isThisMachine(listen.host);
  const notify = readNotifySettings(io.env, systemClock.wall());
  const { oidc, errors: oidcErrors } = readOidcSettings(io.env, notify.publicUrl);
  const wrong = [...errors, ...notify.errors, ...oidcErrors];
  const why = open && !serving.httpAllowed ? [...wrong, openHttp(listen)] : wrong;
  if (why.length > 0) return cannotStart(why.join("; "), io);
  const warned = [...warnings, ...notify.warnings];
  for (const warning of open ? [...warned, exposed(listen)] : warned)
    io.stderr.write(`picket service: warning: ${showText(warning)}\n`);
  const manager = openSupervisor(io.env, log);
  let service: Service;
  try {
    const { secretFile, about, keyHeaders, trustedProxies, given } = serving;
    const { notifying } = notify;
    const called = { secretFile, about, keyHeaders, trustedProxies };
    const signIn = oidc === null ? {} : { oidc };
    const chosen = { ...given, database, ...called, notifying, ...linksOf(notify), ...signIn };
    const starting = {
      signal: io.signal,
      onProgress: (sentence: string) => tellStart(manager, sentence),
    };
    const options = { ...chosen, ...listen, ...starting, clock: systemClock, log };
    service = await startService(identity === null ? options : { ...options, identity });
  } catch (error) {
    if (io.signal.aborted && error === io.signal.reason) return stoppedEarly(io);
    if (!isSentence(error)) throw error;
    return cannotStart(showText(error.message), io);
  }
  await using running = service;
  const everywhere = isEveryAddress(listen.host) ? ", and on every other address here" : "";
  const listens = `The service listens on ${running.url}${everywhere}; its database is ${shownDatabase(database)}\n`;
  io.stdout.write(`${listens}${await firstKey(running, io)}`);
  const renewing = {
    files,
    renew: (one: ServerIdentity) => running.renew(one),
    clock: systemClock,
    log,
  };
  const telling = {
    manager,
    signs: () => ({ alive: true, line: `listens on ${running.url}${everywhere}` }),
    drainTimeout: serviceLimits.serviceDrainTimeout,
    clock: systemClock,
  };
  const ended = new AbortController();
  const loops = [
    ...(manager === noSupervisor ? [] : [tellSupervisor(telling, io.signal, ended.signal)]),
    ...(identity === null ? [] : [renewCertificate(renewing, ended.signal)]),
  ];
  await aborted(io.signal);
  ended.abort();
  await Promise.all(loops);
  io.stdout.write("Stopping: requests under way are finished.\n");
  io.abandon.addEventListener("abort", () => running.abandon(), { once: true });
  return exitCodes.fine;
}

/** Where people and a watcher elsewhere find the service. */
const linksOf = ({
  publicUrl,
  heartbeatUrl,
}: ReturnType<typeof readNotifySettings>): Pick<StartOptions, "publicUrl" | "heartbeatUrl"> => ({
  ...(publicUrl === null ? {} : { publicUrl }),
  ...(heartbeatUrl === null ? {} : { heartbeatUrl }),
});

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

const openHttp = ({ host, port }: ListenAddress): string =>
  `plain http on ${showHostPort(host, port)} would show tokens and keys to whoever is on the way: give a certificate (--cert and --key), or listen on 127.0.0.1 behind a proxy that speaks TLS (--allow-http allows it all the same)`;

const exposed = ({ host, port }: ListenAddress): string =>
  `plain http on ${showHostPort(host, port)}: tokens and keys can be read on the way, unless something before it speaks TLS`;

/** What is said of the first key: empty where there is one. */
async function firstKey({ admin, url }: Service, { env }: Io): Promise<string> {
  if (leadsToJournal(env, 1)) return (await admin.listApiKeys()).length === 0 ? noKey : "";
  const key = await admin.createFirstApiKey({ name: "first", scope: "write" });
  if (key === null) return "";
  return `
There was no API key. One was made, which may read and write; it is shown only now:

  export SERVICE_API_URL=${url} SERVICE_API_KEY=${key}

Next: picket apply -f monitors.yaml --location NAME
`;
}

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
    return await act(opened.keys);
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
