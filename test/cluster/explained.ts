import type { Connections, Query } from "#service/store/postgres/connections";
import { openPostgres } from "#service/store/postgres/postgres-engine";
import { poolOf } from "#service/store/postgres/pool";
import type { Store } from "#service/store/store";
import { storeOn } from "#service/store/store-calls";

/** How statements about results are spread, by their text without the values. */
export type Plans = Map<string, "one shard" | "shards of the monitors it names" | "all shards">;

/** A store on a cluster that has each statement about results explained before it is done. */
export async function openExplained(
  database: string,
  plans: Plans,
  damaged: (sentence: string) => void = () => {},
): Promise<Store> {
  const pool = poolOf(database);
  const explaining: Connections = {
    use: (work) => pool.use((query) => work(explained(query, plans))),
    useLong: (work, signal) => pool.useLong((query) => work(explained(query, plans)), signal),
    listen: (channel, signal) => pool.listen(channel, signal),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  };
  return storeOn(await openPostgres(explaining, () => {}, damaged));
}

const explained =
  (query: Query, plans: Plans): Query =>
  async (text, values = []) => {
    if (isOfResults(text)) {
      const { rows } = await query(`EXPLAIN (COSTS OFF) ${text}`, values);
      const plan = rows.flatMap((row) => Object.values(row)).join("\n");
      const name = withoutValues(text);
      const is = spreadOf(text, plan);
      if (plans.get(name) !== "all shards") plans.set(name, is);
    }
    return query(text, values);
  };

const isOfResults = (text: string): boolean =>
  /^\s*(SELECT|INSERT|UPDATE|DELETE)/.test(text) &&
  /\b(FROM|JOIN|INTO|UPDATE)\s+(results|result_details|packed_results|packed_details|hourly|daily|series|gaps)\b/.test(
    text,
  );

function spreadOf(
  text: string,
  plan: string,
): "one shard" | "shards of the monitors it names" | "all shards" {
  const tasks = Number(/Task Count: (\d+)/.exec(plan)?.[1] ?? 0);
  // What is read of the coordinator is sent to every node.
  if (/Distributed Subplan/.test(plan) || tasks === 0) return "all shards";
  if (tasks === 1 && !/monitor IN|INSERT/.test(text)) return "one shard";
  return /monitor IN \(\$|^\s*INSERT/.test(text) ? "shards of the monitors it names" : "all shards";
}

const withoutValues = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/\(\$\d+(, \$\d+)*\)(, \(\$\d+(, \$\d+)*\))*/g, "(*)")
    .replaceAll(/\$\d+/g, "?")
    .trim();
