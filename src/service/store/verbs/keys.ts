import { nameAsRead } from "#base/text";
import { alters, makes, unaudited } from "#service/store/audit/audited";
import { keyUseNotedEvery } from "#limits/store-limits";
import { type KeyId, keyId } from "#service/store/ids";
import { integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import type { KeyRow, NewKey, Keys } from "#service/store/state-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** API keys, by their hashes. */
export const keys: VerbsOf<Keys> = {
  create: writes(
    "keys.create",
    "credentials",
    makes("key", (id: KeyId | null) => id),
    async (sql, made: NewKey) => {
      // Whoever gets an account or another name at the same instant waits here.
      await sql.all(`SELECT name FROM settings WHERE name = 'installation'${sql.words.forUpdate}`);
      return (await isOfPerson(sql, made.name)) ? null : create(sql, made);
    },
  ),
  createFirst: writes(
    "keys.createFirst",
    "credentials",
    makes("key", (id: KeyId | null) => id),
    async (sql, made: NewKey) => {
      // Whoever comes at the same instant waits here, and finds the key.
      await sql.all(`SELECT name FROM settings WHERE name = 'installation'${sql.words.forUpdate}`);
      const [there] = await sql.all("SELECT id FROM api_keys WHERE revoked_at IS NULL LIMIT 1");
      return there === undefined ? create(sql, made) : null;
    },
  ),
  list: reads("keys.list", async (sql) => {
    const rows = await sql.all("SELECT * FROM api_keys WHERE revoked_at IS NULL ORDER BY id");
    return rows.map(keyOf);
  }),
  get: reads("keys.get", async (sql, id: KeyId): Promise<KeyRow | null> => {
    const select = "SELECT * FROM api_keys WHERE id = ? AND revoked_at IS NULL";
    const [row] = await sql.all(select, [id]);
    return row === undefined ? null : keyOf(row);
  }),
  idOfUid: reads("keys.idOfUid", async (sql, uid: string): Promise<KeyId | null> => {
    if (uid === "") return null;
    const [row] = await sql.all("SELECT id FROM api_keys WHERE uid = ? AND uid <> ''", [uid]);
    return row === undefined ? null : keyId(integer(row, "id"));
  }),
  revoke: writes(
    "keys.revoke",
    "credentials",
    alters("key"),
    async (sql, id: KeyId, at: EpochMillis) => {
      const revoke = "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL";
      return (await sql.run(revoke, [at, id])) === 1;
    },
  ),
  ofHash: reads("keys.ofHash", async (sql, hash: string, at: EpochMillis) => {
    const [row] = await sql.all(
      `SELECT * FROM api_keys WHERE hash = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`,
      [hash, at],
    );
    return row === undefined ? null : keyOf(row);
  }),
  used: writes(
    "keys.used",
    null,
    unaudited("a key is used with each call"),
    async (sql, id: KeyId, at: EpochMillis) => {
      // A key that is used a hundred times a second is written down once a minute.
      await sql.run(
        "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)",
        [at, id, at - keyUseNotedEvery],
      );
    },
  ),
};

async function isOfPerson(sql: Sql, name: string): Promise<boolean> {
  const wanted = nameAsRead(name);
  const all = await sql.all("SELECT name FROM accounts");
  return all.some((row) => nameAsRead(text(row, "name")) === wanted);
}

async function create(sql: Sql, made: NewKey): Promise<KeyId> {
  const [row] = await sql.all(
    `INSERT INTO api_keys (uid, name, description, scope, prefix, hash, created_at, expires_at)
     VALUES ('', ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
    [made.name, made.description, made.scope, made.prefix, made.hash, made.at, made.expiresAt],
  );
  return keyId(integer(row, "id"));
}

const keyOf = (row: Row): KeyRow => ({
  id: keyId(integer(row, "id")),
  uid: text(row, "uid"),
  name: text(row, "name"),
  description: text(row, "description"),
  scope: text(row, "scope") === "read" ? "read" : "write",
  prefix: text(row, "prefix"),
  createdAt: epochMillis(integer(row, "created_at")),
  expiresAt: optionalInstant(row, "expires_at"),
  lastUsedAt: optionalInstant(row, "last_used_at"),
});
