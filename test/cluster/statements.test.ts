import { poolOf } from "#service/store/postgres/pool";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { alertsConform } from "../service/store/conformance/alerts.ts";
import { configurationConforms } from "../service/store/conformance/configuration.ts";
import { downtimesConform } from "../service/store/conformance/downtimes.ts";
import { monitorChangesConform } from "../service/store/conformance/monitor-changes.ts";
import { packingConforms } from "../service/store/conformance/packing.ts";
import { resultsConform } from "../service/store/conformance/results.ts";
import { stateConforms } from "../service/store/conformance/state.ts";
import { trashConforms } from "../service/store/conformance/trash.ts";
import { type CitusCluster, citusPrograms, startCitus } from "./citus-cluster.ts";
import { openExplained, type Plans } from "./explained.ts";

const programs = citusPrograms();

/** What asks all shards: by how much it gives of each, and how often. */
const askAll = [
  // One row of each shard, from the end of an index: which hours and days there are.
  "SELECT MIN(bucket) AS first, MAX(bucket) AS last FROM hourly",
  "SELECT MIN(bucket) AS first, MAX(bucket) AS last FROM daily",
  // The latencies of more monitors than are looked up one by one: an overview, once an hour.
  `SELECT COALESCE(json_agg(monitor), '[]')::text AS monitors, COALESCE(json_agg(LENGTH(latencies)), '[]')::text AS lengths, string_agg(latencies, ''::bytea) AS histograms FROM daily WHERE bucket >= ?`,
  // Forgetting, in portions, by one replica.
  "SELECT MIN(bucket) AS bucket FROM hourly WHERE bucket < ?",
  "SELECT MIN(bucket) AS bucket FROM daily WHERE bucket < ?",
  "SELECT monitor FROM hourly WHERE bucket = ? ORDER BY monitor LIMIT 1 OFFSET ?",
  "SELECT monitor FROM daily WHERE bucket = ? ORDER BY monitor LIMIT 1 OFFSET ?",
  "DELETE FROM hourly WHERE bucket = ? AND monitor <= ?",
  "DELETE FROM daily WHERE bucket = ? AND monitor <= ?",
  "SELECT monitor, location, kept, CASE WHEN kept > ?",
  "SELECT monitor, location FROM series WHERE location = ? LIMIT 1",
  // Packing, in portions, by one replica.
  "SELECT monitor, location, (SELECT MIN(slot) FROM results",
  "SELECT monitor, location, (SELECT MIN(slot) FROM result_details AS loose",
  // How much belongs to a location that a person is about to delete.
  "SELECT COALESCE(SUM(kept), 0) AS count FROM series WHERE location = ?",
];

/** The suites of the store once more, with each statement about results explained by the cluster. */
describe.skipIf(programs === null)("every statement of the store's suites on a cluster", () => {
  let cluster: CitusCluster;
  const plans: Plans = new Map();
  beforeAll(async () => {
    cluster = await startCitus(programs ?? "");
  });
  afterAll(() => cluster[Symbol.asyncDispose]());
  const open = async () => openExplained(await cluster.fresh(), plans);
  resultsConform(open);
  downtimesConform(open);
  const openToChange = async (said: string[]) => {
    const database = await cluster.fresh();
    const store = await openExplained(database, plans, (sentence) => {
      if (!said.includes(sentence)) said.push(sentence);
    });
    const change = async (text: string) => {
      await using pool = poolOf(database);
      return await pool.use(async (query) => (await query(text)).rows);
    };
    return { store, change };
  };
  packingConforms(open, openToChange);
  stateConforms(open);
  monitorChangesConform(open);
  trashConforms(open);
  alertsConform(open);
  configurationConforms(open);

  test("goes to the shard of the monitor that it names, or is one of a few that ask all", () => {
    const asked = [...plans].filter(([, is]) => is === "all shards").map(([text]) => text);
    expect(asked.filter((text) => !askAll.some((known) => text.startsWith(known)))).toEqual([]);
    // What is stored and read of a monitor was among them.
    expect([...plans.values()].filter((is) => is !== "all shards").length).toBeGreaterThan(25);
    expect(askAll.filter((known) => !asked.some((text) => text.startsWith(known)))).toEqual([]);
  });
});
