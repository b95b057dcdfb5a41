import { unseen } from "#check/kinds/unseen";
import type { AgentStatus } from "#agent/agent-status";
import type { Clock } from "#base/clock";
import { failure } from "#check/failure";
import type { KnownPath } from "#check/known-path";
import type { Monitor } from "#check/monitor";
import type { Outcome, Phases } from "#check/outcome";
import { epochMillis, type EpochMillis, millis, nanos } from "#base/units";
import { type EndpointScene, endpointScene } from "./endpoint-scene.ts";
import { httpOutcome } from "./results.ts";
import type { TwinProber } from "./twins.ts";
import { monitorWith, passed } from "./twins.ts";

const ms = (value: number) => nanos(value * 1e6);

const web = (id: string, host: string, path = "/health", more: object = {}): Monitor =>
  monitorWith({
    id,
    kind: "http",
    uri: `https://${host}${path}?token=planted`,
    target: {
      kind: "http",
      url: `https://reader:planted@${host}${path}?token=planted`,
      method: "GET",
      headers: [{ key: "authorization", value: "planted" }],
      body: "",
      followRedirects: true,
    },
    ...more,
  });
const port = (id: string, host: string, number: number): Monitor =>
  monitorWith({ id, uri: `${host}:${number}`, target: { kind: "tcp", host, port: number } });

/** Monitors as a location has them: most of them fine, some not. */
export const officeMonitors: readonly Monitor[] = [
  web("7f3a1c52", "shop.internal"),
  web("b09d7e11", "billing.internal", "/api/v2/invoices/status"),
  web("c51f0a3e", "intranet.internal", "/", { name: "Intranet", degradedAt: millis(120) }),
  web("e2aa9410", "wiki.internal", "/login"),
  web("f4410c07", "registry.internal:5000", "/v2/"),
  port("0a77de19", "db-primary.internal", 5432),
  port("0a77de20", "db-replica-with-a-rather-long-name-in-rack-7.internal", 5432),
  port("91bc2f35", "10.20.0.14", 22),
  monitorWith({
    id: "d0c5a1b2",
    kind: "dns",
    uri: "example.com",
    target: { kind: "dns", name: "example.com", types: ["MX"], recordsNeeded: true, server: null },
  }),
  {
    id: "aa10ff02",
    name: null,
    kind: "tcp",
    uri: "cache.internal",
    periodicity: millis(60_000),
    rejection: failure(
      "invalid_uri",
      "config",
      "Invalid configuration: uri must be host:port, for example db.example.com:5432, with an IPv6 address in brackets",
    ),
  },
];

/** What was left out of one of them. */
export const officeRemarks: AgentStatus["remarks"] = [
  {
    monitorId: "b09d7e11",
    monitorName: "Billing",
    field: "headers[1].key",
    message: "is required: the header is not sent",
  },
];

const httpPhases = (wait: number): Phases => ({
  dns: ms(1.214),
  connect: ms(0.482),
  proxy: null,
  tls: ms(4.731),
  write: ms(0.094),
  wait: ms(wait),
  receive: ms(0.83),
});

function httpAnswer(url: string, startedAt: EpochMillis, wait: number): Outcome {
  const phases = httpPhases(wait);
  const total = nanos(Object.values(phases).reduce<number>((sum, one) => sum + (one ?? 0), 0));
  const statusCode = 200;
  const blank = httpOutcome();
  return httpOutcome({
    startedAt,
    phases,
    total,
    errorBar: ms(0.041),
    addresses: [
      {
        address: "10.20.0.9",
        port: 443,
        ended: "connected",
        elapsed: ms(0.482),
        measuredBy: "kernel",
      },
    ],
    tls: {
      protocol: "TLSv1.3",
      cipher: "TLS_AES_256_GCM_SHA384",
      alpn: "http/1.1",
      serverName: "shop.internal",
      acceptedFault: null,
      certificate: {
        subject: "CN=*.internal",
        issuer: "CN=Office CA",
        altNames: ["*.internal"],
        validFrom: startedAt,
        validTo: epochMillis(startedAt + 42 * 86_400_000),
        fingerprint256: "",
        chain: ["CN=*.internal"],
      },
    },
    hops: [{ url, statusCode, startedAt, phases, leftBehind: [] }],
    response:
      blank.response === null ? null : { ...blank.response, statusCode, body: new Uint8Array(512) },
  });
}

