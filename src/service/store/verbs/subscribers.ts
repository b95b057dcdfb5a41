import { happens, unaudited } from "#service/store/audit/audited";
import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import { integer, type Row, type Sql } from "#service/store/sql";
import {
  type AddOutcome,
  type AskAnswer,
  type ForgottenAsks,
  isActive,
  type LeaverKind,
  type MailAsk,
  type NewSubscription,
  type SubscriberRow,
  type Subscribers,
  type SubscriberWay,
  type SubscriptionAsk,
} from "#service/store/subscriber-store";
import { lockPage, noteAsk, refusalOf } from "#service/store/news/page-asks";
import { askAgain } from "#service/store/news/asked-again";
import { changeSubscriber } from "#service/store/news/changed-subscriber";
import { putComponents } from "#service/store/news/subscriber-parts";
import { listSubscribers } from "#service/store/news/subscriber-list";
import { resumeSubscriber } from "#service/store/news/resumed-subscriber";
import { isFull } from "#service/store/news/subscriber-room";
import { lockSubscriber, restoreSubscriber } from "#service/store/trash/removed-subscriber";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { subscribersOf } from "#service/store/verbs/subscriber-rows";
import { concernedCount, insertLetter } from "#service/store/verbs/letter-rows";
import type { EpochMillis } from "#base/units";

const byReaders = unaudited(
  "a reader who has not confirmed gets nothing, and strangers could fill the log",
);

/** Readers to whom a page sends its news. */
export const subscribers: VerbsOf<Subscribers> = {
  ask: writes("subscribers.ask", "letters", byReaders, ask),
  askEntry: writes("subscribers.askEntry", "letters", byReaders, askEntry),
  enter: writes("subscribers.enter", null, byReaders, enter),
  add: writes(
    "subscribers.add",
    "letters",
    happens((value, _made, logged) => {
      if (value === "full" || value === "too often" || value.isAsked) return [];
      const deed = value.isNew ? "made" : "changed";
      return [{ deed, subscriber: { ...logged, id: value.id } }];
    }),
    add,
  ),
  confirm: writes(
    "subscribers.confirm",
    null,
    happens((isDone, id, _askedAt, _at, logged) =>
      isDone ? [{ deed: "made", subscriber: { ...logged, id } }] : [],
    ),
    async (
      sql,
      id: number,
      askedAt: EpochMillis,
      at: EpochMillis,
      _logged: LoggedSubscriber,
    ): Promise<boolean> =>
      (await sql.run(
        `UPDATE page_subscribers SET accepted_at = ?, unsubscribed_at = NULL, left_by_reader = 0, asked_at = NULL, refusals = 0,
           trouble = '', failing_since = NULL, ended_by_receiver = 0, updated_at = ? WHERE id = ? AND asked_at = ?`,
        [at, at, id, askedAt],
      )) === 1,
  ),
  choose: writes("subscribers.choose", null, byReaders, choose),
  change: writes(
    "subscribers.change",
    null,
    happens((outcome, id, _change, _at, logged) =>
      outcome === "changed" ? [{ deed: "changed", subscriber: { ...logged, id } }] : [],
    ),
    changeSubscriber,
  ),
  // A mail whose link is waited for is of no use any more.
  leave: writes(
    "subscribers.leave",
    null,
    happens((isDone, id, _at, _by, logged) =>
      isDone ? [{ deed: "deleted", subscriber: { ...logged, id } }] : [],
    ),
    leave,
  ),
  remove: writes(
    "subscribers.remove",
    null,
    happens(
      (isDone, id, _at, logged) =>
        isDone ? [{ deed: "deleted", subscriber: { ...logged, id } }] : [],
      (id, _at, { name }) => [{ kind: "subscriber", id: String(id), name }],
    ),
    end,
  ),
  restore: writes(
    "subscribers.restore",
    "letters",
    happens((outcome, id, _since, logged) =>
      outcome === "restored" ? [{ deed: "restored", subscriber: { ...logged, id } }] : [],
    ),
    restoreSubscriber,
  ),
  resume: writes(
    "subscribers.resume",
    null,
    happens((outcome, id, _at, logged) =>
      outcome === "resumed" ? [{ deed: "restored", subscriber: { ...logged, id } }] : [],
    ),
    resumeSubscriber,
  ),
  get: reads("subscribers.get", async (sql, id: number) =>
    one(sql, await sql.all("SELECT * FROM page_subscribers WHERE id = ?", [id])),
  ),
  ofMark: reads("subscribers.ofMark", ofMark),
  list: reads("subscribers.list", listSubscribers),
  concerned: reads("subscribers.concerned", concernedCount),
  forget: writes("subscribers.forget", null, unaudited("the service forgets what is old"), forget),
};

async function enter(
  sql: Sql,
  page: number,
  id: number,
  since: EpochMillis,
  at: EpochMillis,
): Promise<boolean> {
  const use =
    "UPDATE page_asks SET used_at = ? WHERE id = ? AND page = ? AND at >= ? AND used_at IS NULL";
  return (await sql.run(use, [at, id, page, since])) === 1;
}

