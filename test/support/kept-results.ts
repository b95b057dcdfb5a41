import { copyFileSync, existsSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "./running-service.ts";

/** Monitor and slot of what an agent's spool would have if it were killed now: read from a copy, so that it is left as it is. */
export function keptIn(state: string): readonly string[] {
  const copy = temporaryFolder();
  const file = path.join(copy, "spool.sqlite");
  for (const ending of ["", "-wal"])
    if (existsSync(path.join(state, `spool.sqlite${ending}`)))
      copyFileSync(path.join(state, `spool.sqlite${ending}`), `${file}${ending}`);
  using spool = new DatabaseSync(file);
  return spool
    .prepare("SELECT monitor_id, slot FROM reports")
    .all()
    .map((row) => `${String(row["monitor_id"])} ${String(row["slot"])}`);
}
