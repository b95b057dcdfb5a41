import { randomUUID } from "node:crypto";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Agent } from "#agent/agent";
import { memorySpool } from "#agent/spool/memory-spool";
import { auditMemory } from "#agent/state/audit-file";
import { openStateDirectory } from "#agent/state/state-directory";
import { silentLogger } from "#base/log";
import { tcpDefaults } from "#check/definition";
import { hours, mebibytes, millis } from "#base/units";
import { connectControlPlane } from "#transport/connect-control-plane";
import { systemClock } from "#base/clock";
import { closedPort } from "../servers/scripted.ts";
import { checkerWith } from "../support/checking.ts";
import { runningService, temporaryFolder } from "../support/running-service.ts";
import { wayWith } from "../support/service-way.ts";
import { memoryLog, TwinProber } from "../support/twins.ts";

/** An agent that runs until its first heartbeat was answered, and then stops: it beats twice more. */
async function beaten(baseUrl: string, token: string, folder: string) {
  const log = memoryLog();
  using state = openStateDirectory(folder, silentLogger);
  const instance = {
    id: randomUUID(),
    version: "1",
    hostname: "h",
    node: "",
    labels: {},
    placement: "everywhere" as const,
  };
  const options = {
    baseUrl,
    token: () => token,
    tokenHeader: "x-service-token",
    instance,
    way: wayWith({ clock: systemClock }),
    clock: systemClock,
  };
  const agent = new Agent({
    checker: checkerWith(new TwinProber(), systemClock, log, 10),
    controlPlane: connectControlPlane(options),
    watch: null,
    spool: memorySpool(systemClock, { bytesMax: mebibytes(1), ageMax: hours(24) }),
    auditMemory: auditMemory(state, baseUrl),
    clock: systemClock,
    log,
    serviceUrl: baseUrl,
    pollInterval: millis(300_000),
    heartbeatInterval: millis(300_000),
    drainTimeout: millis(5_000),
  });
  const stop = new AbortController();
  const ended = agent.run(stop.signal, new AbortController().signal);
  await expect.poll(() => agent.status.heartbeat.takenAt, { interval: 10 }).not.toBeNull();
  stop.abort();
  await ended;
  return { status: agent.status, log };
}

test("a service that forgets what was changed is caught by its agent, which says so on the service's own page", async () => {
  const folder = temporaryFolder();
  const database = path.join(folder, "service.sqlite");
  const port = await closedPort();
  const start = (): ReturnType<typeof runningService> =>
    runningService({ clock: systemClock, database, port });
  const first = await start();
  const { token } = await first.admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  const { key } = await first.admin.createApiKey({ name: "ann", scope: "write" });
  const state = path.join(folder, "agent");
  const before = await beaten(first.url, token, state);
  const { id } = await first.admin.createMonitor(
    { ...tcpDefaults, name: "db", uri: "db.test:1", periodicity: "1h", active: true },
    "management",
  );
  await first.monitors(key).deleteMonitor({ id });
  const after = await beaten(first.url, token, state);
  expect(after.status.audit.fault).toBeNull();
  const [known, more] = [before, after].map(({ status }) => status.audit.head?.number ?? 0);
  expect(more).toBe((known ?? 0) + 2);
  await first[Symbol.asyncDispose]();

  // Whoever has the database takes out what they did, and puts the head where it was.
  const sqlite = new DatabaseSync(database);
  sqlite.exec(`DELETE FROM audit_entries WHERE number > ${known};
    UPDATE audit_head SET number = ${known},
      hash = (SELECT hash FROM audit_entries WHERE number = ${known}),
      chain = (SELECT chain FROM audit_entries WHERE number = ${known})`);
  sqlite.close();
  await using second = await start();
  const { status, log } = await beaten(second.url, token, state);
  expect(status.audit.fault?.sentence).toBe(
    `the service's audit log is shorter than it was: it has ${known} entries, and had ${more}`,
  );
  expect(log.said.filter(({ level }) => level === "error")).toHaveLength(1);
  const { privateLocation } = await second.locations(key).getPrivateLocation({ id: "1" });
  expect(privateLocation?.instances.flatMap(({ remarks }) => remarks)).toContainEqual(
    expect.stringContaining("the service's audit log is shorter than it was"),
  );
});
