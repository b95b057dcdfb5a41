import * as storeLimits from "#limits/store-limits";
import type { ActorKind } from "#service/store/audit/actor";
import { type AuditedKind, happens, unaudited } from "#service/store/audit/audited";
import { namesOf } from "#service/store/audit/logged-names";
import type {
  AuditDeed,
  AuditEntry,
  AuditLines,
  AuditLog,
  AuditProof,
  AuditQuery,
} from "#service/store/audit/audit-log";
import { chainEnd } from "#service/store/audit/chain-end";
import type { FieldChange } from "#service/store/audit/field-change";
import type { SessionEvent } from "#service/store/audit/session-event";
import { versionOf } from "#service/store/audit/recording";
import { integer, type Row, type Sql, type SqlValue, text } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** Who changed what and when, as it was recorded. */
export const auditEntries: VerbsOf<AuditLog> = {
  list: reads("audit.list", list),
  lines: reads("audit.lines", lines),
  proof: reads("audit.proof", proof),
  range: reads("audit.range", async (sql) => {
    const [row] = await sql.all(
      "SELECT MIN(number) AS oldest, MAX(number) AS newest FROM audit_entries",
    );
    return { oldest: integer(row, "oldest"), newest: integer(row, "newest") };
  }),
  names: reads("audit.names", namesOf),
  version: reads("audit.version", versionOf),
  note: writes(
    "audit.note",
    null,
    happens((_value, event) => [event]),
    async (_sql, _event: SessionEvent) => {},
  ),
  forget: writes("audit.forget", null, unaudited("the log forgets what is old"), forget),
};

async function list(sql: Sql, asked: AuditQuery): Promise<readonly AuditEntry[]> {
  const conditions: (readonly [text: string, value: SqlValue])[] = [
    ["number < ?", asked.before ?? Number.MAX_SAFE_INTEGER],
    ["number > ?", asked.after],
    ["at >= ?", asked.since],
    ...(asked.until === null ? [] : [["at < ?", asked.until] as const]),
    ...subjectConditions(asked),
    ...(asked.who === "" ? [] : [["LOWER(actor) LIKE ? ESCAPE '~'", part(asked.who)] as const]),
    ...(asked.name === "" ? [] : [["LOWER(name) LIKE ? ESCAPE '~'", part(asked.name)] as const]),
  ];
  const rows = await sql.all(
    `SELECT number, at, line FROM audit_entries WHERE ${conditions.map(([one]) => one).join(" AND ")}
     ORDER BY number DESC LIMIT ?`,
    [...conditions.map(([, value]) => value), Math.min(asked.limit, storeLimits.auditReadMax)],
  );
  return rows.map(entryOf);
}

/** Ids of subscribers begin with that of their page. */
function subjectConditions({
  kind,
  id,
  withSubscribers = false,
}: AuditQuery): readonly (readonly [string, SqlValue])[] {
  if (withSubscribers && kind === "page" && id !== null && /^\d+$/.test(id))
    return [
      [`((kind = 'page' AND subject = ?) OR (kind = 'subscriber' AND subject LIKE '${id}.%'))`, id],
    ];
  return [
    ...(kind === null ? [] : [["kind = ?", kind] as const]),
    ...(id === null ? [] : [["subject = ?", id] as const]),
  ];
}

/** What a text has anywhere, in any letters. */
const part = (text: string): string =>
  `%${text.toLowerCase().replaceAll(/[~%_]/g, (sign) => `~${sign}`)}%`;

function entryOf(row: Row): AuditEntry {
  const { who, deed, kind, id, name, fields }: WrittenEntry = JSON.parse(text(row, "line"));
  return {
    number: integer(row, "number"),
    at: epochMillis(integer(row, "at")),
    who,
    deed,
    subject: { kind, id },
    name,
    fields,
  };
}

interface WrittenEntry {
  readonly who: { readonly kind: ActorKind; readonly name: string; readonly from: string };
  readonly deed: AuditDeed;
  readonly kind: AuditedKind;
  readonly id: string;
  readonly name: string;
  readonly fields: readonly FieldChange[];
}

async function lines(
  sql: Sql,
  after: number,
  since: EpochMillis,
  limit: number,
): Promise<AuditLines> {
  const rows = await sql.all(
    "SELECT number, line, hash, chain FROM audit_entries WHERE number > ? AND at >= ? ORDER BY number LIMIT ?",
    [after, since, limit],
  );
  const last = rows.at(-1);
  return {
    lines: rows.map((row) => exportedLine(row)),
    next: last === undefined || rows.length < limit ? null : integer(last, "number"),
  };
}

/** The hash is of the bytes before it, with the bracket that closes them. Old entries have no head of the chain. */
function exportedLine(row: Row): string {
  const [line, hash, chain] = [text(row, "line"), text(row, "hash"), text(row, "chain")];
  const head = chain === "" ? "" : `,"chain":"${chain}"`;
  return `${line.slice(0, -1)},"hash":"${hash}"${head}}`;
}

/**
 * The head is read first: what is written meanwhile comes with the next question. So do newest entries to which the chain
 * was not continued yet.
 */
async function proof(sql: Sql, after: number, limit: number): Promise<AuditProof> {
  const [head] = await sql.all("SELECT number, chain FROM audit_head WHERE one = 1");
  const end = { number: integer(head, "number"), chain: text(head, "chain") };
  const newest = { ...(await chainEnd(sql, end)), hashes: [] };
  if (after <= 0 || after >= newest.number) return newest;
  const rows = await sql.all(
    `SELECT number, hash, chain FROM audit_entries WHERE number > ? AND number <= ?
     ORDER BY number LIMIT ?`,
    [after, newest.number, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) return newest;
  return {
    number: integer(last, "number"),
    chain: text(last, "chain"),
    hashes: rows.map((row) => text(row, "hash")),
  };
}

/** The oldest go, and nothing from between: what is left is a chain. */
async function forget(sql: Sql, before: EpochMillis): Promise<boolean> {
  const [head] = await sql.all("SELECT number FROM audit_head WHERE one = 1");
  const surplus = integer(head, "number") - storeLimits.auditEntriesMax;
  const [kept] = await sql.all(
    "SELECT number FROM audit_entries WHERE at >= ? AND number > ? ORDER BY number LIMIT 1",
    [before, surplus],
  );
  const end = kept === undefined ? Number.MAX_SAFE_INTEGER : integer(kept, "number");
  const count = await sql.run(
    `DELETE FROM audit_entries WHERE number IN
       (SELECT number FROM audit_entries WHERE number < ? ORDER BY number LIMIT ?)`,
    [end, storeLimits.forgetRowsAtOnce],
  );
  return count === storeLimits.forgetRowsAtOnce;
}
