import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import { MonitorService, Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { PrivateLocationService as Locations } from "#contract/openstatus/private_location/v1/private_location_pb";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { beatTargetsCharsMax } from "#limits/wire-limits";
import { captureIo } from "../../support/captured-io.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { serviceClient } from "../../support/service-client.ts";

/** A service whose location's agent has rules for targets, and what it says before a monitor is saved. */

const everything = ["0.0.0.0/0", "::/0"];

async function scene() {
  const operator = await operatorScene({ days: 0 });
  const { service } = operator;
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const monitors = serviceClient(MonitorService, service.url, "x-service-key", key);
  const { monitor } = await monitors.createTCPMonitor({
    monitor: { name: "Port", uri: "db.test:5432", periodicity: Periodicity.PERIODICITY_1M },
  });
  const id = monitor?.id ?? "";
  const { token, id: location } = await service.admin.createPrivateLocation({
    name: "cellar",
    monitorIds: [id],
    metadata: {},
  });
  const agent = serviceClient(PrivateLocationService, service.url, "x-service-token", token);
  const beat = (targets?: { allow?: string[]; deny?: string[]; isCut?: boolean }, signedFor = "") =>
    agent.heartbeat({
      signedFor,
      instanceId: "a",
      hostname: "office-1",
      agentVersion: "0.2.0",
      ...(targets === undefined ? {} : { targets }),
    });
  const remarks = async (uri: string): Promise<readonly string[]> =>
    (await monitors.updateTCPMonitor({ id, monitor: { uri }, updateMask: { paths: ["uri"] } }))
      .remarks;
  return { ...operator, key, monitors, id, location, beat, remarks };
}

test("a monitor that an agent's operator denies is saved, and the call says that it will be refused", async () => {
  const { beat, remarks, location, service, key } = await scene();
  await beat();
  expect(await remarks("10.9.0.1:22")).toEqual([]);
  await beat({ allow: ["10.20.0.0/16", "*.shop.test:443"], deny: everything });
  expect(await remarks("10.9.0.1:22")).toEqual([
    "At cellar, the agent office-1 will refuse 10.9.0.1:22: its operator denies it by 0.0.0.0/0. Ask for an entry in PICKET_TARGET_ALLOW.",
  ]);
  expect(await remarks("db.test:5432")).toEqual([
    "At cellar, the agent office-1 will refuse db.test:5432, unless its name resolves to an address in 10.20.0.0/16.",
  ]);
  expect(await remarks("10.20.0.1:22")).toEqual([]);
  expect(await remarks("a.shop.test:443")).toEqual([]);
  expect(await remarks("a.shop.test:80")).toHaveLength(1);
  const { remarks: ofLocation } = await serviceClient(
    Locations,
    service.url,
    "x-service-key",
    key,
  ).updatePrivateLocation({ id: location, name: "cellar" });
  expect(ofLocation).toEqual([
    "Port: At cellar, the agent office-1 will refuse a.shop.test:80, unless its name resolves to an address in 10.20.0.0/16.",
  ]);
});

test("nothing is said of lists that are not whole, not readable, or too long", async () => {
  const { beat, remarks } = await scene();
  for (const targets of [
    { deny: everything, isCut: true },
    { deny: ["10.0.0.0/99", ...everything] },
    { deny: Array<string>(beatTargetsCharsMax).fill("::/0") },
  ]) {
    await beat(targets);
    expect(await remarks("10.9.0.1:22")).toEqual([]);
  }
});

test("plan and apply warn of it, and apply still makes the monitor", async () => {
  const { beat, service, key } = await scene();
  await beat({ allow: ["icmp://10.9.0.1"], deny: everything });
  const file = path.join(temporaryFolder(), "monitors.yaml");
  writeFileSync(
    file,
    "tcp_monitors:\n  - { name: ssh, uri: '10.9.0.1:22', periodicity: 1m, active: true, locations: [cellar] }\n" +
      "icmp_monitors:\n  - { name: ping, uri: 10.9.0.1, periodicity: 1m, active: true, locations: [cellar] }\n",
  );
  const run = async (command: string) => {
    const io = captureIo({ SERVICE_API_URL: service.url, SERVICE_API_KEY: key });
    const code = await main([command, "-f", file], io);
    return { code, said: io.written.stderr() };
  };
  const warning =
    "warning: ssh: At cellar, the agent office-1 will refuse 10.9.0.1:22: its operator denies it by 0.0.0.0/0. Ask for an entry in PICKET_TARGET_ALLOW.\n";
  expect(await run("plan")).toEqual({ code: 2, said: `picket plan: ${warning}` });
  expect(await run("apply")).toEqual({ code: 0, said: `picket apply: ${warning}` });
});

test("the form says it before it saves, and saves at the second press", async () => {
  const { beat, get, post, id, monitors } = await scene();
  await beat({ deny: ["*.test"] });
  const page = await (await get(`/monitors/${id}/edit`)).text();
  const typed = {
    form: /name="form" value="([^"]*)"/.exec(page)?.[1] ?? "",
    kind: "tcp",
    name: "Port",
    uri: "shop.test:443",
    periodicity: "1m",
    active: "true",
    locations: "1",
  };
  const uri = async () => {
    const { monitor } = await monitors.getMonitor({ id });
    return monitor?.config.case === "tcp" ? monitor.config.value.uri : "";
  };
  const first = await (await post(`/monitors/${id}/edit`, typed)).text();
  expect(first).toContain("the agent office-1 will refuse shop.test:443");
  expect(first).toContain("Save anyway");
  expect(await uri()).toBe("db.test:5432");
  const known = /name="known" value="([^"]*)"/.exec(first)?.[1] ?? "";
  const other = await (
    await post(`/monitors/${id}/edit`, { ...typed, known, uri: "b.test:1" })
  ).text();
  expect(other).toContain("will refuse b.test:1");
  const second = await post(`/monitors/${id}/edit`, { ...typed, known });
  expect(second.status).toBe(303);
  expect(await uri()).toBe("shop.test:443");
});

