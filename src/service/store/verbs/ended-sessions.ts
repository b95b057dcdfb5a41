import { happens, unaudited } from "#service/store/audit/audited";
import { signOutEvents } from "#service/store/audit/session-event";
import type { EndedSessions, SessionOwner } from "#service/store/people-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import type { EpochMillis } from "#base/units";

/** Sessions of people that ended before their time. */
export const endedSessions: VerbsOf<EndedSessions> = {
  add: writes(
    "endedSessions.add",
    null,
    happens((isNew, _id, _until, owner, isNoted) => (isNoted ? signOutEvents(isNew, owner) : [])),
    async (sql, id: string, until: EpochMillis, _owner: SessionOwner, _isNoted: boolean) => {
      const count = await sql.run(
        "INSERT INTO ended_sessions (id, until) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [id, until],
      );
      await sql.run("DELETE FROM page_sessions WHERE session = ?", [id]);
      return count === 1;
    },
  ),
  has: reads("endedSessions.has", async (sql, id: string) => {
    const [row] = await sql.all("SELECT id FROM ended_sessions WHERE id = ?", [id]);
    return row !== undefined;
  }),
  forget: writes(
    "endedSessions.forget",
    null,
    unaudited("the service forgets what is old"),
    async (sql, before: EpochMillis) => {
      await sql.run("DELETE FROM ended_sessions WHERE until < ?", [before]);
    },
  ),
};
