import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { locationId, monitorId } from "#service/store/ids";
import { openQuietly } from "./scene.ts";
import { epochMillis } from "#base/units";
import { at } from "./scene.ts";

const program = path.resolve(import.meta.dirname, "../../../support/store-process.ts");

/** What a process that was killed in the middle of a batch had acknowledged, and what is there of it. */
export interface AfterKill {
  readonly acknowledged: number;
  readonly stored: number;
  /** Of each monitor: a batch is there with everything that is made of it, or not at all. */
  readonly counted: ReadonlySet<number>;
}

export async function killedAt(database: string): Promise<AfterKill> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, database],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const exited = once(child, "exit");
  let own = "";
  let acknowledged = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    if (own === "") own = line;
    else acknowledged = Number(line);
    // It is in the middle of the next batch.
    if (acknowledged === 30) child.kill("SIGKILL");
  }
  await exited;
  const [monitor = 0, location = 0] = own.split(" ").map(Number);
  await using store = await openQuietly(database);
  const key = { monitor: monitorId(monitor), location: locationId(location) };
  const { results } = await store.results.window({
    ...key,
    from: epochMillis(0),
    to: at("2100-01-01T00:00:00Z"),
    order: "oldest first",
    cursor: null,
    skip: 0,
    limit: 500,
  });
  const totals = await store.results.totals(key.location, [key.monitor]);
  const counted = new Set(totals.map(({ success }) => success));
  return { acknowledged, stored: results.length, counted };
}
