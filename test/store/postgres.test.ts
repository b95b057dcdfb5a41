import { afterAll, beforeAll, describe } from "vitest";
import { openPostgres } from "#store/postgres/postgres-engine";
import { storeOn } from "#store/store-calls";
import type { Store } from "#store/store";
import { pgliteConnections } from "../support/pglite-connections.ts";
import { isPostgresHere, type PostgresServer, startPostgres } from "../support/postgres-server.ts";
import { alertsConform } from "./conformance/alerts.ts";
import { channelsConform } from "./conformance/channels.ts";
import { pagesConform } from "./conformance/pages.ts";
import { resultsConform } from "./conformance/results.ts";
import { openQuietly } from "./conformance/scene.ts";
import { stateConforms } from "./conformance/state.ts";

/** A machine without PostgreSQL has one in this process, so that the suite runs everywhere. */
let server: PostgresServer | null = null;
beforeAll(async () => {
  if (isPostgresHere) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const open = async (): Promise<Store> =>
  server === null
    ? storeOn(await openPostgres(await pgliteConnections()))
    : openQuietly(server.fresh());

describe("results on PostgreSQL", () => {
  resultsConform(open);
});
describe("state on PostgreSQL", () => {
  stateConforms(open);
});
describe("alerts on PostgreSQL", () => {
  alertsConform(open);
});
describe("channels on PostgreSQL", () => {
  channelsConform(open);
});
describe("status pages on PostgreSQL", () => {
  pagesConform(open);
});
