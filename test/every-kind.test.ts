import { describe, expect, test } from "vitest";
import {
  type DefinitionOf,
  dnsDefaults,
  httpDefaults,
  type MonitorDefinition,
  tcpDefaults,
} from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds } from "#check/monitor";
import { readMonitor } from "#check/read-monitor";
import { configurationMessage } from "#cli/apply/configuration-message";
import { connectManagement, listMonitors } from "#cli/management/management";
import { planMonitors } from "#cli/apply/plan";
import { directWay } from "#cli/management/service-way";
import { signedMonitor } from "#signing/monitor-signature";
import { newSigningKey } from "#signing/private-key";
import { systemClock } from "#base/clock";
import { connectControlPlane } from "#transport/connect-control-plane";
import type { Receipt } from "#transport/control-plane";
import { reportOf } from "#wire/report";
import { resultWith } from "./support/results.ts";
import { runningService } from "./support/running-service.ts";
import { wayWith } from "./support/service-way.ts";
import { passed } from "./support/twins.ts";

/**
 * A kind of check, an assertion or an argument of a monitor that one half of the wire does not carry is noticed here:
 * the tables have to hold it before they compile, and what they hold has to arrive.
 */

const common = {
  periodicity: "30s",
  timeout: 7_000,
  degradedAt: 900,
  retry: 2,
  active: true,
  public: true,
  description: "Runbook: https://wiki.test/",
  regions: ["hosta-ams"],
  otel: { endpoint: "https://collector.test/", headers: [{ key: "Authorization", value: "x" }] },
  alerting: {
    failures: 2,
    degraded: 4,
    successes: 5,
    quorum: "75%",
    dependsOn: ["12"],
    severity: "warning",
    certificateDays: "30, 10",
    objective: "99.95% over 90d",
  },
  labels: { team: "shop" },
  signature: "",
};

/** Nothing in them is as it is by default, so that a field that gets lost on the way shows. */
const unsigned: { readonly [K in Kind]: DefinitionOf<K> } = {
  http: {
    ...common,
    kind: "http",
    name: "by HTTP",
    url: "https://shop.test/",
    method: "POST",
    body: "hello",
    followRedirects: false,
    headers: [{ key: "Accept", value: "text/plain" }],
    statusCodeAssertions: [{ comparator: "lt", target: 400 }],
    bodyAssertions: [{ comparator: "contains", target: "ok" }],
    headerAssertions: [{ key: "Content-Type", comparator: "eq", target: "text/plain" }],
    jsonAssertions: [{ path: "$.status", comparator: "exists", target: "" }],
  },
  tcp: { ...common, kind: "tcp", name: "by TCP", uri: "shop.test:443" },
  dns: {
    ...common,
    kind: "dns",
    name: "by DNS",
    uri: "shop.test",
    recordAssertions: [{ record: "MX", comparator: "eq", target: "10 mail.shop.test" }],
  },
  icmp: {
    ...common,
    kind: "icmp",
    name: "by ICMP",
    uri: "shop.test",
    packets: 5,
    interval: 200,
    lossAssertions: [{ comparator: "lt", target: 34 }],
    latencyAssertions: [{ comparator: "lte", target: 20 }],
  },
  grpc: {
    ...common,
    kind: "grpc",
    name: "by gRPC",
    uri: "shop.test:50051",
    service: "shop.v1.Orders",
    tlsMode: "tls_insecure",
    metadata: [{ key: "authorization", value: "x" }],
  },
};

const { key: signingKey } = newSigningKey("test");
const signed = <D extends MonitorDefinition>(one: D): D => ({
  ...one,
  signature: signedMonitor(one, { locations: ["office"], signedAt: 1 }, signingKey),
});
const definitions: { readonly [K in Kind]: DefinitionOf<K> } = {
  http: signed(unsigned.http),
  tcp: signed(unsigned.tcp),
  dns: signed(unsigned.dns),
  icmp: signed(unsigned.icmp),
  grpc: signed(unsigned.grpc),
};

const nothing = {
  owner: "",
  locations: [],
  channels: [],
  pages: [],
  maintenances: [],
  elsewhere: [],
};
const alone = { path: [], locations: [], notifications: [], dependsOn: [], renamedFrom: "" };

const defaults: { readonly [K in Kind]: DefinitionOf<K> } = {
  http: httpDefaults,
  tcp: tcpDefaults,
  dns: dnsDefaults,
  icmp: kindTable.icmp.defaults,
  grpc: kindTable.grpc.defaults,
};

describe.each(kinds)("a check by %s", (kind) => {
  test("is tried here with every argument that it has", () => {
    const given = Object.entries(definitions[kind]);
    const usual = new Map<string, unknown>(Object.entries(defaults[kind]));
    expect(given.map(([name]) => name).toSorted()).toEqual([...usual.keys()].toSorted());
    for (const [name, value] of given)
      if (name !== "kind") expect([name, value]).not.toEqual([name, usual.get(name)]);
  });

  test("goes whole from a person to the service and to the agent, and its result comes back", async () => {
    const definition: MonitorDefinition = definitions[kind];
    const never = new AbortController().signal;
    await using service = await runningService({ clock: systemClock });
    const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
    const management = connectManagement(service.url, key, directWay());
    const configuration = configurationMessage(
      { ...nothing, monitors: [definition], written: [{ ...alone, definition }] },
      "",
      null,
    );
    await management.configuration.applyConfiguration({ configuration });
    const plan = await management.configuration.planConfiguration({ configuration });
    expect(plan.changes).toMatchObject([{ action: "same", name: definition.name }]);
    const listed = await listMonitors(management, never);
    const monitorId = listed[0]?.message.id ?? "";
    expect(planMonitors([definition], listed).steps).toMatchObject([
      { change: "same", id: monitorId },
    ]);
    const { token } = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [monitorId],
      metadata: {},
    });
    const plane = connectControlPlane({
      baseUrl: service.url,
      token: () => token,
      tokenHeader: "x-service-token",
      instance: {
        id: "a",
        version: "0",
        hostname: "a",
        node: "",
        labels: {},
        placement: "everywhere",
      },
      way: wayWith(),
      clock: systemClock,
    });
    const read = readMonitor(monitorId, definition, "assignment");
    expect(await plane.pull(null, never)).toMatchObject({
      monitors: [read.is === "runnable" ? read.monitor : null],
      remarks: [],
    });
    const now = systemClock.wall();
    const outcome = passed(kind);
    const result = resultWith({ monitorId, kind, slot: now, startedAt: now, outcome });
    const receipts: Receipt[] = [];
    await plane.report([reportOf(result)], (_, receipt) => receipts.push(receipt), never);
    expect(receipts).toEqual([{ outcome: "accepted" }]);
    await plane.report([reportOf(result)], (_, receipt) => receipts.push(receipt), never);
    expect(receipts.at(-1)).toEqual({ outcome: "duplicate" });
  });
});
