import { begunEarly, endedEarly } from "#service/alerting/ended-early";
import { isSkipped } from "#service/alerting/maintenance";
import type { MaintenanceRow, NewMaintenance } from "#service/store/maintenance-store";
import {
  type SaidTimes,
  type SaidWork,
  type SavedSaying,
  savedSaying,
} from "#service/store/news/saved-saying";
import { integerOf } from "#service/store/ids";
import { type Sql, text } from "#service/store/sql";
import type { EpochMillis } from "#base/units";
import { announce } from "#service/store/verbs/letter-rows";

/** Planned work as it is said, and when. */
type SaidPlan = SaidTimes &
  Pick<NewMaintenance, "page" | "components" | "at"> &
  Pick<MaintenanceRow, "movedEnds">;

/** Sends it to the subscribers of its page, where it stands on one. */
export async function announcePlan(sql: Sql, about: number, plan: SaidPlan): Promise<void> {
  await sayWork(sql, about, plan, saidNow(await lastSaid(sql, about), plan));
}

/** Writes letters about it, in the transaction that makes the news. A moment is said once: false if it was before. */
export async function sayWork(
  sql: Sql,
  about: number,
  plan: SaidPlan,
  said: SaidWork,
): Promise<boolean> {
  const page = integerOf(plan.page);
  if (page === null) return false;
  const { at } = plan;
  const components = componentsOf(plan);
  const saved: SavedSaying = {
    is: calledBy(said, plan),
    ...timesOf(plan),
    skipped: skippedOf(plan),
    early: earlyOf(plan),
    components,
  };
  const texts = { letter: JSON.stringify(said), tally: JSON.stringify(saved) };
  const isOnce = "window" in said;
  return announce(sql, { page, kind: "maintenance", about, components, at, ...texts, isOnce });
}

function saidNow(last: SavedSaying | null, plan: SaidPlan): SaidWork {
  if (last === null) return { is: "announced" };
  const before = timesOf(last);
  const isSame = JSON.stringify(before) === JSON.stringify(timesOf(plan));
  const components = otherComponents(last, plan);
  if (!isSame || isNewlyBegun(last, plan)) return { is: "changed", before, ...components };
  const known = last.skipped;
  const skipped = known === undefined ? [] : skippedOf(plan).filter((one) => !known.includes(one));
  return { is: "updated", ...(skipped.length === 0 ? {} : { skipped }), ...components };
}

/** Whether a date of what repeats began early, which was not said yet. */
function isNewlyBegun({ early = [] }: SavedSaying, { movedEnds, at }: SaidPlan): boolean {
  const begun = begunEarly(movedEnds, at);
  return begun !== undefined && !early.includes(begun.from);
}

/** Those that were said last, if they are known and others. */
function otherComponents(
  { components: last }: SavedSaying,
  plan: SaidPlan,
): { readonly components?: readonly number[] } {
  const now = new Set(componentsOf(plan));
  const isSame = last === undefined || now.symmetricDifference(new Set(last)).size === 0;
  return isSame ? {} : { components: last };
}

/** What lists of messages call it: by what a person says it may begin earlier, or be over, as its subject says. */
function calledBy(
  said: SaidWork,
  { from, to, recurrence, movedEnds, at }: SaidPlan,
): SaidWork["is"] {
  if (said.is !== "changed" && said.is !== "updated") return said.is;
  const isOver = recurrence === "" ? to <= at : endedEarly(movedEnds, at) !== null;
  if (isOver) return "ended";
  if (said.is === "updated") return said.is;
  const isBegun =
    recurrence === ""
      ? from <= at && said.before.from > at
      : begunEarly(movedEnds, at) !== undefined;
  return isBegun ? "begun" : said.is;
}

const componentsOf = ({ components }: SaidPlan): readonly number[] =>
  components.flatMap((id) => integerOf(id) ?? []);

const skippedOf = ({ movedEnds }: SaidPlan): readonly EpochMillis[] =>
  movedEnds.filter(isSkipped).map(({ from }) => from);

const earlyOf = ({ movedEnds }: SaidPlan): readonly EpochMillis[] =>
  movedEnds.flatMap(({ from, begins }) => (begins === undefined ? [] : [from]));

/** What was said of it last, with the times as they were then; null if nothing was, or that is not known any more. */
async function lastSaid(sql: Sql, about: number): Promise<SavedSaying | null> {
  const [row] = await sql.all(
    `SELECT said FROM news_tallies WHERE kind = 'maintenance' AND about = ? AND said <> ''
     ORDER BY at DESC LIMIT 1`,
    [about],
  );
  return row === undefined ? null : savedSaying(text(row, "said"));
}

const timesOf = ({ from, to, recurrence, timeZone }: SaidTimes): SaidTimes => ({
  from,
  to,
  recurrence,
  timeZone,
});
