import { type Actor, actorWords, type Authorship, type Basis } from "#service/store/audit/actor";
import { continueChain } from "#service/store/audit/chain-end";
import type { AuditDeed } from "#service/store/audit/audit-log";
import { isEventKind, type LoggedEvent, type Subject } from "#service/store/audit/audited";
import { fieldChanges, instantText, type ObjectState } from "#service/store/audit/field-change";
import { FieldDigest } from "#service/store/audit/field-digest";
import { agentFields } from "#service/store/audit/agent-event";
import { subscriberFields } from "#service/store/audit/subscriber-event";
import { factsOf } from "#service/store/audit/session-event";
import { auditedTables, statesOf } from "#service/store/audit/object-states";
import { allAmong, insertRows, integer, type Sql, type SqlValue, text } from "#service/store/sql";
import { chainAfter, hashOfText } from "#machine/hash-chain";
import { StoreFault } from "#service/store/store-fault";
import type { Verb } from "#service/store/verb";
import { keptOf, throwAway } from "#service/store/trash/throwing-away";
import { epochMillis, type EpochMillis } from "#base/units";

/**
 * Does a verb and records what it changed, in its own transaction: a change without its entry is undone with it. The
 * objects are read before and after, so the entry says what became of them, whatever the verb was asked.
 */
export async function doRecorded<A extends readonly unknown[], R>(
  { audit, work }: Verb<A, R>,
  sql: Sql,
  args: A,
  { actor, basis, isRehearsal, isUndo }: Authorship,
): Promise<R> {
  if (audit.records === "nothing") return work(sql, ...args);
  if (audit.records === "events") {
    const kept = await keptOf(sql, audit.gone(...args), new Map());
    const value = await work(sql, ...args);
    const events = audit.events(value, ...args);
    if (events.length === 0) return value;
    // Makes the log's head if this is its first entry.
    await FieldDigest.of(sql);
    const by = await dated(sql, actor);
    await throwAway(sql, kept, new Map(), { at: by.at, by: actorWords(actor) });
    await write(sql, events.map(changeOf), by);
    return value;
  }
  const there = await audit.before(sql, ...args);
  await lockRows(sql, there);
  if (basis !== null) await refuseOvertaken(sql, basis);
  const digest = await FieldDigest.of(sql);
  const before = await statesOf(sql, there, digest);
  const kept = await keptOf(sql, audit.gone(...args), before);
  const value = await work(sql, ...args);
  const all = [...there, ...audit.made(value, ...args)];
  const after = await statesOf(sql, all, digest);
  const changed = isUndo || audit.undoes(...args) ? "undone" : "changed";
  const changes = changesOf(all, { before, after, made: audit.deed, changed });
  if (isRehearsal) throw new StoreFault("rehearsed", JSON.stringify(changes));
  const by = await dated(sql, actor);
  // A verb that gives false did nothing.
  if (value !== false) await throwAway(sql, kept, after, { at: by.at, by: actorWords(actor) });
  await write(sql, changes, by);
  return value;
}

/**
 * Who changes the same at the same time waits here, so that what is read before is what is changed. The table's lock
 * comes first: an apply takes it from the beginning, and each would else wait for the other.
 */
async function lockRows(sql: Sql, all: readonly Subject[]): Promise<void> {
  if (sql.words.engine === "sqlite") return;
  for (const [kind, some] of Map.groupBy(all, (one) => one.kind)) {
    if (isEventKind(kind)) continue;
    const { is, key } = auditedTables[kind];
    const ids = [...new Set(some.map(({ id }) => id))];
    const values = kind === "setting" ? ids.toSorted() : ids.map(Number).toSorted((a, b) => a - b);
    await sql.all(`LOCK TABLE ${is} IN ROW EXCLUSIVE MODE`);
    // In portions: one statement has at most 65,535 values.
    const select = `SELECT ${key} FROM ${is} WHERE ${key} IN (*) ORDER BY ${key}`;
    await allAmong(sql, `${select}${sql.words.forUpdate}`, [], values);
  }
}

/** The newest number of an object's entries. */
export async function versionOf(sql: Sql, { kind, id }: Subject): Promise<number> {
  const [row] = await sql.all(
    "SELECT MAX(number) AS number FROM audit_entries WHERE kind = ? AND subject = ?",
    [kind, id],
  );
  return integer(row, "number");
}

