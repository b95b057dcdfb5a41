import { once } from "node:events";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { FakeClock } from "../support/fake-clock.ts";
import { runningService, temporaryFolder } from "../support/running-service.ts";

const heartbeat = "/private_location.v1.PrivateLocationService/Heartbeat";

test("a port that is in use is said in a sentence, and no database is made", async () => {
  await using service = await runningService();
  const database = path.join(temporaryFolder(), "other.sqlite");
  const start = startService({
    database,
    host: "127.0.0.1",
    port: service.port,
    clock: new FakeClock(),
    log: silentLogger,
  });
  await expect(start).rejects.toThrow(`port ${service.port} of 127.0.0.1 is in use: give another`);
  expect(existsSync(database)).toBe(false);
});

test("a request that never ends holds the stop up only for a while", async () => {
  const clock = new FakeClock();
  const service = await runningService({ clock });
  const slow = connect(service.port, "127.0.0.1");
  await once(slow, "connect");
  slow.write(`POST ${heartbeat} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{`);
  // An answer to a later connection shows that the service has taken this one.
  await fetch(`${service.url}/healthz`);
  let ended = false;
  const stopped = service[Symbol.asyncDispose]().then(() => (ended = true));
  // From now on it waits for that request alone.
  const port = (): Promise<string> =>
    fetch(`${service.url}/livez`).then(
      () => "open",
      () => "closed",
    );
  await expect.poll(port).toBe("closed");
  await clock.advance(9_999);
  expect(ended).toBe(false);
  const cut = once(slow, "close");
  slow.resume();
  await clock.advance(1);
  await stopped;
  await cut;
});

test("abandoning the service cuts a request that never ends", async () => {
  const service = await runningService();
  const slow = connect(service.port, "127.0.0.1");
  await once(slow, "connect");
  slow.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
  slow.resume();
  await fetch(`${service.url}/healthz`);
  let ended = false;
  const stopped = service[Symbol.asyncDispose]().then(() => (ended = true));
  const cut = once(slow, "close");
  expect(ended).toBe(false);
  service.abandon();
  await cut;
  await stopped;
});

test("a database that another process holds answers 503, so that nothing is dropped, and works again after", async () => {
  const told: string[] = [];
  const database = path.join(temporaryFolder(), "service.sqlite");
  const log = { ...silentLogger, error: (message: string) => void told.push(message) };
  await using service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    clock: new FakeClock(),
    log,
  });
  const wanted = { name: "office", monitorIds: [], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(wanted);
  const beat = (): Promise<Response> =>
    fetch(`${service.url}${heartbeat}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-token": token },
      body: JSON.stringify({ instanceId: "a" }),
    });
  const other = new DatabaseSync(database, { timeout: 10_000 });
  other.exec("BEGIN IMMEDIATE");
  const held = await beat();
  expect([held.status, await held.json()]).toMatchObject([503, { code: "unavailable" }]);
  other.exec("COMMIT");
  expect((await beat()).status).toBe(200);
  other.exec("ALTER TABLE instances RENAME TO gone");
  const broken = await beat();
  expect(broken.status).toBe(500);
  expect(await broken.json()).toEqual({
    code: "internal",
    message: "a fault of the service; its log says more",
  });
  other.close();
  expect(told).toContain("the database cannot be used; callers are asked to try again");
  expect(told).toContain("a call failed by a fault of the service");
});
