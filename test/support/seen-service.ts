import { dnsDefaults, httpDefaults, tcpDefaults } from "#check/definition";
import { type CapturedIo, captureIo } from "./captured-io.ts";
import { FakeClock } from "./fake-clock.ts";
import { runningService, type RunningService } from "./running-service.ts";
import { main } from "../../src/main.ts";

/** A service that has seen something: a monitor that fails, a slow one, one that passes, one at a silent location. */
export interface SeenService extends AsyncDisposable {
  readonly service: RunningService;
  readonly clock: FakeClock;
  readonly key: string;
  /** The token of the location office. */
  readonly token: string;
  readonly ids: Readonly<Record<"shop" | "db" | "cache" | "mail" | "resting", string>>;
  readonly locationId: string;
  /** Runs a command on this service, with a terminal if one is given. */
  run(
    args: readonly string[],
    more?: {
      readonly env?: Readonly<Record<string, string>>;
      readonly terminal?: { readonly columns: number; readonly rows: number };
      readonly typed?: string;
    },
  ): Promise<{ readonly code: number; readonly out: string; readonly said: string }>;
  io(
    env?: Readonly<Record<string, string>>,
    terminal?: { readonly columns: number; readonly rows: number } | null,
  ): CapturedIo;
}

export async function seenService(): Promise<SeenService> {
  const clock = new FakeClock();
  const service = await runningService({ clock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const common = { periodicity: "30s", active: true };
  const create = async (definition: Parameters<typeof service.admin.createMonitor>[0]) =>
    (await service.admin.createMonitor(definition, "management")).id;
  const ids = {
    shop: await create({
      ...httpDefaults,
      ...common,
      name: "shop",
      url: "https://me:planted@shop.test/health?token=planted",
      degradedAt: 100,
    }),
    db: await create({
      ...tcpDefaults,
      ...common,
      name: "db",
      uri: "db.test:5432",
      public: true,
    }),
    cache: await create({ ...tcpDefaults, ...common, name: "cache", uri: "cache.test:6379" }),
    mail: await create({ ...dnsDefaults, ...common, name: "mail", uri: "mail.test" }),
    resting: await create({
      ...tcpDefaults,
      ...common,
      name: "resting",
      uri: "resting.test:1",
      active: false,
    }),
  };
  const office = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [ids.shop, ids.db, ids.cache, ids.resting],
    metadata: {},
  });
  await service.admin.createPrivateLocation({
    name: "berlin",
    monitorIds: [ids.mail],
    metadata: {},
  });
  await ingest(service, office.token, ids, clock.wall());
  const io: SeenService["io"] = (env = {}, terminal = null) =>
    captureIo(
      { SERVICE_API_URL: service.url, SERVICE_API_KEY: key, NO_COLOR: "1", ...env },
      terminal,
    );
  return {
    service,
    clock,
    key,
    token: office.token,
    ids,
    locationId: office.id,
    io,
    run: async (args, { env, terminal, typed } = {}) => {
      const captured = io(env, terminal ?? null);
      captured.typing.end(typed ?? "");
      const code = await main(args, captured);
      return { code, out: captured.written.stdout(), said: captured.written.stderr() };
    },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const refused = 'connection refused (10.0.0.7:5432), said "no"';

/** Two slots of each monitor of office. */
async function ingest(
  service: RunningService,
  token: string,
  ids: SeenService["ids"],
  now: number,
): Promise<void> {
  const result = (monitorId: string, number: number, requestStatus: string, latency: bigint) => {
    const slot = BigInt(now - 60_000 + number * 30_000);
    return {
      id: `${monitorId}-${number}`,
      monitorId,
      requestStatus,
      latency,
      timestamp: slot,
      cronTimestamp: slot,
    };
  };
  const results = [0, 1].flatMap((number) => [
    {
      result: {
        case: "http" as const,
        value: {
          ...result(ids.shop, number, number === 1 ? "degraded" : "success", 250n),
          statusCode: 200n,
        },
      },
      detail: {
        phases: { dnsNs: 1_000_000n, waitNs: 240_000_000n },
        remarks: number === 1 ? ["slow: 250 ms, over the threshold of 100 ms"] : [],
      },
    },
    {
      result: {
        case: "tcp" as const,
        value: { ...result(ids.db, number, "error", 3n), message: refused },
      },
      detail: {
        failure: {
          code: "connection_refused",
          phase: "connect",
          message: refused,
        },
        phases: { connectNs: 3_000_000n },
      },
    },
    {
      result: { case: "tcp" as const, value: result(ids.cache, number, "success", 1n) },
      detail: { phases: { connectNs: 1_000_000n } },
    },
  ]);
  await service.agent(token).monitors({});
  await service.agent(token).ingestBatch({ results });
}
