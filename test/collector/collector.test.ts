import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import path from "node:path";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type DNSMonitorSchema,
  type GRPCMonitorSchema,
  type HTTPMonitorSchema,
  MonitorsResponseSchema,
  type TCPMonitorSchema,
} from "#contract/private_location/v1/private_location_pb";
import { agentInstruments } from "#metrics/agent-instruments";
import { blackboxInstruments } from "#metrics/blackbox-instruments";
import type { Instrument } from "#metrics/instrument";
import { instruments } from "#metrics/instruments";
import { bytes, controlPlaneServer } from "../servers/control-plane-server.ts";
import { grpcServer } from "../servers/grpc-server.ts";
import { dnsServer, zone } from "../servers/dns-server.ts";
import { closedPort, tcpPeer } from "../servers/scripted.ts";
import { Authority } from "../support/authority.ts";
import { succeed } from "../support/run-command.ts";
import { startPicket } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";
import {
  attributesIn,
  pointsOf,
  startCollector,
  type Taken,
  type TakenMetric,
  type TakenPoint,
} from "./running-collector.ts";
import { listenLocally } from "../servers/listen-locally.ts";

let program = "";
beforeAll(async () => {
  program = await succeed(path.join(import.meta.dirname, "build.sh"), []);
});

/** Targets of every kind, one that passes and one that fails, and what trusts them. */
async function targets() {
  const life = new AsyncDisposableStack();
  onTestFinished(() => life.disposeAsync());
  const authority = await Authority.create();
  const web = createServer(await authority.issue(), (_request, response) => response.end("hello"));
  life.defer(() => web.close().closeAllConnections());
  const port = await listenLocally(web);
  const db = life.use(await tcpPeer(() => {}));
  const names = life.use(await dnsServer(zone([{ name: "a.test", type: "A", data: "192.0.2.1" }])));
  const rpc = life.use(await grpcServer({ "": 1 }));
  const closed = await closedPort();
  const folder = temporaryFolder();
  const ca = path.join(folder, "ca.pem");
  writeFileSync(ca, authority.cert);
  return { web: port, db: db.port, names: names.port, rpc: rpc.port, closed, ca };
}

type Targets = Awaited<ReturnType<typeof targets>>;

/** The monitors, all with their own collector on a port. */
function assignment({ web, db, names, rpc, closed }: Targets, port: number): Uint8Array {
  const common = {
    periodicity: "10s",
    // Long, for what passes has to pass on a busy machine, too; what fails is refused at once.
    timeout: 9_000n,
    otelConfig: {
      endpoint: `http://127.0.0.1:${port}`,
      headers: [{ key: "x-key", value: "planted" }],
    },
  };
  const http = (id: string, to: number): MessageInitShape<typeof HTTPMonitorSchema> => ({
    ...common,
    id,
    url: `https://user:planted@localhost:${to}/page?key=planted`,
    method: "GET",
  });
  const tcp = (id: string, to: number): MessageInitShape<typeof TCPMonitorSchema> => ({
    ...common,
    id,
    uri: `127.0.0.1:${to}`,
  });
  const dns = (id: string, to: number): MessageInitShape<typeof DNSMonitorSchema> => ({
    ...common,
    id,
    uri: `dns:a.test?type=A&server=127.0.0.1:${to}`,
  });
  const grpc = (id: string, to: number): MessageInitShape<typeof GRPCMonitorSchema> => ({
    ...common,
    id,
    uri: `127.0.0.1:${to}`,
    tlsMode: "plaintext",
  });
  return toBinary(
    MonitorsResponseSchema,
    create(MonitorsResponseSchema, {
      httpMonitors: [http("web", web), http("web-down", closed)],
      tcpMonitors: [tcp("db", db), tcp("db-down", closed)],
      dnsMonitors: [dns("names", names), dns("names-down", closed)],
      // Loopback's broadcast address is no target.
      icmpMonitors: [
        { ...common, id: "host", uri: "127.0.0.1" },
        { ...common, id: "host-down", uri: "127.255.255.255" },
      ],
      grpcMonitors: [grpc("rpc", rpc), grpc("rpc-down", closed)],
      region: "office",
    }),
  );
}

const monitorCount = 10;

/** Runs a real agent until every monitor has been checked twice, and gives what the collector took of it. */
async function exported(protocol: string, temporality: string) {
  const around = await targets();
  const collector = await startCollector(program);
  const { ports } = collector;
  await using service = await controlPlaneServer({
    Monitors: bytes(assignment(around, ports.monitors)),
    IngestHTTP: bytes(""),
    IngestTCP: bytes(""),
    IngestDNS: bytes(""),
    IngestICMP: bytes(""),
    IngestGRPC: bytes(""),
  });
  const agent = startPicket(["agent"], {
    PICKET_TOKEN: "t",
    SERVICE_API_URL: service.url,
    PICKET_INSTANCE: "agent-1",
    PICKET_LISTEN: "off",
    PICKET_STATE_DIR: temporaryFolder(),
    PICKET_CA_FILE: around.ca,
    PICKET_METRICS_PROTOCOL: protocol,
    PICKET_METRICS_VIEWS: "collector,openstatus",
    PICKET_LABELS: "site=north",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${ports.agent}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: temporality,
    OTEL_METRIC_EXPORT_INTERVAL: "1000",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  });
  const reported = (): number =>
    service.heard.filter((call) => /^Ingest(HTTP|TCP|DNS|ICMP|GRPC) /.test(call)).length;
  await expect.poll(reported).toBeGreaterThanOrEqual(2 * monitorCount);
  await expect.poll(() => collector.exports()).toBeGreaterThan(2);
  expect(await agent.stop()).toBe(0);
  expect(agent.output()).not.toMatch(/collector (refuses|cannot|does not)/);
  return { ...(await collector.stop()), results: reported() };
}

