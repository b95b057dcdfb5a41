import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe } from "vitest";
import type { Connections } from "#service/store/postgres/connections";
import { openPostgres } from "#service/store/postgres/postgres-engine";
import { storeOn } from "#service/store/store-calls";
import type { Store } from "#service/store/store";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { filePostgres } from "../../../support/file-postgres.ts";
import { type OpenToChange, packedReadsConform, packingConforms } from "../conformance/packing.ts";

const folder = mkdtempSync(path.join(tmpdir(), "picket-packing-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("packed results on SQLite", () => {
  let opened = 0;
  const fresh = (): string => {
    opened += 1;
    return path.join(folder, `${opened}.db`);
  };
  const openHere = (database: string, said: string[]): Promise<Store> =>
    openStoreHere({
      database,
      use: "service",
      onProgress: () => {},
      onDamage: (sentence) => said.push(sentence),
    });
  packedReadsConform(() => openHere(fresh(), []));
  packingConforms(
    () => openHere(fresh(), []),
    async (said): Promise<OpenToChange> => {
      const file = fresh();
      const store = await openHere(file, said);
      const change = async (statement: string) => {
        using beside = new DatabaseSync(file);
        return beside.prepare(statement).all();
      };
      return { store, change };
    },
  );
});

describe("packed results on PostgreSQL", () => {
  const { connections } = filePostgres();
  const openOn = async (pool: Connections, said: string[]): Promise<Store> =>
    storeOn(await openPostgres(pool, () => {}, saidOnce(said)));
  packedReadsConform(async () => openOn(await connections(), []));
  packingConforms(
    async () => openOn(await connections(), []),
    async (said): Promise<OpenToChange> => {
      const pool = await connections();
      const store = await openOn(pool, said);
      return { store, change: (text) => pool.use(async (query) => (await query(text)).rows) };
    },
  );
});

/** As openStore says it. */
const saidOnce = (said: string[]) => (sentence: string) => {
  if (!said.includes(sentence)) said.push(sentence);
};
