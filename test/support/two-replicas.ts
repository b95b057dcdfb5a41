import path from "node:path";
import { onTestFinished } from "vitest";
import { silentLogger } from "#base/log";
import { type Service, startService } from "#service/server";
import { FakeClock } from "./fake-clock.ts";
import { goneAtOnce } from "./gone-at-once.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { temporaryFolder } from "./running-service.ts";

/** Two services on one fresh database, gone with the test. With `local` pages nobody has to sign in. */
export async function twoReplicas(
  server: PostgresServer,
  pages: "signed-in" | "local" = "signed-in",
): Promise<readonly [Service, Service]> {
  const database = server.fresh();
  const secretFile = path.join(temporaryFolder(), "service.key");
  const replica = async (): Promise<Service> => {
    const service = await startService({
      database,
      secretFile,
      host: "127.0.0.1",
      port: 0,
      clock: new FakeClock(),
      log: silentLogger,
      ...(pages === "local" ? { pages } : {}),
    });
    onTestFinished(() => goneAtOnce(service));
    return service;
  };
  return [await replica(), await replica()];
}