async function ask(sql: Sql, asked: SubscriptionAsk): Promise<AskAnswer> {
  const { page, mark, at, locale, sealed, components } = asked;
  const refused = await refusalOf(sql, asked);
  if (refused !== null) return refused;
  // Before the address is looked at: what is answered shows nothing of it.
  if (await isFull(sql, page, "email")) return "full";
  const known = await ofMark(sql, page, "email", mark);
  const ask = await noteAsk(sql, asked, known?.unsubscribedAt ?? null);
  if (ask === null) return "taken";
  if (known !== null && isActive(known)) {
    await insertLetter(sql, { page, kind: "confirmation", subscriber: known.id, at });
    return "taken";
  }
  const row = { page, way: "email", mark, sealed, name: "", source: "self_signup" } as const;
  const id = await put(sql, known, { ...row, locale, components, at });
  await sql.run("UPDATE page_subscribers SET asked_at = ? WHERE id = ?", [at, id]);
  await insertLetter(sql, { page, kind: "confirmation", subscriber: id, at });
  return "taken";
}

async function askEntry(sql: Sql, asked: MailAsk): Promise<AskAnswer> {
  const { page, sealed, at } = asked;
  const refused = await refusalOf(sql, asked);
  if (refused !== null) return refused;
  const ask = await noteAsk(sql, asked, null);
  if (ask !== null) await insertLetter(sql, { page, kind: "entry", ask, sealed, at });
  return "taken";
}

async function add(
  sql: Sql,
  made: NewSubscription,
  _logged: LoggedSubscriber,
): Promise<AddOutcome> {
  await lockPage(sql, made.page);
  const known = await ofMark(sql, made.page, made.way, made.mark);
  if (known !== null && known.way === "email" && known.hasLeftItself)
    return askAgain(sql, known, made);
  const isNew = known === null || !isActive(known);
  if (isNew && (await isFull(sql, made.page, made.way))) return "full";
  const id = await put(sql, known, made);
  await sql.run(
    `UPDATE page_subscribers SET accepted_at = CASE WHEN accepted_at IS NULL OR unsubscribed_at IS NOT NULL THEN ? ELSE accepted_at END,
       unsubscribed_at = NULL, left_by_reader = 0, asked_at = NULL,
       refusals = 0, trouble = '', failing_since = NULL, ended_by_receiver = 0 WHERE id = ?`,
    [made.at, id],
  );
  return { id, isNew, isAsked: false };
}

/** Writes what is given over what is there; nothing is accepted by that. */
async function put(sql: Sql, known: SubscriberRow | null, made: NewSubscription): Promise<number> {
  const { page, way, mark, sealed, name, source, locale, components, at } = made;
  const values = [sealed, name, source, locale, Number(components === null), at];
  const id =
    known?.id ??
    integer(
      (
        await sql.all(
          `INSERT INTO page_subscribers (sealed, name, source, locale, is_whole, updated_at, page, way, mark, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
          [...values, page, way, mark, at],
        )
      )[0],
      "id",
    );
  if (known !== null)
    await sql.run(
      `UPDATE page_subscribers SET sealed = ?, name = ?, source = ?, locale = ?, is_whole = ?, updated_at = ?
       WHERE id = ?`,
      [...values, id],
    );
  await putComponents(sql, id, page, components);
  return id;
}

async function choose(
  sql: Sql,
  id: number,
  components: readonly number[] | null,
  at: EpochMillis,
): Promise<boolean> {
  const [row] = await sql.all(
    `UPDATE page_subscribers SET is_whole = ?, updated_at = ?
     WHERE id = ? AND accepted_at IS NOT NULL AND unsubscribed_at IS NULL RETURNING page`,
    [Number(components === null), at, id],
  );
  if (row === undefined) return false;
  await putComponents(sql, id, integer(row, "page"), components);
  return true;
}

async function leave(
  sql: Sql,
  id: number,
  at: EpochMillis,
  by: LeaverKind,
  logged: LoggedSubscriber,
): Promise<boolean> {
  await lockSubscriber(sql, id);
  await sql.run("DELETE FROM trash WHERE kind = 'subscriber' AND id = ?", [id]);
  const isDone = await end(sql, id, at, logged);
  // Also of one that an operator removed before: what its reader wants counts.
  if (by === "reader")
    await sql.run("UPDATE page_subscribers SET left_by_reader = 1 WHERE id = ?", [id]);
  return isDone;
}

async function end(
  sql: Sql,
  id: number,
  at: EpochMillis,
  _logged: LoggedSubscriber,
): Promise<boolean> {
  await sql.run("DELETE FROM page_letters WHERE subscriber = ?", [id]);
  // Also one that its receiver ended: no one takes that up again.
  const update = `UPDATE page_subscribers SET unsubscribed_at = ?, asked_at = NULL, updated_at = ?, ended_by_receiver = 0,
    left_by_reader = 0 WHERE id = ? AND (unsubscribed_at IS NULL OR ended_by_receiver = 1)`;
  return (await sql.run(update, [at, at, id])) === 1;
}

async function ofMark(
  sql: Sql,
  page: number,
  way: SubscriberWay,
  mark: string,
): Promise<SubscriberRow | null> {
  const select = "SELECT * FROM page_subscribers WHERE page = ? AND way = ? AND mark = ?";
  return one(sql, await sql.all(select, [page, way, mark]));
}

async function forget(
  sql: Sql,
  { unconfirmed, unsubscribed, asks, tallies }: ForgottenAsks,
): Promise<void> {
  await sql.run(
    `DELETE FROM page_subscribers WHERE (accepted_at IS NULL AND updated_at < ?)
       OR unsubscribed_at < ?`,
    [unconfirmed, unsubscribed],
  );
  await sql.run("DELETE FROM page_asks WHERE at < ?", [asks]);
  await sql.run("DELETE FROM news_tallies WHERE at < ?", [tallies]);
}

const one = async (sql: Sql, rows: readonly Row[]): Promise<SubscriberRow | null> =>
  (await subscribersOf(sql, rows))[0] ?? null;
