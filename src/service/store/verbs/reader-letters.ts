import { happens, unaudited } from "#service/store/audit/audited";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/status-limits";
import {
  allAmong,
  integer,
  optionalInstant,
  optionalInteger,
  type Row,
  type Sql,
  text,
} from "#service/store/sql";
import { type SubscriberEvent, subscriptionWords } from "#service/store/audit/subscriber-event";
import type {
  EndedSubscriber,
  Letter,
  LetterFate,
  Letters,
  SubscriberWay,
} from "#service/store/subscriber-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { saidIn } from "#service/store/news/saved-saying";
import { sayMoments, workDue } from "#service/store/news/work-moment-rows";
import { newsOf, talliedColumns, talliesOf, tally } from "#service/store/news/tally-rows";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";
import { takeKeptLetter } from "#service/store/trash/kept-letters";
import type { CancelledWork } from "#service/store/trash/cancelled-work";
import { wayOfCancellation } from "#service/store/verbs/letter-rows";
import { updatesOf } from "#service/store/verbs/maintenance-updates";
import { maintenanceOf } from "#service/store/verbs/planned-work";
import { reportsOf } from "#service/store/news/report-rows";
import { subscribersOf } from "#service/store/verbs/subscriber-rows";
import { epochMillis, type EpochMillis } from "#base/units";

/** What waits to be sent to the readers of status pages. */
export const letters: VerbsOf<Letters> = {
  due: reads(
    "letters.due",
    async (sql, way: SubscriberWay, now: EpochMillis) =>
      (await sql.all(dueOnes(sql), [...waysOf(way), now, 1])).length > 0,
  ),
  claim: writes("letters.claim", null, unaudited("it is the courier's own work"), claim),
  settle: writes("letters.settle", null, happens(endEvents), settle),
  release: writes(
    "letters.release",
    null,
    unaudited("it is the courier's own work"),
    async (sql, holder: string) => {
      await sql.run("UPDATE page_letters SET holder = '', held_until = 0 WHERE holder = ?", [
        holder,
      ]);
    },
  ),
  tallies: reads("letters.tallies", talliesOf),
  workDue: reads("letters.workDue", workDue),
  sayMoments: writes(
    "letters.sayMoments",
    "letters",
    unaudited("a person said before that it is to be sent"),
    sayMoments,
  ),
  waiting: reads("letters.waiting", async (sql) => {
    const select = "SELECT COUNT(*) AS count, MIN(created_at) AS oldest FROM page_letters";
    const [row] = await sql.all(select);
    const oldest = row === undefined ? null : optionalInstant(row, "oldest");
    return { count: integer(row, "count"), oldest };
  }),
};

/** Where the service ends a subscription itself. One whose address cannot be read here is called by its number. */
function endEvents(
  ended: EndedSubscriber | null,
  _holder: string,
  _id: number,
  _fate: LetterFate,
  _at: EpochMillis,
  called = "",
): readonly SubscriberEvent[] {
  if (ended === null) return [];
  const name = called === "" ? subscriptionWords(ended) : called;
  return [{ deed: "deleted", subscriber: { ...ended, name } }];
}

/** Of one subscriber the oldest first: what came later is not read before it. */
const dueOnes = ({ words }: Sql): string =>
  `SELECT id FROM page_letters WHERE way IN (?, ?) AND due_at <= ? AND held_until <= ${words.now}
     AND NOT EXISTS (SELECT 1 FROM page_letters AS earlier
       WHERE earlier.subscriber = page_letters.subscriber AND earlier.id < page_letters.id)
   ORDER BY due_at, id LIMIT ?`;

const waysOf = (way: SubscriberWay): readonly string[] => [way, wayOfCancellation(way)];

async function claim(
  sql: Sql,
  holder: string,
  way: SubscriberWay,
  now: EpochMillis,
): Promise<readonly Letter[]> {
  const select = `${dueOnes(sql)} ${sql.words.forUpdateIfFree}`;
  const due = await sql.all(select, [...waysOf(way), now, limits.lettersAtOnce]);
  const ids = due.map((row) => integer(row, "id"));
  for (const id of ids)
    await sql.run(
      `UPDATE page_letters SET holder = ?, held_until = ${sql.words.now} + ? WHERE id = ?`,
      [holder, limits.letterClaim, id],
    );
  const rows = await allAmong(sql, "SELECT * FROM page_letters WHERE id IN (*)", [], ids);
  return lettersOf(sql, rows);
}

function cancelledIn(letter: Row): CancelledWork | null {
  if (text(letter, "kind") !== "cancellation") return null;
  const work: CancelledWork = JSON.parse(text(letter, "sealed"));
  return work;
}

