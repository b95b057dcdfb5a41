import { readProbing } from "#config/probing";
import { listOf } from "#config/setting-kinds";
import { type SettingName } from "#config/settings";
import type { ProberOptions } from "#prober/prober";
import type { Io } from "#cli/io";
import { UsageError } from "#cli/usage-error";
import { parseTargetRules, type TargetRule } from "#probes/connection/guard";

/** What holds for every target of a command: whom to trust, what is allowed, by which way, who resolves names, what is read. */
export interface CheckSurroundings {
  readonly probing: ProberOptions;
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

/**
 * Reads the agent's variables as the agent does, with the options in their place. Throws a UsageError that names which
 * is wrong.
 */
export function readSurroundings(given: SurroundingOptions, env: Io["env"]): CheckSurroundings {
  if (given.ipv4 === true && given.ipv6 === true)
    throw new UsageError("-4 and -6 exclude each other");
  const options = new Map(inPlaceOfVariables(given).map(([name, ...option]) => [name, option]));
  const values = [...options].map(([name, [, value]]) => [name, value]);
  const called = (name: SettingName): string => options.get(name)?.[0] ?? name;
  const { probing, errors, warnings } = readProbing(
    { ...env, ...Object.fromEntries(values) },
    called,
  );
  if (probing === null) throw new UsageError(errors.join("; "));
  const { allow, deny } = probing.targetRules;
  const targetRules = {
    allow: [...targetRulesOf("--allow", given.allow ?? []), ...allow],
    deny: [...targetRulesOf("--deny", given.deny ?? []), ...deny],
  };
  return { probing: { ...probing, targetRules }, warnings };
}

type OptionInPlace = readonly [variable: SettingName, option: string, value: string];

/** A certificate and its key are one thing: given one of them, neither variable counts. */
function inPlaceOfVariables(given: SurroundingOptions): readonly OptionInPlace[] {
  const { ca, cert, key, proxy, "no-proxy": exceptions } = given;
  const identityGiven = cert !== undefined || key !== undefined;
  const all: readonly (OptionInPlace | false)[] = [
    ca !== undefined && ["PICKET_CA_FILE", "--ca", ca],
    identityGiven && ["PICKET_CLIENT_CERT_FILE", "--cert", cert ?? ""],
    identityGiven && ["PICKET_CLIENT_KEY_FILE", "--key", key ?? ""],
    proxy !== undefined && ["PICKET_TARGET_PROXY", "--proxy", proxy],
    exceptions !== undefined && ["PICKET_NO_PROXY", "--no-proxy", exceptions],
    given["system-resolver"] === true && ["PICKET_RESOLVER", "--system-resolver", "system"],
    given.ipv4 === true && ["PICKET_IP_FAMILY", "-4", "4"],
    given.ipv6 === true && ["PICKET_IP_FAMILY", "-6", "6"],
    given.http1 === true && ["PICKET_HTTP2", "--http1", "off"],
  ];
  return all.filter((one) => one !== false);
}

/** They come beside those of the environment, which a command by hand does not escape by accident. */
function targetRulesOf(option: string, lists: readonly string[]): readonly TargetRule[] {
  const rules = parseTargetRules(lists.flatMap(listOf), `${option} `);
  if (!rules.ok) throw new UsageError(`${option} ${rules.message}`);
  return rules.value;
}
