import { describe, expect, it } from "vitest";
import { MonitorStatus } from "#contract/openstatus/monitor/v1/monitor_pb";
import { type ManagedMonitor, managedMonitor } from "#wire/managed-monitor";
import { planMonitors } from "#cli/apply/plan";
import { differencesOf } from "#service/configuration/monitor-difference";
import {
  dnsDefaults,
  type HttpDefinition,
  httpDefaults,
  type MonitorDefinition,
  tcpDefaults,
} from "#check/definition";

const web: HttpDefinition = {
  ...httpDefaults,
  name: "web",
  url: "https://example.com/",
  periodicity: "1m",
  headers: [{ key: "authorization", value: "planted-secret" }],
  regions: ["fra", "ams"],
};
const db: MonitorDefinition = { ...tcpDefaults, name: "web", uri: "db:5432", periodicity: "1m" };
const mail: MonitorDefinition = {
  ...dnsDefaults,
  name: "mail",
  uri: "example.com",
  periodicity: "1h",
  recordAssertions: [{ record: "MX", target: "mx", comparator: "contains" }],
};

/** The monitor as a service gives it back: with what is the service's to say. */
function stored(definition: MonitorDefinition, id: string): ManagedMonitor {
  const monitor = managedMonitor(definition);
  const { message } = monitor;
  message.id = id;
  message.status = MonitorStatus.ACTIVE;
  message.createdAt = "2026-01-01T00:00:00Z";
  return monitor;
}

describe("a plan", () => {
  it("creates what is missing", () => {
    const { steps } = planMonitors([web, db, mail], []);
    expect(steps.map(({ change }) => change)).toEqual(["create", "create", "create"]);
  });

  it("finds monitors by kind and name, and those that are the same", () => {
    const { steps } = planMonitors([web, db, mail], [stored(db, "2"), stored(web, "1")]);
    expect(steps).toMatchObject([
      { change: "same", id: "1" },
      { change: "same", id: "2" },
      { change: "create" },
    ]);
  });

  it.each<[string, Partial<HttpDefinition>, readonly string[]]>([
    ["a url", { url: "https://example.org/" }, ["url"]],
    ["a header's value", { headers: [{ key: "authorization", value: "other" }] }, ["headers"]],
    ["a threshold", { degradedAt: 100 }, ["degraded_at"]],
    ["flags", { active: true, followRedirects: false }, ["follow_redirects", "active"]],
    [
      "metrics",
      { otel: { endpoint: "http://o/", headers: [] } },
      ["otlp_endpoint", "otlp_headers"],
    ],
  ])("names what changes when %s does", (_title, part, fields) => {
    const [wanted, found] = [{ ...web, ...part }, stored(web, "1")];
    const [step] = planMonitors([wanted], [found]).steps;
    expect(step).toMatchObject({ change: "update", id: "1" });
    const differences = differencesOf(found, managedMonitor(wanted));
    expect(differences.map(({ name }) => name)).toEqual(fields);
  });

  it.each<[string, Partial<HttpDefinition>]>([
    ["a threshold of 0", { degradedAt: 0 }],
    ["a timeout of 0", { timeout: 0 }],
    ["a method in small letters", { method: "get" }],
    ["regions in another order", { regions: ["ams", "fra"] }],
  ])("changes nothing for %s", (_title, part) => {
    const [step] = planMonitors([{ ...web, ...part }], [stored(web, "1")]).steps;
    expect(step?.change).toBe("same");
  });

  it("has a conflict if the service has two of the name", () => {
    const { conflicts } = planMonitors([web], [stored(web, "1"), stored(web, "2")]);
    expect(conflicts).toHaveLength(1);
    expect(conflicts[0]).toContain('2 http monitors named "web"');
  });
});