/** With what they are about. */
async function lettersOf(sql: Sql, rows: readonly Row[]): Promise<readonly Letter[]> {
  const named = (column: string): readonly number[] =>
    rows.flatMap((row) => optionalInteger(row, column) ?? []);
  const all = (table: string, ids: readonly number[]): Promise<readonly Row[]> =>
    allAmong(sql, `SELECT * FROM ${table} WHERE id IN (*)`, [], ids);
  const readers = await subscribersOf(sql, await all("page_subscribers", named("subscriber")));
  const subscriberOf = new Map(readers.map((one) => [one.id, one]));
  const updates = await all("report_updates", named("report_update"));
  const reportOf = new Map(updates.map((row) => [integer(row, "id"), integer(row, "report")]));
  const reports = await reportsOf(sql, await all("reports", [...reportOf.values()]));
  const plans = (await all("maintenances", named("maintenance"))).map(maintenanceOf);
  const said = await updatesOf(sql, named("maintenance"));
  return rows
    .toSorted((a, b) => integer(a, "id") - integer(b, "id"))
    .flatMap((row): readonly Letter[] => {
      const facts = {
        id: integer(row, "id"),
        page: integer(row, "page"),
        createdAt: epochMillis(integer(row, "created_at")),
        attempts: integer(row, "attempts"),
      };
      const subscriber = subscriberOf.get(integer(row, "subscriber"));
      if (subscriber === undefined)
        return [{ ...facts, of: "entry", sealed: text(row, "sealed"), ask: integer(row, "ask") }];
      const work = cancelledIn(row);
      if (work !== null) return [{ ...facts, of: "cancellation", subscriber, work }];
      const update = integer(row, "report_update");
      const report = reports.find(({ id }) => id === reportOf.get(update));
      if (report !== undefined) return [{ ...facts, of: "report", subscriber, report, update }];
      const maintenance = plans.find(({ id }) => id === integer(row, "maintenance"));
      if (maintenance !== undefined) {
        const update = said.get(maintenance.id)?.find(isOf(facts.createdAt));
        const worded = { ...maintenance, message: update?.message ?? maintenance.message };
        const why = saidIn(text(row, "sealed"));
        return [{ ...facts, of: "maintenance", subscriber, maintenance: worded, said: why }];
      }
      return [{ ...facts, of: "confirmation", subscriber }];
    });
}

/** A letter about an update was made with it, in one transaction. */
const isOf =
  (at: EpochMillis) =>
  ({ createdAt }: MaintenanceUpdate): boolean =>
    createdAt === at;

/** Only by who holds it: another has it after a while. */
async function settle(
  sql: Sql,
  holder: string,
  id: number,
  fate: LetterFate,
  at: EpochMillis,
  _called?: string,
): Promise<EndedSubscriber | null> {
  if (fate.is === "later") {
    const [row] = await sql.all(
      `UPDATE page_letters SET due_at = ?, attempts = attempts + 1, holder = '', held_until = 0
       WHERE id = ? AND holder = ? RETURNING subscriber, attempts, ${talliedColumns}`,
      [fate.dueAt, id, holder],
    );
    await tally(sql, row, fate, at);
    const { trouble } = fate;
    if (trouble !== null) await noteTrouble(sql, row, trouble, at);
    return null;
  }
  const row = await takenLetter(sql, holder, id);
  await tally(sql, row, fate, at);
  switch (fate.is) {
    case "dropped":
      return null;
    case "sent":
      await noteTrouble(sql, row, "", at);
      return null;
    case "refused":
    case "ended":
      await noteTrouble(sql, row, fate.trouble, at);
      return endRefused(sql, row, fate.is, at);
  }
}

/** What it is about may have been deleted meanwhile, and be put back while this looks for it in the trash. */
async function takenLetter(sql: Sql, holder: string, id: number): Promise<Row | undefined> {
  const take = async (): Promise<Row | undefined> =>
    (
      await sql.all(
        `DELETE FROM page_letters WHERE id = ? AND holder = ?
         RETURNING subscriber, attempts, ${talliedColumns}`,
        [id, holder],
      )
    )[0];
  return (await take()) ?? (await takeKeptLetter(sql, holder, id)) ?? (await take());
}

/** How its subscriber is, and what came of its newest news; none has one that is about a link to sign in. */
async function noteTrouble(
  sql: Sql,
  row: Row | undefined,
  trouble: string,
  at: EpochMillis,
): Promise<void> {
  const id = row === undefined ? null : optionalInteger(row, "subscriber");
  if (row === undefined || id === null) return;
  const table = "UPDATE page_subscribers SET";
  if (newsOf(row) !== null)
    await sql.run(`${table} last_sent_at = ?, last_sent_trouble = ? WHERE id = ?`, [
      at,
      trouble,
      id,
    ]);
  if (trouble === "")
    await sql.run(
      `${table} trouble = '', failing_since = NULL, refusals = 0 WHERE id = ? AND (refusals > 0 OR trouble <> '')`,
      [id],
    );
  else
    await sql.run(`${table} trouble = ?, failing_since = COALESCE(failing_since, ?) WHERE id = ?`, [
      trouble,
      at,
      id,
    ]);
}

/** Trying on harms the sender's name. Who never confirmed is forgotten at once. */
async function endRefused(
  sql: Sql,
  letter: Row | undefined,
  by: "refused" | "ended",
  at: EpochMillis,
): Promise<EndedSubscriber | null> {
  const id = letter === undefined ? null : optionalInteger(letter, "subscriber");
  if (id === null) return null;
  await sql.run("DELETE FROM page_subscribers WHERE id = ? AND accepted_at IS NULL", [id]);
  const enough = by === "ended" ? 1 : alertsLimits.recipientRefusalsMax;
  await sql.run("UPDATE page_subscribers SET refusals = refusals + 1 WHERE id = ?", [id]);
  const [ended] = await sql.all(
    `UPDATE page_subscribers SET unsubscribed_at = ?, asked_at = NULL, updated_at = ?, ended_by_receiver = 1
     WHERE id = ? AND unsubscribed_at IS NULL AND refusals >= ? RETURNING id, page, way`,
    [at, at, id, enough],
  );
  if (ended === undefined) return null;
  const way = text(ended, "way") === "webhook" ? "webhook" : "email";
  return { id, page: integer(ended, "page"), way };
}
