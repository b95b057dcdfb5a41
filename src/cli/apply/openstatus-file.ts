import { regionOf, regions } from "#check/regions";
import { isMapping, type Mapping } from "#base/json";
import { showHostPort } from "#network/host-port";

/** A file of the openstatus command line in the words of Picket's, and what of it has no place there. */
interface OpenStatusReading {
  readonly content: Readonly<Record<"http_monitors" | "tcp_monitors", readonly Mapping[]>>;
  /** A sentence each, by the monitor's name. */
  readonly remarks: readonly string[];
}

/** Each key of that file is a monitor, whose kind says what its request is. */
export function readOpenStatus(file: Mapping): OpenStatusReading {
  const remarks: string[] = [];
  const monitors = Object.entries(file).flatMap(([key, value]) => {
    const kind = isMapping(value) ? value["kind"] : null;
    if (isMapping(value) && (kind === "http" || kind === "tcp"))
      return [{ kind, entry: monitorOf(key, value, kind, remarks) }];
    remarks.push(`"${key}" is neither an http nor a tcp monitor, and is left out`);
    return [];
  });
  const of = (kind: string): readonly Mapping[] =>
    monitors.filter((one) => one.kind === kind).map(({ entry }) => entry);
  return { content: { http_monitors: of("http"), tcp_monitors: of("tcp") }, remarks };
}

/** Arguments that are only called otherwise. */
const renamed: Readonly<Record<string, string>> = {
  name: "name",
  description: "description",
  frequency: "periodicity",
  active: "active",
  public: "public",
  retry: "retry",
  timeout: "timeout",
  degradedAfter: "degraded_at",
};
const taken: ReadonlySet<string> = new Set([
  ...Object.keys(renamed),
  "kind",
  "request",
  "regions",
  "assertions",
  "openTelemetry",
]);

function monitorOf(
  key: string,
  monitor: Mapping,
  kind: "http" | "tcp",
  remarks: string[],
): Mapping {
  const name = textOf(monitor["name"]) || key;
  const remark = (text: string): void => void remarks.push(`"${name}": ${text}`);
  for (const field of Object.keys(monitor).filter((one) => !taken.has(one)))
    remark(`${field} is not known to Picket, and is left out`);
  const plain = Object.entries(renamed).flatMap(([theirs, ours]) =>
    monitor[theirs] === undefined ? [] : [[ours, monitor[theirs]] as const],
  );
  const request = isMapping(monitor["request"]) ? monitor["request"] : {};
  return {
    name,
    ...Object.fromEntries(plain),
    ...(kind === "http" ? httpRequest(request) : tcpRequest(request, remark)),
    ...listed("regions", regionsIn(monitor["regions"], remark)),
    ...(kind === "http" ? assertionsIn(monitor["assertions"], remark) : {}),
    ...telemetry(monitor["openTelemetry"]),
  };
}

const httpRequest = (request: Mapping): Mapping => ({
  url: request["url"] ?? "",
  ...(request["method"] === undefined ? {} : { method: request["method"] }),
  ...(request["followRedirects"] === undefined
    ? {}
    : { follow_redirects: request["followRedirects"] }),
  ...(request["body"] === undefined ? {} : { body: request["body"] }),
  ...listed(
    "headers",
    pairsIn(request["headers"]).map(([key, value]) => ({ key, value })),
  ),
});

/** Without a port the address is no host:port, which picket apply refuses by the monitor's line. */
function tcpRequest(request: Mapping, remark: (text: string) => void): Mapping {
  const host = textOf(request["host"]);
  const port = textOf(request["port"]);
  if (/^\d+$/.test(port)) return { uri: showHostPort(host, Number(port)) };
  remark(`its request has no port: add one to its uri, as in ${showHostPort(host, 5432)}`);
  return { uri: host };
}

function telemetry(value: unknown): Mapping {
  if (!isMapping(value) || typeof value["endpoint"] !== "string") return {};
  const headers = Object.fromEntries(pairsIn(value["headers"]));
  return {
    otlp_endpoint: value["endpoint"],
    ...(Object.keys(headers).length === 0 ? {} : { otlp_headers: headers }),
  };
}

const pairsIn = (value: unknown): readonly (readonly [string, string])[] =>
  isMapping(value) ? Object.entries(value).map(([key, one]) => [key, textOf(one)] as const) : [];

/** What stands there as text; a list or a mapping is none. */
const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";

const listed = (name: string, list: readonly unknown[]): Mapping =>
  list.length === 0 ? {} : { [name]: list };

const hosts: Readonly<Record<string, string>> = { koyeb: "hostb-", railway: "hostc-" };

/** Those of the specification; those of hosts that they have left are no longer any. */
function regionsIn(value: unknown, remark: (text: string) => void): readonly string[] {
  return (Array.isArray(value) ? value : []).flatMap((one: unknown) => {
    const [, host = "", code = ""] = /^(?:(koyeb|railway)_)?(.*)$/.exec(textOf(one)) ?? [];
    const word = `${hosts[host] ?? ""}${code}`;
    // Railway's have the name of a data centre behind the region's.
    const longer = regions.find((region) => word.startsWith(`${region}-`));
    if (regionOf(word) !== null) return [word];
    if (longer !== undefined) return [longer];
    remark(`the region ${textOf(one)} is left out: assign the monitor to a private location`);
    return [];
  });
}

const assertionLists: Readonly<Record<string, string>> = {
  statusCode: "status_code_assertions",
  textBody: "body_assertions",
  header: "header_assertions",
};

function assertionsIn(value: unknown, remark: (text: string) => void): Mapping {
  const lists: Record<string, Mapping[]> = {};
  for (const one of Array.isArray(value) ? value : []) {
    const assertion: Mapping = isMapping(one) ? one : {};
    const kind = textOf(assertion["kind"]);
    const list = assertionLists[kind];
    if (list === undefined) {
      remark(`an assertion of the kind ${kind} is left out`);
      continue;
    }
    const compare = textOf(assertion["compare"]);
    const target = assertion["target"] ?? "";
    (lists[list] ??= []).push({
      ...(kind === "header" ? { key: assertion["key"] ?? "" } : {}),
      comparator: compare === "not_eq" ? "neq" : compare,
      target: kind === "statusCode" ? target : textOf(target),
    });
  }
  return lists;
}