const hiddenIn = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";
const signedOnly =
  "At cellar, the agent office-1 runs only signed monitors, and this one will not be signed for cellar: it stops there until picket apply --sign has signed it.";

test("the form of a location says it of monitors that are added, and saves at the second press", async () => {
  const { beat, get, post, monitors, location } = await scene();
  await beat(undefined, "cellar");
  const monitor = { name: "Other", uri: "b.test:1", periodicity: Periodicity.PERIODICITY_1M };
  const { monitor: other } = await monitors.createTCPMonitor({ monitor });
  const page = await (await get(`/locations/${location}/edit`)).text();
  const typed = { form: hiddenIn(page, "form"), name: "cellar", basis: hiddenIn(page, "basis") };
  const first = await (
    await post(`/locations/${location}/edit`, { ...typed, monitor_ids: other?.id ?? "" })
  ).text();
  expect(first).toContain(`Other: ${signedOnly}`);
  expect(first).not.toContain(`Port: ${signedOnly}`);
  expect(first).toContain("Save anyway");
  const assigned = async () =>
    (await monitors.getMonitor({ id: other?.id ?? "" })).monitor?.config.value?.privateLocationIds;
  expect(await assigned()).toEqual([]);
  const again = { ...typed, monitor_ids: other?.id ?? "", known: hiddenIn(first, "known") };
  expect((await post(`/locations/${location}/edit`, again)).status).toBe(303);
  expect(await assigned()).toEqual([location]);
  // What it has already was said before.
  const kept = { ...typed, monitor_ids: other?.id ?? "", name: "cellar", basis: "" };
  expect((await post(`/locations/${location}/edit`, kept)).status).toBe(303);
});

test("many monitors are assigned to such a location at the second press", async () => {
  const { beat, get, post, monitors, location } = await scene();
  await beat(undefined, "cellar");
  const monitor = { name: "Other", uri: "b.test:1", periodicity: Periodicity.PERIODICITY_1M };
  const { monitor: other } = await monitors.createTCPMonitor({ monitor });
  const id = other?.id ?? "";
  const form = hiddenIn(await (await get("/")).text(), "form");
  const many = { form, monitor: id, location, act: "assign", query: "" };
  const first = await (await post("/monitors/many", many)).text();
  expect(first).toContain(`Other: ${signedOnly}`);
  const sent = ["form", "act", "location", "monitor.rest", "known"].map((name) => [
    name,
    hiddenIn(first, name),
  ]);
  const done = await post("/monitors/many", Object.fromEntries(sent));
  expect(done.headers.get("location")).toMatch(/^\/\?notice=assign\.1\.0&undo=/);
});
