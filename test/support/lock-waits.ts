import type { Client } from "pg";
import { expect } from "vitest";

/**
 * Ends when at least `count` sessions of the client's database wait for a lock. Within a transaction PostgreSQL keeps
 * the list of sessions as it first read it: a session that began later would never be seen.
 */
export async function lockWaits(client: Client, count: number): Promise<void> {
  await expect
    .poll(async () => {
      await client.query("SELECT pg_stat_clear_snapshot()");
      const { rows } = await client.query(
        `SELECT pid FROM pg_stat_activity
         WHERE wait_event_type = 'Lock' AND datname = current_database()`,
      );
      return rows.length;
    })
    .toBeGreaterThanOrEqual(count);
}
