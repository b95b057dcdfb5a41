import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import type { Clock } from "#base/clock";
import { MonitorService, MonitorStatus } from "#contract/openstatus/monitor/v1/monitor_pb";
import { PrivateLocationService as ManagementService } from "#contract/openstatus/private_location/v1/private_location_pb";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { type Logger, silentLogger } from "#base/log";
import type { Block } from "#network/address-block";
import type { Sender } from "#service/notify/provider";
import { type Service, startService } from "#service/server";
import type { NotificationWay } from "#service/service-rooms";
import type { openStore } from "#service/store/open-store";
import { FakeClock } from "./fake-clock.ts";
import { openStoreHere } from "./open-store-here.ts";

/** A real service on a real file, with the clients that a person and an agent would have. */
export interface RunningService extends Service {
  readonly database: string;
  readonly clock: Clock;
  monitors(key: string): Client<typeof MonitorService>;
  locations(key: string): Client<typeof ManagementService>;
  /** A monitor's status by its word. */
  statusOf(key: string, monitorId: string): Promise<string>;
  agent(token: string): Client<typeof PrivateLocationService>;
  /** A JSON call, as curl would make it. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

const statusWords: { readonly [S in MonitorStatus]: string } = {
  [MonitorStatus.UNSPECIFIED]: "unknown",
  [MonitorStatus.ACTIVE]: "active",
  [MonitorStatus.DEGRADED]: "degraded",
  [MonitorStatus.ERROR]: "error",
};

/** A folder that is gone with the test. */
export const temporaryFolder = (): string => folderIn(tmpdir());

/**
 * The same, in memory where the system has room for that: a service's database is made in most tests, and a write that
 * waits for the disk says no more than one that does not.
 */
export const quickFolder = (): string => folderIn(isRoomy(memory) ? memory : tmpdir());

const memory = "/dev/shm";
/** A container's has 64 MiB, which the browsers of the tests need themselves. */
function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= 2 ** 30;
}

function folderIn(place: string): string {
  const folder = mkdtempSync(path.join(place, "picket-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function runningService({
  clock = new FakeClock(),
  database = path.join(quickFolder(), "service.sqlite"),
  secretFile,
  port = 0,
  sender,
  heartbeatUrl,
  notifying,
  trustedProxies = [],
  callsPerSecond,
  opensStore = openStoreHere,
  log = silentLogger,
  publicUrl = sender === undefined ? undefined : "https://picket.test/",
}: {
  clock?: Clock;
  database?: string;
  /** Where the database is no file. */
  secretFile?: string;
  port?: number;
  sender?: Sender & AsyncDisposable;
  heartbeatUrl?: string;
  notifying?: NotificationWay;
  trustedProxies?: readonly Block[];
  callsPerSecond?: number;
  publicUrl?: string | undefined;
  opensStore?: typeof openStore;
  log?: Logger;
} = {}): Promise<RunningService> {
  const service = await startService({
    database,
    host: "127.0.0.1",
    trustedProxies,
    port,
    clock,
    log,
    opensStore,
    ...(callsPerSecond === undefined ? {} : { callsPerSecond }),
    ...(secretFile === undefined ? {} : { secretFile }),
    ...(notifying === undefined ? {} : { notifying }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(heartbeatUrl === undefined ? {} : { heartbeatUrl }),
    ...(sender === undefined ? {} : { sender }),
  });
  const transport = (header: string, secret: string): ReturnType<typeof createConnectTransport> => {
    const authenticate: Interceptor = (next) => (request) => {
      request.header.set(header, secret);
      return next(request);
    };
    return createConnectTransport({
      baseUrl: service.url,
      httpVersion: "1.1",
      interceptors: [authenticate],
    });
  };
  return {
    ...service,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    database,
    clock,
    monitors: (key) => createClient(MonitorService, transport("x-service-key", key)),
    locations: (key) => createClient(ManagementService, transport("x-service-key", key)),
    statusOf: async (key, id) => {
      const client = createClient(MonitorService, transport("x-service-key", key));
      const { status } = await client.getMonitorStatus({ id });
      return statusWords[status];
    },
    agent: (token) => createClient(PrivateLocationService, transport("x-service-token", token)),
    post: (to, body, headers = {}) =>
      fetch(`${service.url}${to}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
  };
}