async function refuseOvertaken(sql: Sql, basis: Basis): Promise<void> {
  if ((await versionOf(sql, basis)) > basis.version)
    throw new StoreFault("overtaken", "someone else changed it meanwhile");
}

export interface ObjectChange {
  readonly subject: Subject;
  readonly deed: AuditDeed;
  readonly name: string;
  readonly fields: ReturnType<typeof fieldChanges>;
}

/** Objects before and after the work, and what it is called if it makes one or changes one. */
interface WorkStates {
  readonly before: ReadonlyMap<string, ObjectState>;
  readonly after: ReadonlyMap<string, ObjectState>;
  readonly made: AuditDeed;
  readonly changed: AuditDeed;
}

function changesOf(
  all: readonly Subject[],
  { before, after, made, changed }: WorkStates,
): readonly ObjectChange[] {
  const distinct = new Map(all.map((subject) => [`${subject.kind} ${subject.id}`, subject]));
  return [...distinct].flatMap(([word, subject]): readonly ObjectChange[] => {
    const [from, to] = [before.get(word) ?? null, after.get(word) ?? null];
    const fields = fieldChanges(from, to);
    if (fields.length === 0) return [];
    const deed = from === null ? made : to === null ? "deleted" : changed;
    return [{ subject, deed, name: (to ?? from)?.name ?? "", fields }];
  });
}

/** The same time for everything that is written of a change. */
type DatedActor = Actor & { readonly at: EpochMillis };

const dated = async (sql: Sql, actor: Actor): Promise<DatedActor> => ({
  ...actor,
  at: actor.at ?? (await databaseNow(sql)),
});

function changeOf(event: LoggedEvent): ObjectChange {
  if ("subscriber" in event) {
    const { page, id, name } = event.subscriber;
    const subject = { kind: "subscriber", id: `${page}.${id}` } as const;
    return { subject, deed: event.deed, name, fields: subscriberFields(event) };
  }
  if ("agent" in event) {
    const subject = { kind: "location", id: String(event.agent.location) } as const;
    return {
      subject,
      deed: event.deed,
      name: event.agent.locationName,
      fields: agentFields(event),
    };
  }
  const subject = { kind: "session", id: event.who } as const;
  return { subject, deed: event.deed, name: event.name, fields: factsOf(event) };
}

const databaseNow = async (sql: Sql): Promise<EpochMillis> =>
  epochMillis(integer((await sql.all(`SELECT ${sql.words.now} AS now`))[0], "now"));

/** Each entry names the hash of the one before, so that none can be taken out or changed unseen. */
async function write(sql: Sql, all: readonly ObjectChange[], actor: DatedActor): Promise<void> {
  if (all.length === 0) return;
  // Replicas write one after the other. The lock is a transaction's last, so none waits in a circle.
  const [head] = await sql.all(
    `SELECT number, hash, chain FROM audit_head WHERE one = 1${sql.words.forUpdate}`,
  );
  let number = integer(head, "number");
  let hash = text(head, "hash");
  const before = await continueChain(sql, { number, chain: text(head, "chain") });
  const { isWhole } = before;
  let { chain } = before;
  const written = writtenActor(actor);
  const rows = all.map((change): readonly SqlValue[] => {
    number += 1;
    const line = lineOf(change, { number, previous: hash }, written);
    hash = hashOfText(line);
    if (isWhole) chain = chainAfter(chain, hash);
    const { subject, name } = change;
    const link = isWhole ? chain : "";
    return [number, actor.at, subject.kind, subject.id, name, actorWords(actor), line, hash, link];
  });
  await insertRows(
    sql,
    "INSERT INTO audit_entries (number, at, kind, subject, name, actor, line, hash, chain)",
    rows,
    "",
  );
  await sql.run("UPDATE audit_head SET number = ?, hash = ?, chain = ? WHERE one = 1", [
    number,
    hash,
    chain,
  ]);
}

/** What all entries of one change have in common, as the log has it. */
function writtenActor({ kind, name, from, at }: DatedActor): string {
  const json = JSON.stringify({ at: instantText(at), who: { kind, name, from } });
  return json.slice(1, -1);
}

/** An entry as it is exported, without its own hash: what JSON.stringify writes of it. */
function lineOf(
  { subject, deed, name, fields }: ObjectChange,
  { number, previous }: { readonly number: number; readonly previous: string },
  written: string,
): string {
  const rest = JSON.stringify({ deed, ...subject, name, fields, previous });
  return `{"number":${number},${written},${rest.slice(1)}`;
}