const metricsIn = (taken: readonly Taken[]): readonly TakenMetric[] =>
  taken.flatMap(({ metrics }) => metrics);

const kinds: { readonly [K in Instrument["kind"]]: (metric: TakenMetric) => boolean } = {
  counter: ({ sum }) => sum?.isMonotonic === true,
  up_down_counter: ({ sum }) => sum !== undefined && sum.isMonotonic !== true,
  gauge: ({ gauge }) => gauge !== undefined,
  histogram: ({ histogram }) => histogram !== undefined,
};

/** OTLP's numbers for them. */
const [delta, cumulative] = [1, 2];

function judge(metric: TakenMetric, temporality: string): void {
  const instrument: Instrument | undefined = Object.entries(instruments).find(
    ([name]) => name === metric.name,
  )?.[1];
  if (instrument === undefined) throw new Error(`${metric.name} is none of ours`);
  const { kind, unit, does, bounds } = instrument;
  // JSON of protobuf leaves out what is empty.
  expect([metric.name, metric.unit ?? "", metric.description]).toEqual([metric.name, unit, does]);
  expect([metric.name, kind, kinds[kind](metric)]).toEqual([metric.name, kind, true]);
  const told = (metric.sum ?? metric.histogram)?.aggregationTemporality;
  const grows = kind === "counter" || kind === "histogram";
  if (kind !== "gauge")
    expect([metric.name, told]).toEqual([
      metric.name,
      grows && temporality === "delta" ? delta : cumulative,
    ]);
  for (const point of pointsOf(metric)) {
    if (kind === "histogram") expect(point.explicitBounds).toEqual(bounds);
    if (kind !== "gauge")
      expect(BigInt(point.startTimeUnixNano ?? 0)).toBeLessThanOrEqual(BigInt(point.timeUnixNano));
    const unknown = Object.keys(attributesIn(point)).filter(
      (name) => !instrument.attributes.some((one) => one === name) && !shared.has(name),
    );
    expect([metric.name, unknown]).toEqual([metric.name, []]);
  }
}

/** Those of a monitor and its target, which docs/reference/metrics.md tells once for all. */
const shared: ReadonlySet<string> = new Set([
  "picket.monitor.id",
  "picket.check.kind",
  "server.address",
  "server.port",
  "url.full",
  "dns.question.name",
  "rpc.service",
]);

/** What a counter, or a histogram's count, of monitors with such ids comes to after the last export. */
function total(taken: readonly Taken[], name: string, temporality: string, ids = /./): number {
  const points = metricsIn(taken)
    .filter((metric) => metric.name === name)
    .flatMap(pointsOf)
    .filter((point) => ids.test(String(attributesIn(point)["picket.monitor.id"])));
  const figures = Map.groupBy(points, (point) => JSON.stringify(point.attributes));
  const figure = (point: TakenPoint | undefined): number =>
    Number(point?.count ?? point?.asInt ?? point?.asDouble ?? 0);
  let sum = 0;
  for (const told of figures.values())
    sum +=
      temporality === "delta"
        ? told.reduce((all, point) => all + figure(point), 0)
        : figure(told.at(-1));
  return sum;
}

const named = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted();
const notScraped = Object.keys(instruments).filter((name) => !(name in blackboxInstruments));

describe("the OpenTelemetry Collector takes what an agent exports", () => {
  test.each([
    ["http/protobuf", "cumulative"],
    ["http/protobuf", "delta"],
    ["http/json", "cumulative"],
    ["http/json", "delta"],
  ])(
    "as %s, %s: every instrument with its unit, kind and temporality, and every check",
    async (protocol, temporality) => {
      const { agent, monitors, results } = await exported(protocol, temporality);
      const ofMonitors = notScraped.filter((name) => !(name in agentInstruments));
      expect(named(metricsIn(agent).map(({ name }) => name))).toEqual(named(notScraped));
      expect(named(metricsIn(monitors).map(({ name }) => name))).toEqual(named(ofMonitors));
      for (const metric of [...metricsIn(agent), ...metricsIn(monitors)])
        judge(metric, temporality);
      for (const { resource } of [agent.at(-1), monitors.at(-1)].filter((one) => one !== undefined))
        expect(resource).toMatchObject({
          "service.name": "picket",
          "service.version": expect.stringMatching(/^\d/),
          "service.instance.id": "agent-1",
          "picket.location.name": "office",
          "picket.label.site": "north",
          "deployment.environment.name": "test",
        });
      for (const taken of [agent, monitors]) {
        expect(taken.length).toBeGreaterThan(2);
        expect(total(taken, "picket.check.attempts", temporality)).toBe(results);
        expect(total(taken, "picket.check.duration", temporality)).toBe(results);
        expect(total(taken, "picket.check.failures", temporality)).toBe(
          total(taken, "picket.check.attempts", temporality, /-down$/),
        );
      }
      expect(JSON.stringify([agent, monitors])).not.toContain("planted");
    },
  );
});
