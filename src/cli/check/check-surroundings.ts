import { readSecretsOnce } from "#agent/secrets/secret-watch";
import { systemClock } from "#base/clock";
import { hasSources, sourcesOf } from "#agent/secrets/read-secrets";
import { Secrets } from "#agent/secrets/secrets";
import { withoutEmpty } from "#agent/settings/values";
import { readProbing } from "#agent/settings/probing";
import { listOf } from "#config/setting-kinds";
import { type SettingName, settings } from "#config/agent-settings";
import type { ProberOptions } from "#agent/prober/prober";
import type { CheckOptions } from "#cli/check/check-grammar";
import { fixedAddressOf } from "#cli/check/fixed-address";
import type { OptionValues } from "#cli/grammar/option";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import * as limits from "#limits/check-limits";
import type { Overrides } from "#check/overrides";
import { parseTargetRules, type TargetRule } from "#network/target-rules";

/** What holds for every target of a command: whom to trust, what is allowed, by which way, who resolves names, what is read. */
export interface CheckSurroundings {
  readonly probing: ProberOptions;
  /** Reads the location's secrets; rejects with a UsageError. */
  readonly secrets: () => Promise<Secrets>;
  readonly warnings: readonly string[];
}

/** The options that say so, as they were given. */
type SurroundingOptions = Pick<
  OptionValues<CheckOptions>,
  | "ca"
  | "cert"
  | "key"
  | "insecure"
  | "http1"
  | "ipv4"
  | "ipv6"
  | "resolve"
  | "dns-server"
  | "system-resolver"
  | "max-redirects"
  | "allow"
  | "deny"
  | "proxy"
  | "no-proxy"
  | "secrets-dir"
  | "secrets-file"
  | "secrets-hosts-file"
>;

/**
 * Reads the agent's variables as the agent does, with the options in their place. Throws a UsageError that names which
 * is wrong.
 */
export function readSurroundings(given: SurroundingOptions, env: Io["env"]): CheckSurroundings {
  if (given.ipv4 && given.ipv6) throw new UsageError("-4 and -6 cannot be used together");
  if (given["dns-server"] !== null && given["system-resolver"])
    throw new UsageError("--dns-server and --system-resolver cannot be used together");
  const options = new Map(inPlaceOfVariables(given).map(([name, ...option]) => [name, option]));
  const values = [...options].map(([name, [, value]]) => [name, value]);
  const called = (name: SettingName): string => options.get(name)?.[0] ?? name;
  const set = { ...env, ...Object.fromEntries(values) };
  const { probing, errors, warnings } = readProbing(set, called);
  if (probing === null) throw new UsageError(errors.join("; "));
  const { allow, deny } = probing.targetRules;
  const targetRules = {
    allow: [...targetRulesOf("--allow", given.allow), ...allow],
    deny: [...targetRulesOf("--deny", given.deny), ...deny],
  };
  const overrides = overridesOf(given);
  const secrets = (): Promise<Secrets> => secretsIn(set, called);
  return { probing: { ...probing, targetRules, overrides }, secrets, warnings };
}

/** The location's secrets as an agent with these settings has them, and the same rule of where they may go. */
async function secretsIn(set: Io["env"], called: (name: SettingName) => string): Promise<Secrets> {
  const sources = sourcesOf(withoutEmpty(set));
  if (!hasSources(sources)) return new Secrets(null);
  const { table, errors } = await readSecretsOnce(sources, systemClock);
  if (errors.length > 0)
    throw new UsageError(
      errors
        .join("; ")
        .replaceAll(/PICKET_SECRETS_(?:DIR|FILE|HOSTS_FILE)/g, (name) =>
          isSecretSetting(name) ? called(name) : name,
        ),
    );
  return new Secrets(table);
}

const isSecretSetting = (name: string): name is SettingName => name in settings;

type OptionInPlace = readonly [variable: SettingName, option: string, value: string];

/** A certificate and its key are one thing: given one of them, neither variable counts. */
function inPlaceOfVariables(given: SurroundingOptions): readonly OptionInPlace[] {
  const { ca, cert, key, proxy } = given;
  const identityGiven = cert !== null || key !== null;
  const all: readonly (readonly [SettingName, string, string | null])[] = [
    ["PICKET_CA_FILE", "--ca", ca],
    ["PICKET_CLIENT_CERT_FILE", "--cert", identityGiven ? (cert ?? "") : null],
    ["PICKET_CLIENT_KEY_FILE", "--key", identityGiven ? (key ?? "") : null],
    ["PICKET_TARGET_PROXY", "--proxy", proxy],
    ["PICKET_NO_PROXY", "--no-proxy", given["no-proxy"]],
    ["PICKET_DNS_SERVERS", "--dns-server", given["dns-server"]],
    ["PICKET_RESOLVER", "--dns-server", given["dns-server"] === null ? null : "stub"],
    ["PICKET_RESOLVER", "--system-resolver", given["system-resolver"] ? "system" : null],
    ["PICKET_IP_FAMILY", "-4", given.ipv4 ? "4" : null],
    ["PICKET_IP_FAMILY", "-6", given.ipv6 ? "6" : null],
    ["PICKET_HTTP2", "--http1", given.http1 ? "off" : null],
    ["PICKET_SECRETS_DIR", "--secrets-dir", given["secrets-dir"]],
    ["PICKET_SECRETS_FILE", "--secrets-file", given["secrets-file"]],
    ["PICKET_SECRETS_HOSTS_FILE", "--secrets-hosts-file", given["secrets-hosts-file"]],
  ];
  return all.flatMap(([name, option, value]) => (value === null ? [] : [[name, option, value]]));
}

function overridesOf({ insecure, resolve, ...given }: SurroundingOptions): Overrides {
  const asked = given["max-redirects"];
  const redirectsMax = asked === null ? limits.redirectsMax : Number(asked);
  if (
    asked === "" ||
    !Number.isInteger(redirectsMax) ||
    redirectsMax < 0 ||
    redirectsMax > limits.redirectsOptionMax
  )
    throw new UsageError(
      `--max-redirects must be in 0 to ${limits.redirectsOptionMax}, not "${asked}"`,
    );
  return {
    redirectsMax,
    acceptsAnyCertificate: insecure,
    fixedAddresses: resolve.map(fixedAddressOf),
  };
}

/** They come in addition to those of the environment, which a command by hand does not escape by accident. */
function targetRulesOf(option: string, lists: readonly string[]): readonly TargetRule[] {
  const rules = parseTargetRules(lists.flatMap(listOf), `${option} `);
  if (!rules.ok) throw new UsageError(`${option} ${rules.message}`);
  return rules.value;
}
