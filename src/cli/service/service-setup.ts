import path from "node:path";
import type { OptionValues } from "#cli/grammar/option";
import type { Io } from "#cli/edge/io";
import { certificateFiles, readCertificate } from "#cli/service/service-certificate";
import { configurationFolder } from "#cli/service/service-folder";
import type { ServiceOptions } from "#cli/service/service-grammar";
import { serviceListenDefault } from "#cli/edge/service-listen";
import { readOidcSettings } from "#cli/service/service-oidc";
import { trustedProxiesIn, unnamedProxy } from "#cli/service/service-proxies";
import { UsageError } from "#cli/edge/usage-error";
import { systemClock } from "#base/clock";
import type { IdentityFiles } from "#config/identity-files";
import { readNotifySettings } from "#service/settings/notify-settings";
import { unknownNames } from "#config/unknown-names";
import { ServiceValues } from "#service/settings/service-values";
import { accepts, expectations, isOn } from "#config/setting-kinds";
import * as checkLimits from "#limits/check-limits";
import * as serviceLimits from "#limits/service-limits";
import type { Block } from "#network/address-block";
import { showHostPort } from "#network/host-port";
import { isThisMachine, type ListenAddress, parseListenAddress } from "#network/listen-address";
import { isHeaderName } from "#service/edge/key-headers";
import type { AboutService } from "#service/plain-answers";
import type { ServiceOptions as StartOptions } from "#service/server";
import { isServer } from "#service/store/open-store";
import { parseDuration } from "#base/duration";
import { lineFault } from "#base/text";
import type { Millis } from "#base/units";

/** What `picket service` was called with, words before the environment. */
export interface ServiceSetup {
  /** The files that say what it is to have, if there are any. */
  readonly given: Pick<StartOptions, "configuration">;
  readonly database: string;
  readonly secretFile: string;
  readonly about: AboutService;
  readonly keyHeaders: readonly string[];
  readonly callsPerSecond: number;
  readonly packAfter: Millis;
  readonly trustedProxies: readonly Block[];
  readonly listen: ListenAddress;
  readonly files: IdentityFiles;
  readonly httpAllowed: boolean;
}

/** Throws a usage error where a word or a variable cannot be meant. */
export function setupOf(
  values: OptionValues<ServiceOptions>,
  database: string,
  io: Io,
): ServiceSetup {
  const { env } = io;
  const folder = values.config ?? env["PICKET_SERVICE_CONFIG"] ?? "";
  return {
    database,
    secretFile: secretFileOf(database, io),
    listen: listenOf(values.listen ?? env["PICKET_SERVICE_LISTEN"] ?? serviceListenDefault),
    ...wireOf(values, io),
    about: aboutIn(io),
    keyHeaders: keyHeadersIn(io),
    callsPerSecond: callsPerSecondIn(io),
    packAfter: packAfterIn(io),
    trustedProxies: trustedProxiesIn(env),
    given: folder === "" ? {} : { configuration: configurationFolder(folder, env) },
  };
}

/** What the files and the environment of the service say. */
export interface Surroundings {
  readonly chosen: Omit<StartOptions, "clock" | "log">;
  /** Why it cannot start; empty if it can. */
  readonly why: readonly string[];
  readonly warnings: readonly string[];
}

export function readSurroundings(serving: ServiceSetup, { env }: Io): Surroundings {
  const { database, listen, files, httpAllowed, given } = serving;
  const { secretFile, about, keyHeaders, callsPerSecond, packAfter, trustedProxies } = serving;
  const { identity, errors, warnings } = readCertificate(files, systemClock);
  const notify = readNotifySettings(env, systemClock.wall());
  const { oidc, errors: oidcErrors } = readOidcSettings(env, notify.publicUrl);
  const isOpen = identity === null && !isThisMachine(listen.host);
  const wrong = [...errors, ...notify.errors, ...oidcErrors];
  const unnamed = unnamedProxy(notify.publicUrl, identity !== null, trustedProxies);
  const read = [...unknownNames(env), ...warnings, ...notify.warnings];
  const warned = [...read, ...(unnamed === null ? [] : [unnamed])];
  const { notifying } = notify;
  const paced = { callsPerSecond, packAfter };
  const called = { secretFile, about, keyHeaders, trustedProxies, notifying };
  const signIn = oidc === null ? {} : { oidc };
  const speaking = identity === null ? {} : { identity };
  return {
    chosen: {
      database,
      ...listen,
      ...given,
      ...called,
      ...paced,
      ...linksOf(notify),
      ...signIn,
      ...speaking,
    },
    why: isOpen && !httpAllowed ? [...wrong, openHttp(listen)] : wrong,
    warnings: isOpen ? [...warned, exposed(listen)] : warned,
  };
}

/** Where people and a watcher elsewhere find the service. */
const linksOf = ({
  publicUrl,
  heartbeatUrl,
}: ReturnType<typeof readNotifySettings>): Pick<StartOptions, "publicUrl" | "heartbeatUrl"> => ({
  ...(publicUrl === null ? {} : { publicUrl }),
  ...(heartbeatUrl === null ? {} : { heartbeatUrl }),
});

const openHttp = ({ host, port }: ListenAddress): string =>
  `plain http on ${showHostPort(host, port)} exposes tokens and keys on the network: give a certificate (--cert and --key), or listen on 127.0.0.1 behind a proxy that speaks TLS (--allow-http allows it anyway)`;

const exposed = ({ host, port }: ListenAddress): string =>
  `plain http on ${showHostPort(host, port)}: tokens and keys can be read in transit, unless a proxy in front of it speaks TLS`;

function listenOf(text: string): ListenAddress {
  const listen = parseListenAddress(text);
  if (listen === null)
    throw new UsageError(`--listen must be HOST:PORT, e.g. 127.0.0.1:8787, not "${text}"`);
  return listen;
}

/** Next to a file, unless a setting says where; PostgreSQL has no place next to it. */
export const secretFileOf = (database: string, { env }: Pick<Io, "env">): string =>
  env["PICKET_SERVICE_SECRET_FILE"] ??
  (isServer(database)
    ? path.join(env["STATE_DIRECTORY"] ?? "", "picket-service.key")
    : `${database}.key`);

/** What whoami says; tools show it. */
function aboutIn({ env }: Io): AboutService {
  const about = {
    name: env["PICKET_SERVICE_NAME"] || "Picket",
    slug: env["PICKET_SERVICE_SLUG"] || "picket",
  };
  const longest = Math.max(about.name.length, about.slug.length);
  const fault = lineFault(`${about.name}${about.slug}`);
  if (fault !== null) throw new UsageError(`PICKET_SERVICE_NAME and PICKET_SERVICE_SLUG ${fault}`);
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

function callsPerSecondIn({ env }: Io): number {
  const values = new ServiceValues(env);
  const count = Number(values.text("PICKET_SERVICE_CALLS_PER_SECOND"));
  const [error] = values.errors;
  if (error !== undefined) throw new UsageError(error);
  return count;
}

function packAfterIn({ env }: Io): Millis {
  const values = new ServiceValues(env);
  const after = parseDuration(values.text("PICKET_SERVICE_PACK_AFTER"));
  const [error] = values.errors;
  if (error !== undefined || after === null)
    throw new UsageError(error ?? "PICKET_SERVICE_PACK_AFTER cannot be read");
  return after;
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
