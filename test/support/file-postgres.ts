import { afterAll, beforeAll } from "vitest";
import type { Connections } from "#service/store/postgres/connections";
import { openPostgres } from "#service/store/postgres/postgres-engine";
import { poolOf } from "#service/store/postgres/pool";
import type { Store } from "#service/store/store";
import { storeOn } from "#service/store/store-calls";
import { pgliteConnections } from "./pglite-connections.ts";
import { isPostgresInstalled, type PostgresServer, startPostgres } from "./postgres-server.ts";

/** The one PostgreSQL of a test file, there while its tests run. */
export interface FilePostgres {
  /** False if none is installed: then a test has PostgreSQL in its own process, with one connection. */
  readonly isServer: boolean;
  /** Null in a test's own process. */
  readonly server: () => PostgresServer | null;
  /** Of a database that nobody else has. */
  readonly connections: () => Promise<Connections>;
}

/** To be called once, at the top of a file. */
export function filePostgres(): FilePostgres {
  const isServer = isPostgresInstalled();
  let server: PostgresServer | null = null;
  beforeAll(async () => {
    if (isServer) server = await startPostgres();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  return {
    isServer,
    server: () => server,
    connections: () =>
      server === null ? pgliteConnections() : Promise.resolve(poolOf(server.fresh())),
  };
}

/** A store on them, which says its progress to nobody. */
export const storeOver = async (connections: Connections): Promise<Store> =>
  storeOn(
    await openPostgres(
      connections,
      () => {},
      () => {},
    ),
  );
