import { type TypedRule, typedAssertions } from "#cli/check/assert-option";
import { UsageError } from "#cli/edge/usage-error";
import {
  type DefinitionOf,
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
  type MonitorDefinition,
  tcpDefaults,
} from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";

/** What the options of `picket check` say of every target that is typed next to them. */
export interface TargetOptions {
  readonly common: Pick<
    HttpDefinition,
    "name" | "periodicity" | "timeout" | "retry" | "degradedAt"
  >;
  readonly http: Pick<HttpDefinition, "method" | "headers" | "body" | "followRedirects">;
  readonly rules: readonly TypedRule[];
}

/** The target with the scheme that was meant: a bare host is one of https. Throws a UsageError where it is no target. */
export function wholeTarget(typed: string): string {
  if (Object.values(kindTable).some(({ typed: { scheme } }) => scheme.test(typed))) return typed;
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(typed)?.[1];
  if (scheme !== undefined) {
    const shapes = Object.values(kindTable).map(({ typed: { shape } }) => shape);
    const list = shapes.join(", ").replace(/, (?=[^,]*$)/, " or ");
    throw new UsageError(`there is no check of ${scheme} targets: write ${list}`);
  }
  // A word with an @ may be a password's; what it means is not guessed.
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?#].*)?$/isu.test(typed))
    throw new UsageError(noTarget(typed));
  return `https://${typed}`;
}

/** The monitor that a target with its scheme stands for. */
export function definitionOf(target: string, options: TargetOptions): MonitorDefinition {
  const kind = kinds.find((one) => kindTable[one].typed.scheme.test(target)) ?? "http";
  return monitorOf[kind](target, options);
}

/** The monitor of each kind that a typed target stands for. */
const monitorOf: {
  readonly [K in Kind]: (typed: string, options: TargetOptions) => DefinitionOf<K>;
} = {
  http: (url, { common, http, rules }) => ({
    ...httpDefaults,
    ...common,
    ...http,
    url,
    ...typedAssertions.http(rules),
  }),
  tcp: (uri, { common, rules }) => ({
    ...tcpDefaults,
    ...common,
    uri,
    ...typedAssertions.tcp(rules),
  }),
  dns: (uri, { common, rules }) => ({
    ...dnsDefaults,
    ...common,
    uri,
    ...typedAssertions.dns(rules),
  }),
  icmp: (uri, { common, rules }) => ({
    ...kindTable.icmp.defaults,
    ...common,
    uri,
    ...typedAssertions.icmp(rules),
  }),
  grpc: (typed, { common, http, rules }) => ({
    ...kindTable.grpc.defaults,
    ...common,
    ...typedCall(typed),
    metadata: http.headers,
    ...typedAssertions.grpc(rules),
  }),
};

/** `grpc://host:port/service` speaks no TLS and `grpcs://host:port/service` does. */
function typedCall(typed: string): Pick<DefinitionOf<"grpc">, "uri" | "service" | "tlsMode"> {
  const [, secure = "", uri = "", service = ""] =
    /^grpc(s?):(?:\/\/)?([^/]*)\/?(.*)$/is.exec(typed) ?? [];
  return { uri, service, tlsMode: secure === "" ? "plaintext" : "tls" };
}

/** What is shown gets copied into tickets: user-info and query may be secrets. */
function noTarget(typed: string): string {
  const shown = typed.replace(/[?#].*$/s, "").replace(/^.*@/s, "");
  return `"${shown}" is not a target: write https://${shown}, tcp://${shown}, dns:${shown} or ping:${shown}`;
}