/** How the office answers: the replica refuses, billing times out, the intranet is slow now and then. */
export const officeScript = (clock: Clock): TwinProber["script"] => {
  let turn = 0;
  return (target) => {
    turn += 1;
    const startedAt = clock.wall();
    const wobble = ((turn * 7919) % 23) / 2;
    if (target.kind === "dns")
      return {
        ...unseen("dns", startedAt, failure("agent_error", "agent", "unused")),
        kind: "dns",
        failure: null,
        phases: {
          dns: null,
          connect: null,
          proxy: null,
          tls: null,
          write: ms(0.05),
          wait: ms(8 + wobble),
          receive: null,
        },
        total: ms(8.05 + wobble),
        server: "10.20.0.53:53",
        rcode: "NOERROR",
        transport: "udp",
        measuredBy: "kernel",
        records: [{ type: "MX", value: "mail.example.com.:10" }],
      };
    if (target.kind === "tcp") return tcpAnswer(target.host, target.port, startedAt, wobble);
    if (target.kind !== "http") return { ...passed(target.kind), startedAt };
    const { hostname } = new URL(target.url);
    if (hostname === "billing.internal") return timedOut(target.url, startedAt);
    return httpAnswer(
      target.url,
      startedAt,
      hostname === "intranet.internal" ? 108 + wobble * 2 : 14 + wobble,
    );
  };
};

function tcpAnswer(host: string, number: number, startedAt: EpochMillis, wobble: number): Outcome {
  const elapsed = ms(0.4 + wobble / 4);
  const phases: Phases = {
    dns: ms(1.1),
    connect: elapsed,
    proxy: null,
    tls: null,
    write: null,
    wait: null,
    receive: null,
  };
  const seen: Outcome = {
    ...passed("tcp"),
    kind: "tcp",
    startedAt,
    phases,
    total: nanos(elapsed + 1.1e6),
    errorBar: ms(0.02),
  };
  const address = { address: "10.20.0.31", port: number, elapsed, measuredBy: "kernel" } as const;
  return host.startsWith("db-replica")
    ? {
        ...seen,
        addresses: [{ ...address, ended: "connection_refused" }],
        failure: failure(
          "connection_refused",
          "connect",
          `connection refused (10.20.0.31:${number})`,
        ),
      }
    : { ...seen, addresses: [{ ...address, ended: "connected" }] };
}

function timedOut(url: string, startedAt: EpochMillis): Outcome {
  const phases = { ...httpPhases(993), receive: null };
  return {
    ...httpAnswer(url, startedAt, 1),
    kind: "http",
    phases,
    total: ms(1_000),
    response: null,
    hops: [],
    failure: failure(
      "response_timeout",
      "wait",
      "Timeout after 1000 ms: no complete response head came",
    ),
  };
}

const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-01-01T${time}:00Z`));
const hop = (ttl: number, address: string, roundTrip: number) => ({
  ttl,
  address,
  roundTrip: ms(roundTrip),
  since: at("00:02"),
  seenAt: at("00:12"),
  times: 12,
  silent: 0,
  others: [],
  flippedAt: null,
});

/** To one of them, whose third hop was replaced, and whose second never answers. */
const officePath: KnownPath = {
  network: "10.20.0.0/24",
  flow: { protocol: "tcp", address: "10.20.0.9", port: 443, sourcePort: 61_000 },
  hops: [
    hop(1, "10.0.0.1", 0.31),
    {
      ...hop(3, "10.1.9.2", 4.2),
      others: [{ address: "10.1.9.1", seenAt: at("00:08") }],
    },
  ],
  length: 4,
  tracedAt: at("00:12"),
  changes: [
    {
      kind: "replaced",
      ttl: 3,
      gone: "10.1.9.1",
      came: "10.1.9.2",
      before: at("00:08"),
      at: at("00:10"),
    },
  ],
};

/** An agent that has run these monitors for fourteen minutes. */
export async function office(): Promise<EndpointScene> {
  const scene = await endpointScene({
    monitors: officeMonitors,
    pathOf: (monitorId) => (monitorId === "b09d7e11" ? officePath : null),
    prepare: ({ clock, controlPlane, prober }) => {
      prober.script = officeScript(clock);
      controlPlane.remarks = officeRemarks;
    },
  });
  await scene.clock.advance(14 * 60_000);
  return scene;
}
