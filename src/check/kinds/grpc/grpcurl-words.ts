import { shownDuration } from "#base/duration";
import { jsonFields } from "#base/json";
import type { GrpcTlsMode } from "#check/kinds/grpc/grpc-monitor";
import type { CommandFault, CommandTarget } from "#check/kinds/typed-kind";

/** What a grpcurl command asks for, as the health check that a gRPC monitor is. */
export function grpcurlTarget(words: readonly string[]): CommandTarget | CommandFault {
  const { options, rest } = partsOf(words);
  const [uri = "", ...asked] = rest;
  if (!/^\S+:\d{1,5}$/.test(uri)) return { fault: unfinished };
  const valuesOf = (...names: readonly string[]): readonly string[] =>
    options.filter(({ name }) => names.includes(name)).map(({ value }) => value);
  const has = (name: string): boolean => options.some((one) => one.name === name);
  const method = asked.join(" ").replace(/\.(?=\w+$)/, "/");
  const isHealth = /^grpc\.health\.v1\.Health\/(?:Check|Watch)$/.test(method);
  const { service } = isHealth ? jsonFields(valuesOf("d").at(-1) ?? "") : {};
  const tlsMode: GrpcTlsMode = has("plaintext")
    ? "plaintext"
    : has("insecure")
      ? "tls_insecure"
      : "tls";
  const timeout = Math.round(Number(valuesOf("max-time").at(-1)) * 1000) || null;
  return {
    fields: new Map([
      ["uri", uri],
      ["service", typeof service === "string" ? service : ""],
      ["tls_mode", tlsMode],
      ...(timeout === null ? [] : [["timeout", shownDuration(timeout)] as const]),
    ]),
    rows: [{ field: "metadata", values: valuesOf("H", "rpc-header").flatMap(metadataIn) }],
    leftOut: [
      ...(isHealth || method === "" ? [] : [otherCall(asked.join(" "))]),
      ...new Set(options.flatMap(({ name }) => leftOutWords(name, isHealth))),
    ],
    note: "",
  };
}

const unfinished =
  "is an unfinished grpcurl command: it needs a host and a port, for example grpcurl -plaintext orders.example:50051 list";

interface Option {
  readonly name: string;
  readonly value: string;
}

/** Options are written with one dash or two, and `-name value` or `-name=value`. */
function partsOf(words: readonly string[]): {
  readonly options: readonly Option[];
  readonly rest: readonly string[];
} {
  const options: Option[] = [];
  const rest: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] ?? "";
    const [, name, joined] = /^--?([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name === undefined) rest.push(word);
    else if (joined !== undefined || flags.has(name)) options.push({ name, value: joined ?? "" });
    else {
      index += 1;
      options.push({ name, value: words[index] ?? "" });
    }
  }
  return { options, rest };
}

/** Options without a value. */
const flags: ReadonlySet<string> = new Set(
  "plaintext insecure alts unix v vv version help emit-defaults expand-headers msg-template allow-unknown-fields format-error use-reflection reflection".split(
    " ",
  ),
);

const taken: ReadonlySet<string> = new Set([
  "plaintext",
  "insecure",
  "H",
  "rpc-header",
  "max-time",
]);

/** Options that are only about what grpcurl prints, and where it knows methods from: a check loses nothing without them. */
const idle: ReadonlySet<string> = new Set(
  "v vv version help emit-defaults expand-headers msg-template format format-error allow-unknown-fields use-reflection reflection reflect-header proto protoset import-path max-msg-sz user-agent".split(
    " ",
  ),
);

const instead: Readonly<Record<string, string>> = {
  cacert: "give your CA to the agent in PICKET_CA_FILE",
  cert: "give the certificate to the agent in PICKET_CLIENT_CERT_FILE",
  key: "give the certificate to the agent in PICKET_CLIENT_CERT_FILE",
  "connect-timeout": "one timeout bounds the whole attempt. Set it under Timeout and retries",
  d: "a check sends the name of a service and nothing else",
};

function leftOutWords(name: string, isHealth: boolean): readonly string[] {
  if (taken.has(name) || idle.has(name) || (name === "d" && isHealth)) return [];
  return [`-${name} is not taken over: ${instead[name] ?? "a check has no such setting"}.`];
}

const otherCall = (asked: string): string =>
  `${asked} is not taken over: a gRPC check asks the health service, grpc.health.v1.Health/Check.`;

function metadataIn(line: string): readonly { readonly key: string; readonly value: string }[] {
  const [, key, value] = /^([^:]+):\s*(.*)$/s.exec(line) ?? [];
  return key === undefined || value === undefined ? [] : [{ key: key.trim().toLowerCase(), value }];
}
