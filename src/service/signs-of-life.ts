import type { Database } from "#service/database";
import type { EpochMillis, Millis } from "#units";

/** When agents were heard of, by table: instants that are only compared with the service's clock. */
const signs = {
  private_locations: ["last_seen_at", "stopped_at"],
  instances: ["last_seen_at", "steady_from"],
} as const;

/** The clock was set, and the new time is taken over: every sign is as old as it was before. */
export function shiftSigns(database: Database, by: Millis): void {
  database.transaction(() => {
    for (const [table, columns] of Object.entries(signs))
      for (const column of columns)
        database.run(`UPDATE ${table} SET ${column} = ${column} + ?`, by);
    judgeAnew(database);
  });
}

/** At a start: what was noted by a clock that was ahead means no more than that an agent was heard until now. */
export function endSignsBy(database: Database, now: EpochMillis): void {
  database.transaction(() => {
    for (const [table, columns] of Object.entries(signs))
      for (const column of columns)
        database.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} > ?`, now, now);
    judgeAnew(database);
  });
}

/** What is due at an instant of another time is due now. */
const judgeAnew = (database: Database): void =>
  void database.run("UPDATE monitors SET judge_at = 0 WHERE judge_at > 0");
