import {
  accepts,
  expectations,
  isOn,
  listOf,
  type SettingName,
  settings,
  sizeOf,
} from "#config/settings";
import { readTrustFiles, trustMaterial } from "#config/trust-files";
import type { ProberOptions } from "#prober/prober";
import type { Io } from "#cli/io";
import { UsageError } from "#cli/usage-error";
import { systemClock } from "#clock";
import * as limits from "#limits";
import { parseNoProxy } from "#network/no-proxy";
import { parseTargetRules, type TargetRule } from "#probes/connection/guard";
import { parseProxy, type Proxying } from "#network/proxy";
import { parseNameServer } from "#network/host-port";

/** What holds for every target of a command: whom to trust, what is allowed, by which way, who resolves names, what is read. */
export interface CheckSurroundings extends Omit<ProberOptions, "userAgent"> {
  readonly warnings: readonly string[];
}

/** The options that say so, as they were given. */
export interface SurroundingOptions {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly http1?: boolean | undefined;
  readonly ipv4?: boolean | undefined;
  readonly ipv6?: boolean | undefined;
  readonly "system-resolver"?: boolean | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  readonly proxy?: string | undefined;
  readonly "no-proxy"?: string | undefined;
}

/** From the options and, where there is none, the agent's variables. Throws a UsageError that names which is wrong. */
export function readSurroundings(given: SurroundingOptions, env: Io["env"]): CheckSurroundings {
  return {
    ...trustOf(given, env),
    nameServers: listOf(valueOf("PICKET_DNS_SERVERS", env)).flatMap((one) => {
      const server = parseNameServer(one);
      return server.ok ? [server.value] : [];
    }),
    ipFamily: familyOf(given, env),
    resolver:
      given["system-resolver"] === true || valueOf("PICKET_RESOLVER", env) === "system"
        ? "system"
        : "stub",
    targetRules: {
      allow: targetRulesOf("allow", given.allow ?? [], env),
      deny: targetRulesOf("deny", given.deny ?? [], env),
    },
    proxying: proxyingOf(given.proxy, given["no-proxy"], env),
    // Read in any case, so that a wrong value is told.
    http2: isOn(valueOf("PICKET_HTTP2", env)) && given.http1 !== true,
    kernelClock: isOn(valueOf("PICKET_KERNEL_CLOCK", env)),
    bodyBytesMax: sizeOf(valueOf("PICKET_MAX_BODY", env)) ?? limits.responseBodyBytesDefault,
  };
}

/** A variable of the agent's, or its default. */
function valueOf(name: SettingName, env: Io["env"]): string {
  const { kind, fallback } = settings[name];
  const text = env[name] ?? "";
  if (text === "") return fallback ?? "";
  if (!accepts[kind](text)) throw new UsageError(`${name} must be ${expectations[kind]}`);
  return text;
}

function familyOf({ ipv4, ipv6 }: SurroundingOptions, env: Io["env"]): "any" | "4" | "6" {
  if (ipv4 === true && ipv6 === true) throw new UsageError("-4 and -6 exclude each other");
  if (ipv4 === true) return "4";
  if (ipv6 === true) return "6";
  const wanted = valueOf("PICKET_IP_FAMILY", env);
  return wanted === "4" || wanted === "6" ? wanted : "any";
}

/** A certificate and its key are one thing: given one of them, neither variable counts. */
function trustOf(
  { ca, cert, key }: SurroundingOptions,
  env: Io["env"],
): Pick<CheckSurroundings, "trust" | "warnings"> {
  const identityGiven = cert !== undefined || key !== undefined;
  const { trusted, errors, warnings } = readTrustFiles(
    {
      authorities:
        ca === undefined
          ? { name: "PICKET_CA_FILE", file: env["PICKET_CA_FILE"] ?? "" }
          : { name: "--ca", file: ca },
      certificate: identityGiven
        ? { name: "--cert", file: cert ?? "" }
        : { name: "PICKET_CLIENT_CERT_FILE", file: env["PICKET_CLIENT_CERT_FILE"] ?? "" },
      key: identityGiven
        ? { name: "--key", file: key ?? "" }
        : { name: "PICKET_CLIENT_KEY_FILE", file: env["PICKET_CLIENT_KEY_FILE"] ?? "" },
    },
    systemClock.wall(),
  );
  if (errors.length > 0) throw new UsageError(errors.join("; "));
  return { trust: trustMaterial(trusted), warnings };
}

/** The rules of the option, and those of the environment, which a command by hand does not escape by accident. */
function targetRulesOf(
  list: "allow" | "deny",
  given: readonly string[],
  env: Io["env"],
): readonly TargetRule[] {
  const variable = `PICKET_TARGET_${list.toUpperCase()}`;
  const sources = [
    { name: `--${list}`, source: `--${list} `, texts: given },
    { name: variable, source: `${variable}=`, texts: [env[variable] ?? ""] },
  ];
  return sources.flatMap(({ name, source, texts }) => {
    const rules = parseTargetRules(texts.flatMap(listOf), source);
    if (!rules.ok) throw new UsageError(`${name} ${rules.message}`);
    return rules.value;
  });
}

/** An option stands in place of its variable. The URL may hold a password: no message quotes it. */
function proxyingOf(
  proxyGiven: string | undefined,
  exceptionsGiven: string | undefined,
  env: Io["env"],
): Proxying {
  const url = proxyGiven ?? env["PICKET_TARGET_PROXY"] ?? "";
  const proxy = url === "" ? null : parseProxy(url);
  const exceptions = parseNoProxy(exceptionsGiven ?? env["PICKET_NO_PROXY"] ?? "");
  const wrong = (given: string | undefined, option: string, variable: string): string =>
    given === undefined ? variable : option;
  if (proxy?.ok === false)
    throw new UsageError(
      `${wrong(proxyGiven, "--proxy", "PICKET_TARGET_PROXY")} must be ${expectations.proxy}`,
    );
  if (!exceptions.ok)
    throw new UsageError(
      `${wrong(exceptionsGiven, "--no-proxy", "PICKET_NO_PROXY")} must be ${expectations.exceptions}`,
    );
  return { proxy: proxy?.value ?? null, exceptions: exceptions.value };
}
