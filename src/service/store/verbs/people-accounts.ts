import {
  alters,
  altersEach,
  makes,
  subjects,
  type Subject,
  unaudited,
} from "#service/store/audit/audited";
import { type PersonId, personId } from "#service/store/ids";
import {
  type AccountChange,
  type AccountOutcome,
  type AccountRow,
  type Accounts,
  type NewAccount,
  type PasswordLink,
  type Role,
  roles,
  type TakenWord,
} from "#service/store/people-store";
import { forgetCodesWithoutFactor } from "#service/store/verbs/passkey-rows";
import { insertRows, integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { nameAsRead } from "#base/text";
import { epochMillis, type EpochMillis } from "#base/units";

/** Whose link it is. */
const ofLink = async (sql: Sql, hash: string): Promise<readonly Subject[]> =>
  subjects(
    "person",
    (await sql.all("SELECT id FROM accounts WHERE link_hash = ? AND link_hash <> ''", [hash])).map(
      (row) => integer(row, "id"),
    ),
  );

/** People with an account of this service. */
export const accounts: VerbsOf<Accounts> = {
  add: writes(
    "accounts.add",
    "credentials",
    makes("person", (made: PersonId | TakenWord) => (typeof made === "string" ? null : made)),
    add,
  ),
  list: reads("accounts.list", async (sql) => {
    const rows = await sql.all(`${select} ORDER BY name, id`);
    return rows.map(accountOf);
  }),
  get: reads("accounts.get", (sql, id: PersonId) => one(sql, "id = ?", [id])),
  ofEmail: reads("accounts.ofEmail", (sql, email: string) => one(sql, "email = ?", [email])),
  ofLink: reads("accounts.ofLink", (sql, hash: string, at: EpochMillis) =>
    one(sql, "link_hash = ? AND link_hash <> '' AND link_until > ?", [hash, at]),
  ),
  change: writes("accounts.change", "credentials", alters("person"), change),
  remove: writes("accounts.remove", "credentials", alters("person"), remove),
  offerLink: writes(
    "accounts.offerLink",
    "credentials",
    alters("person"),
    async (sql, id: PersonId, link: PasswordLink) => {
      const offer = "UPDATE accounts SET link_hash = ?, link_until = ?, password = '' WHERE id = ?";
      return (await sql.run(offer, [link.hash, link.until, id])) === 1;
    },
  ),
  offerReset: writes(
    "accounts.offerReset",
    "credentials",
    alters("person"),
    async (sql, id: PersonId, link: PasswordLink) => {
      const offer = `UPDATE accounts SET link_hash = ?, link_until = ?
        WHERE id = ? AND password <> '' AND disabled_at IS NULL`;
      return (await sql.run(offer, [link.hash, link.until, id])) === 1;
    },
  ),
  takeLink: writes("accounts.takeLink", "credentials", altersEach(ofLink), takeLink),
  setPassword: writes(
    "accounts.setPassword",
    "credentials",
    alters("person"),
    async (sql, id: PersonId, before: string, password: string) => {
      const set = `UPDATE accounts SET password = ?, link_hash = '', link_until = NULL
        WHERE id = ? AND password = ?`;
      return (await sql.run(set, [password, id, before])) === 1;
    },
  ),
  rename: writes("accounts.rename", "credentials", alters("person"), rename),
  setTimeZone: writes(
    "accounts.setTimeZone",
    "credentials",
    alters("person"),
    async (sql, id: PersonId, timeZone: string) => {
      const set = "UPDATE accounts SET time_zone = ? WHERE id = ?";
      return (await sql.run(set, [timeZone, id])) === 1;
    },
  ),
  putFactor: writes("accounts.putFactor", "credentials", alters("person"), putFactor),
  removeFactor: writes(
    "accounts.removeFactor",
    "credentials",
    alters("person"),
    async (sql, id: PersonId) => {
      await sql.run("UPDATE accounts SET sealed = '' WHERE id = ?", [id]);
      await forgetCodesWithoutFactor(sql, id);
    },
  ),
  takeStep: writes(
    "accounts.takeStep",
    null,
    unaudited("a code is used with each signing in"),
    async (sql, id: PersonId, step: number) => {
      const take = "UPDATE accounts SET step = ? WHERE id = ? AND step < ? AND sealed <> ''";
      return (await sql.run(take, [step, id, step])) === 1;
    },
  ),
  takeRecoveryCode: writes(
    "accounts.takeRecoveryCode",
    null,
    unaudited("a code is used with a signing in"),
    async (sql, id: PersonId, hash: string) => {
      const take = "DELETE FROM recovery_codes WHERE account = ? AND hash = ?";
      return (await sql.run(take, [id, hash])) === 1;
    },
  ),
  recoveryCodesLeft: reads("accounts.recoveryCodesLeft", async (sql, id: PersonId) => {
    const count = "SELECT COUNT(*) AS codes FROM recovery_codes WHERE account = ?";
    return integer((await sql.all(count, [id]))[0], "codes");
  }),
};

const select =
  "SELECT accounts.*, (SELECT COUNT(*) FROM passkeys WHERE passkeys.account = accounts.id) AS passkeys FROM accounts";

async function one(
  sql: Sql,
  where: string,
  values: readonly (string | number)[],
): Promise<AccountRow | null> {
  const [row] = await sql.all(`${select} WHERE ${where}`, values);
  return row === undefined ? null : accountOf(row);
}

async function add(sql: Sql, made: NewAccount): Promise<PersonId | TakenWord> {
  await waitForOthers(sql);
  if ((await one(sql, "email = ?", [made.email])) !== null) return "email taken";
  if (await isTaken(sql, made.name, null)) return "name taken";
  const [row] = await sql.all(
    `INSERT INTO accounts
       (name, email, role, password, sealed, step, created_at, updated_at, link_hash, link_until)
     VALUES (?, ?, ?, '', '', 0, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING RETURNING id`,
    [made.name, made.email, made.role, made.at, made.at, made.hash, made.until],
  );
  return row === undefined ? "email taken" : personId(integer(row, "id"));
}

async function rename(
  sql: Sql,
  id: PersonId,
  name: string,
): Promise<Exclude<AccountOutcome, "last owner">> {
  await waitForOthers(sql);
  const account = await one(sql, "id = ?", [id]);
  if (account === null) return "missing";
  if (await isTaken(sql, name, account)) return "name taken";
  await sql.run("UPDATE accounts SET name = ? WHERE id = ?", [name, id]);
  return "done";
}

/** Whether another account, or an API key, has a name that reads like this one. Who has it already keeps it. */
async function isTaken(sql: Sql, name: string, own: AccountRow | null): Promise<boolean> {
  const wanted = nameAsRead(name);
  if (own !== null && nameAsRead(own.name) === wanted) return false;
  const all = await sql.all(
    "SELECT name FROM accounts UNION ALL SELECT name FROM api_keys WHERE revoked_at IS NULL",
  );
  return all.some((row) => nameAsRead(text(row, "name")) === wanted);
}

/** Whoever changes another account at the same instant waits here. */
const waitForOthers = (sql: Sql): Promise<unknown> =>
  sql.all(`SELECT name FROM settings WHERE name = 'installation'${sql.words.forUpdate}`);

async function change(
  sql: Sql,
  id: PersonId,
  { name, role, isDisabled, at }: AccountChange,
): Promise<AccountOutcome> {
  const account = await changeable(sql, id, role === "owner" && !isDisabled);
  if (typeof account === "string") return account;
  if (await isTaken(sql, name, account)) return "name taken";
  await sql.run(
    `UPDATE accounts SET name = ?, role = ?, updated_at = ?, disabled_at = ${isDisabled ? "COALESCE(disabled_at, ?)" : "?"}
     WHERE id = ?`,
    [name, role, at, isDisabled ? at : null, id],
  );
  return "done";
}

async function remove(sql: Sql, id: PersonId): Promise<Exclude<AccountOutcome, "name taken">> {
  const account = await changeable(sql, id, false);
  if (typeof account === "string") return account;
  await sql.run("DELETE FROM accounts WHERE id = ?", [id]);
  return "done";
}

/** The account, or why it may not be changed. */
async function changeable(
  sql: Sql,
  id: PersonId,
  staysOwner: boolean,
): Promise<AccountRow | "missing" | "last owner"> {
  await waitForOthers(sql);
  const account = await one(sql, "id = ?", [id]);
  if (account === null) return "missing";
  const owners = await sql.all(
    "SELECT id FROM accounts WHERE role = 'owner' AND disabled_at IS NULL AND joined_at IS NOT NULL",
  );
  const [owner, another] = owners.map((row) => integer(row, "id"));
  return !staysOwner && owner === id && another === undefined ? "last owner" : account;
}

async function takeLink(
  sql: Sql,
  hash: string,
  password: string,
  at: EpochMillis,
): Promise<PersonId | null> {
  const [row] = await sql.all(
    `UPDATE accounts SET password = ?, joined_at = COALESCE(joined_at, ?), link_hash = '', link_until = NULL
     WHERE link_hash = ? AND link_hash <> '' AND link_until > ? AND disabled_at IS NULL RETURNING id`,
    [password, at, hash, at],
  );
  return row === undefined ? null : personId(integer(row, "id"));
}

async function putFactor(
  sql: Sql,
  id: PersonId,
  sealed: string,
  step: number,
  codes: readonly string[],
): Promise<void> {
  await sql.run("UPDATE accounts SET sealed = ?, step = ? WHERE id = ?", [sealed, step, id]);
  await sql.run("DELETE FROM recovery_codes WHERE account = ?", [id]);
  const rows = codes.map((hash) => [id, hash]);
  await insertRows(sql, "INSERT INTO recovery_codes (account, hash)", rows, "");
}

const accountOf = (row: Row): AccountRow => ({
  id: personId(integer(row, "id")),
  name: text(row, "name"),
  email: text(row, "email"),
  role: roleOf(text(row, "role")),
  timeZone: text(row, "time_zone"),
  password: text(row, "password"),
  sealed: text(row, "sealed"),
  passkeys: integer(row, "passkeys"),
  joinedAt: optionalInstant(row, "joined_at"),
  disabledAt: optionalInstant(row, "disabled_at"),
  seenAt: optionalInstant(row, "seen_at"),
  createdAt: epochMillis(integer(row, "created_at")),
  linkUntil: optionalInstant(row, "link_until"),
});

/** A word that this program does not know may do the least. */
const roleOf = (word: string): Role => roles.find((one) => one === word) ?? "reader";
