import { evidenceScopes } from "#check/evidence";
import type { Environment } from "#config/environment";
import type { ProberOptions } from "#agent/prober/prober";
import { unshown } from "#config/secret";
import { isOn, listOf, sizeOf } from "#config/setting-kinds";
import type { SettingName } from "#config/agent-settings";
import type { NamedFile } from "#config/identity-files";
import {
  readTrustFiles,
  type TrustContent,
  trustMaterial,
  type TrustReading,
} from "#config/trust-files";
import { must, oneOf, readValues, taken, type Values, withoutEmpty } from "#agent/settings/values";
import { systemClock } from "#base/clock";
import { parseHostPort, parseNameServer } from "#network/host-port";
import { parseNoProxy } from "#network/no-proxy";
import { parseProxy } from "#network/proxy";
import { rawSocketsSettings } from "#check/agent-words";
import type { TargetRules } from "#network/target-rules";
import { noTargetLists, readTargetLists, targetListsOf } from "#agent/settings/target-lists";
import { noOverrides } from "#check/overrides";
import type { EpochMillis } from "#base/units";
import { userAgent } from "#base/version";

interface ProbingReading {
  /** Null if there are errors. */
  readonly probing: ProberOptions | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Reads what all probes have in common, and nothing else of the environment, as `readConfig` does. `called` is how a
 * message names a setting, if that is not its variable.
 */
export function readProbing(
  env: Environment,
  called: (name: SettingName) => string,
): ProbingReading {
  const { values, wrong } = readValues(withoutEmpty(env), probingNames);
  const { trusted, errors, warnings } = readTrust(values, systemClock.wall(), called);
  const targets = wrong.size > 0 ? noTargetLists : readTargetLists(targetListsOf(values));
  const all = [
    ...[...wrong].map(([name, message]) => `${called(name)} ${message}`),
    ...errors,
    ...targets.errors,
  ];
  const probing = all.length > 0 ? null : probingOf(values, trusted, targets.rules);
  return { probing, errors: all, warnings };
}

const probingNames: readonly SettingName[] = [
  "PICKET_DNS_SERVERS",
  "PICKET_RESOLVER",
  "PICKET_IP_FAMILY",
  "PICKET_TARGET_ALLOW",
  "PICKET_TARGET_DENY",
  "PICKET_TARGET_ALLOW_FILE",
  "PICKET_TARGET_DENY_FILE",
  "PICKET_TARGET_PROXY",
  "PICKET_NO_PROXY",
  "PICKET_HTTP2",
  "PICKET_KERNEL_CLOCK",
  "PICKET_RAW_SOCKETS",
  "PICKET_EVIDENCE",
  "PICKET_EVIDENCE_DIRECT",
  "PICKET_PATHS",
  "PICKET_REFERENCES",
  "PICKET_MAX_BODY",
  "PICKET_USER_AGENT",
];

/** From values that can be used. Among them are secrets: it shows nothing. */
export const probingOf = (
  values: Values,
  trusted: TrustContent,
  targetRules: TargetRules,
): ProberOptions =>
  unshown({
    trust: trustMaterial(trusted),
    nameServers: listOf(values.PICKET_DNS_SERVERS).map((one) => taken(parseNameServer(one))),
    resolver: oneOf(["stub", "system"], values.PICKET_RESOLVER),
    ipFamily: oneOf(["any", "4", "6"], values.PICKET_IP_FAMILY),
    targetRules,
    proxying: {
      proxy:
        values.PICKET_TARGET_PROXY === "" ? null : taken(parseProxy(values.PICKET_TARGET_PROXY)),
      exceptions: taken(parseNoProxy(values.PICKET_NO_PROXY)),
    },
    http2: isOn(values.PICKET_HTTP2),
    kernelClock: isOn(values.PICKET_KERNEL_CLOCK),
    rawSockets: oneOf(rawSocketsSettings, values.PICKET_RAW_SOCKETS),
    evidenceDirect: isOn(values.PICKET_EVIDENCE_DIRECT),
    paths: isOn(values.PICKET_PATHS),
    evidence: oneOf(evidenceScopes, values.PICKET_EVIDENCE),
    references: listOf(values.PICKET_REFERENCES).map((one) => taken(parseHostPort(one))),
    bodyBytesMax: must(sizeOf(values.PICKET_MAX_BODY)),
    userAgent: values.PICKET_USER_AGENT || userAgent(),
    overrides: noOverrides,
  });

/** Whom to trust and who we are, for targets, service and proxies alike. */
export function readTrust(
  values: Values,
  now: EpochMillis,
  called: (name: SettingName) => string = (name) => name,
): TrustReading {
  const named = (name: SettingName): NamedFile => ({ name: called(name), file: values[name] });
  return readTrustFiles(
    {
      authorities: named("PICKET_CA_FILE"),
      certificate: named("PICKET_CLIENT_CERT_FILE"),
      key: named("PICKET_CLIENT_KEY_FILE"),
    },
    now,
  );
}
