import { alters, unaudited } from "#service/store/audit/audited";
import { type PersonId, personId } from "#service/store/ids";
import type {
  AnsweredChallenge,
  NewPasskey,
  PasskeyOutcome,
  PasskeyRow,
  PasskeyStore,
} from "#service/store/passkey-store";
import { insertRows, integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis } from "#base/units";

/** Passkeys of people with an account of this service. */
export const passkeys: VerbsOf<PasskeyStore> = {
  list: reads("passkeys.list", async (sql, account: PersonId) => {
    const rows = await sql.all("SELECT * FROM passkeys WHERE account = ? ORDER BY id", [account]);
    return rows.map(passkeyOf);
  }),
  ofCredential: reads("passkeys.ofCredential", async (sql, credential: string) => {
    const [row] = await sql.all("SELECT * FROM passkeys WHERE credential = ?", [credential]);
    return row === undefined ? null : passkeyOf(row);
  }),
  countByHost: reads("passkeys.countByHost", async (sql) => {
    const rows = await sql.all("SELECT host, COUNT(*) AS count FROM passkeys GROUP BY host");
    return new Map(rows.map((row) => [text(row, "host"), integer(row, "count")]));
  }),
  add: writes("passkeys.add", "credentials", alters("person"), add),
  remove: writes(
    "passkeys.remove",
    "credentials",
    alters("person"),
    async (sql, account: PersonId, id: number) => {
      const remove = "DELETE FROM passkeys WHERE account = ? AND id = ?";
      const removed = await sql.run(remove, [account, id]);
      await forgetCodesWithoutFactor(sql, account);
      return removed === 1;
    },
  ),
  use: writes(
    "passkeys.use",
    null,
    unaudited("a passkey is used with each signing in"),
    async (sql, id: number, answered) => {
      if (!(await isNew(sql, answered))) return false;
      const { counter, at } = answered;
      const use = `UPDATE passkeys SET counter = ?, used_at = ?
        WHERE id = ? AND (counter < ? OR (counter = 0 AND ? = 0))`;
      return (await sql.run(use, [counter, at, id, counter, counter])) === 1;
    },
  ),
};

/** Whether no one has answered it before. From now on someone has. */
async function isNew(sql: Sql, { challenge, until, at }: AnsweredChallenge): Promise<boolean> {
  await sql.run("DELETE FROM passkey_challenges WHERE until < ?", [at]);
  const keep =
    "INSERT INTO passkey_challenges (challenge, until) VALUES (?, ?) ON CONFLICT DO NOTHING";
  return (await sql.run(keep, [challenge, until])) === 1;
}

/** Recovery codes stand in for a second factor: with the last one they go. */
export async function forgetCodesWithoutFactor(sql: Sql, account: PersonId): Promise<void> {
  await sql.run(
    `DELETE FROM recovery_codes WHERE account = ?
       AND NOT EXISTS (SELECT 1 FROM passkeys WHERE passkeys.account = recovery_codes.account)
       AND NOT EXISTS
         (SELECT 1 FROM accounts WHERE accounts.id = recovery_codes.account AND sealed <> '')`,
    [account],
  );
}

async function add(
  sql: Sql,
  account: PersonId,
  made: NewPasskey,
  codes: readonly string[],
  max: number,
): Promise<PasskeyOutcome> {
  await sql.all(`SELECT id FROM accounts WHERE id = ?${sql.words.forUpdate}`, [account]);
  const rows = await sql.all("SELECT name FROM passkeys WHERE account = ?", [account]);
  if (rows.length >= max) return "too many";
  if (rows.some((row) => text(row, "name") === made.name)) return "same name";
  if (!(await isNew(sql, made))) return "answered before";
  const inserted = await sql.run(
    `INSERT INTO passkeys
       (account, name, credential, public_key, host, counter, transports, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (credential) DO NOTHING`,
    [
      account,
      made.name,
      made.credential,
      made.publicKey,
      made.host,
      made.counter,
      JSON.stringify(made.transports),
      made.at,
    ],
  );
  if (inserted !== 1) return "known";
  const kept = await sql.all("SELECT hash FROM recovery_codes WHERE account = ? LIMIT 1", [
    account,
  ]);
  if (kept.length > 0) return "added";
  const hashes = codes.map((hash) => [account, hash]);
  await insertRows(sql, "INSERT INTO recovery_codes (account, hash)", hashes, "");
  return "added with codes";
}

function passkeyOf(row: Row): PasskeyRow {
  const transports: readonly string[] = JSON.parse(text(row, "transports"));
  return {
    id: integer(row, "id"),
    account: personId(integer(row, "account")),
    name: text(row, "name"),
    credential: text(row, "credential"),
    publicKey: text(row, "public_key"),
    host: text(row, "host"),
    counter: integer(row, "counter"),
    transports,
    at: epochMillis(integer(row, "created_at")),
    usedAt: optionalInstant(row, "used_at"),
  };
}
