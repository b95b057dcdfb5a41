import { alters, unaudited } from "#service/store/audit/audited";
import type { LocationId } from "#service/store/ids";
import { allAmong, integer, optionalInstant, type Sql, text } from "#service/store/sql";
import type { CallingLocation, Locations } from "#service/store/state-store";
import type { NewToken, StoredToken } from "#service/store/token-store";
import { locationOf } from "#service/store/verbs/location-rows";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import * as limits from "#limits/service-limits";
import { epochMillis, type EpochMillis } from "#base/units";

type TokenCalls = Pick<
  Locations,
  "ofToken" | "revisionsOf" | "tokens" | "rotate" | "endOldTokens" | "forgetTokens"
>;

/**
 * The tokens of the locations, by their hashes. One that has ended is kept for some time without its copy, so that the
 * service can say whose agent still calls with it.
 */
export const tokenVerbs: VerbsOf<TokenCalls> = {
  ofToken: reads(
    "locations.ofToken",
    async (sql, hash: string): Promise<CallingLocation | null> => {
      const [row] = await sql.all(
        `SELECT locations.*, location_tokens.called_at, location_tokens.valid_until
       FROM location_tokens JOIN locations ON locations.id = location_tokens.location
       WHERE hash = ?`,
        [hash],
      );
      if (row === undefined) return null;
      const validUntil = optionalInstant(row, "valid_until");
      const calledAt = optionalInstant(row, "called_at");
      return { ...locationOf(row), token: { hash, calledAt, validUntil } };
    },
  ),
  revisionsOf: reads("locations.revisionsOf", revisionsOf),
  tokens: reads("locations.tokens", async (sql, id: LocationId, at: EpochMillis) => {
    const rows = await sql.all(
      `SELECT hash, sealed, created_at, valid_until, called_at FROM location_tokens
       WHERE location = ? AND (valid_until IS NULL OR valid_until > ?)
       ORDER BY CASE WHEN valid_until IS NULL THEN 0 ELSE 1 END, created_at DESC, hash`,
      [id, at],
    );
    return rows.map((row): StoredToken => ({
      hash: text(row, "hash"),
      sealed: text(row, "sealed"),
      createdAt: epochMillis(integer(row, "created_at")),
      validUntil: optionalInstant(row, "valid_until"),
      calledAt: optionalInstant(row, "called_at"),
    }));
  }),
  rotate: writes("locations.rotate", "credentials", alters("location"), rotate),
  endOldTokens: writes("locations.endOldTokens", "credentials", alters("location"), endOld),
  forgetTokens: writes(
    "locations.forgetTokens",
    null,
    unaudited("the service forgets what is old"),
    async (sql, now: EpochMillis, before: EpochMillis) => {
      await sql.run("DELETE FROM location_tokens WHERE valid_until <= ?", [before]);
      await sql.run(
        "UPDATE location_tokens SET sealed = '' WHERE valid_until <= ? AND sealed <> ''",
        [now],
      );
    },
  ),
};

async function revisionsOf(
  sql: Sql,
  hashes: readonly string[],
  at: EpochMillis,
): Promise<ReadonlyMap<string, string>> {
  const rows = await allAmong(
    sql,
    `SELECT hash, revision FROM location_tokens JOIN locations ON locations.id = location_tokens.location
     WHERE hash IN (*) AND (valid_until IS NULL OR valid_until > ?)`,
    [],
    hashes,
    [at],
  );
  return new Map(rows.map((row) => [text(row, "hash"), text(row, "revision")]));
}

async function rotate(
  sql: Sql,
  id: LocationId,
  token: NewToken,
  oldUntil: EpochMillis,
  tokensMax: number,
): Promise<boolean> {
  // A rotation that comes at the same time waits here, so that both count.
  await sql.all(`SELECT id FROM locations WHERE id = ?${sql.words.forUpdate}`, [id]);
  const [row] = await sql.all(
    "SELECT COUNT(*) AS count FROM location_tokens WHERE location = ? AND (valid_until IS NULL OR valid_until > ?)",
    [id, token.at],
  );
  // Without an overlap none of those before it is left to count.
  if (oldUntil > token.at && integer(row, "count") >= tokensMax) return false;
  await sql.run(
    "UPDATE location_tokens SET valid_until = ? WHERE location = ? AND (valid_until IS NULL OR valid_until > ?)",
    [oldUntil, id, oldUntil],
  );
  await forgetEnded(sql, id, token.at);
  await addToken(sql, id, token);
  return true;
}

async function endOld(sql: Sql, id: LocationId, at: EpochMillis): Promise<number> {
  const ended = await sql.run(
    "UPDATE location_tokens SET valid_until = ? WHERE location = ? AND valid_until > ?",
    [at, id, at],
  );
  await forgetEnded(sql, id, at);
  return ended;
}

/** Of the tokens that have ended the copies go, and the oldest ones past what is kept. */
async function forgetEnded(sql: Sql, id: LocationId, at: EpochMillis): Promise<void> {
  await sql.run("UPDATE location_tokens SET sealed = '' WHERE location = ? AND valid_until <= ?", [
    id,
    at,
  ]);
  await sql.run(
    `DELETE FROM location_tokens WHERE location = ? AND valid_until <= ? AND hash NOT IN
       (SELECT hash FROM location_tokens WHERE location = ? AND valid_until <= ?
        ORDER BY valid_until DESC, created_at DESC, hash LIMIT ?)`,
    [id, at, id, at, limits.endedTokensKept],
  );
}

export const addToken = (
  sql: Sql,
  id: LocationId,
  { hash, sealed, at }: NewToken,
): Promise<number> =>
  sql.run("INSERT INTO location_tokens (hash, location, sealed, created_at) VALUES (?, ?, ?, ?)", [
    hash,
    id,
    sealed,
    at,
  ]);

/** When an agent last called with a token. Never moves back. */
export const tokenCalled = (sql: Sql, hash: string, at: EpochMillis): Promise<number> =>
  sql.run(
    "UPDATE location_tokens SET called_at = ? WHERE hash = ? AND (called_at IS NULL OR called_at <= ?)",
    [at, hash, at],
  );

/** When an agent last called with a token of the location that works at this instant; null: none has. */
export async function workingCallAt(
  sql: Sql,
  id: LocationId,
  at: EpochMillis,
): Promise<EpochMillis | null> {
  const [row] = await sql.all(
    `SELECT MAX(called_at) AS called_at FROM location_tokens
     WHERE location = ? AND (valid_until IS NULL OR valid_until > ?)`,
    [id, at],
  );
  return row === undefined ? null : optionalInstant(row, "called_at");
}
