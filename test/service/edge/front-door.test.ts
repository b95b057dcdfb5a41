import { once } from "node:events";
import { Agent, get, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { silentLogger } from "#base/log";
import { type Service, startService } from "#service/server";
import { openStore } from "#service/store/open-store";
import { StoreFault } from "#service/store/store-fault";
import { databaseBefore } from "../../support/database-before.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

interface Starting {
  readonly service: Promise<Service>;
  readonly url: string;
  readonly progress: readonly string[];
  /** The database has its new shape; the start waits for the gate. */
  readonly brought: Promise<void>;
  readonly gate: PromiseWithResolvers<void>;
  readonly stop: AbortController;
}

/** A service that has begun to bring an old database over, and stays in that until its gate is opened. */
async function starting(database: string): Promise<Starting> {
  const [gate, brought] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const began = Promise.withResolvers<string>();
  const progress: string[] = [];
  const stop = new AbortController();
  const service = startService({
    database,
    host: "127.0.0.1",
    port: 0,
    clock: new FakeClock(),
    log: {
      ...silentLogger,
      info: (_message, fields) => began.resolve(String(fields?.["answers 503 meanwhile"])),
    },
    onProgress: (sentence) => void progress.push(sentence),
    signal: stop.signal,
    opensStore: async (place) => {
      await using opened = new AsyncDisposableStack();
      const store = opened.use(await openStore(place));
      brought.resolve();
      await gate.promise;
      opened.move();
      return store;
    },
  });
  // What it rejects with is asked for later.
  service.catch(() => {});
  return { service, url: await began.promise, progress, brought: brought.promise, gate, stop };
}

const oldDatabase = (results: number): string => {
  const file = path.join(temporaryFolder(), "service.sqlite");
  databaseBefore(file, { monitors: 3, results, begin: 0 });
  return file;
};

/** Asks on one connection that is kept; `port` is its own end. */
function oneConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return async (url: string): Promise<Answer> => {
    const request = get(url, { agent });
    const [response] = await once(request, "response");
    const port = request.socket?.localPort;
    return {
      status: response.statusCode,
      headers: response.headers,
      body: await text(response),
      port,
    };
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly port: number | undefined;
}

const listMonitors = "openstatus.monitor.v1.MonitorService/ListMonitors";

async function channelStatus(url: string): Promise<readonly unknown[]> {
  const socket = new WebSocket(`${url}/private_location.v1.PrivateLocationService/Watch`);
  const [, response] = await once(socket, "unexpected-response");
  response.resume();
  socket.on("error", () => {});
  socket.terminate();
  return [response.statusCode, response.headers["retry-after"]];
}

test("a service that brings an old database over listens meanwhile: it lives, all else has to come again, and then calls are taken on the connections that are there", async () => {
  const { service, url, progress, brought, gate } = await starting(oldDatabase(3_000));
  await brought;
  expect(progress).toContain("the database gets its new shape: 3000 results are copied");
  const ask = oneConnection();
  const live = await ask(`${url}/livez`);
  expect(live).toMatchObject({ status: 200, body: '{"status":"ok"}' });
  for (const to of ["healthz", listMonitors, `rpc/${listMonitors}`, "v1/whoami", "nowhere", ""]) {
    const { status, headers, body } = await ask(`${url}/${to}`);
    expect([status, headers["retry-after"], headers["error-reason"]]).toEqual([
      503,
      "5",
      "UNAVAILABLE",
    ]);
    expect(JSON.parse(body)).toEqual({
      code: "unavailable",
      message: `the service is starting: ${progress.at(-1)}; try again later`,
    });
  }
  const shown = await fetch(`${url}/monitors/1`, { headers: { accept: "text/html" } });
  expect([shown.status, shown.headers.get("refresh")]).toEqual([503, "5"]);
  expect(await shown.text()).toContain("<h1>The service is starting</h1>");
  expect(await channelStatus(url)).toEqual([503, "5"]);
  const agent = createClient(
    PrivateLocationService,
    createConnectTransport({ baseUrl: url, httpVersion: "1.1" }),
  );
  const error = ConnectError.from(await agent.heartbeat({}).catch((thrown: unknown) => thrown));
  expect(error.code).toBe(Code.Unavailable);
  gate.resolve();
  await using running = await service;
  expect(running.url).toBe(url);
  expect(await ask(`${url}/healthz`)).toMatchObject({ status: 200, port: live.port });
  expect((await channelStatus(url))[0]).toBe(401);
  const { key } = await running.admin.createApiKey({ name: "ci", scope: "read" });
  const call = await fetch(`${url}/${listMonitors}`, {
    method: "POST",
    headers: { "x-service-key": key, "content-type": "application/json" },
    body: "{}",
  });
  expect(await call.json()).toMatchObject({ totalSize: 3 });
});

test("a start that is stopped while it brings a database over listens no more, and the next one has everything", async () => {
  const database = oldDatabase(20_000);
  const { service, url, stop, gate } = await starting(database);
  gate.resolve();
  stop.abort();
  await expect(service).rejects.toBe(stop.signal.reason);
  await expect(fetch(`${url}/livez`)).rejects.toThrow("fetch failed");
  {
    await using again = await runningService({ database });
    expect((await fetch(`${again.url}/healthz`)).status).toBe(200);
  }
  await using store = await openStore({ database, use: "command", onProgress: () => {} });
  const rows = await store.state.monitors.list({ limit: 1_000, offset: 0 });
  const ids = rows.map(({ id }) => id);
  const totals = await store.results.totals(null, ids);
  expect(totals.reduce((sum, one) => sum + one.success + one.error, 0)).toBe(20_000);
});

test("a database that cannot be opened after all ends the start with its sentence, and closes the port at once", async () => {
  const { service, url, brought, gate } = await starting(oldDatabase(3));
  await brought;
  const slow = connect(Number(new URL(url).port), "127.0.0.1");
  await once(slow, "connect");
  // The rest of its head never comes, which holds nothing up: no one advances this clock.
  slow.write("POST / HTTP/1.1\r\n");
  // An answer to a later connection shows that the service has taken this one.
  expect((await oneConnection()(`${url}/livez`)).status).toBe(200);
  const fault = new StoreFault("store_broken", "the disk is away");
  gate.reject(fault);
  await expect(service).rejects.toBe(fault);
  await expect(fetch(`${url}/livez`)).rejects.toThrow("fetch failed");
});
