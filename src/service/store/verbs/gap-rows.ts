import { type LocationId, locationId } from "#service/store/ids";
import type { Gap, GapsQuery, MissedSlot } from "#service/store/result-store";
import { insertRows, integer, type Row, type Sql, type SqlValue, text } from "#service/store/sql";
import { whatIsThere } from "#service/store/verbs/what-is-there";
import * as storeLimits from "#limits/store-limits";
import { epochMillis } from "#base/units";

/** Stretches in which nothing was learned of a monitor, because its location was broken: adds slots to them. */
export async function addToGaps(
  sql: Sql,
  location: LocationId,
  missed: readonly MissedSlot[],
): Promise<void> {
  const rows: SqlValue[][] = [];
  for (const [monitor, own] of Map.groupBy(missed, (one) => one.monitor)) {
    const ordered = own.toSorted((a, b) => a.slot - b.slot);
    const last = await lastBefore(sql, monitor, location, ordered.at(-1)?.slot ?? 0);
    for (const { from, to, slots, excuse } of changedBy(ordered, last, location))
      rows.push([monitor, location, from, to, slots, excuse.causeId, excuse.sentence]);
  }
  await insertRows(
    sql,
    "INSERT INTO gaps (monitor, location, slot, last_slot, slots, cause, sentence)",
    rows,
    `ON CONFLICT (monitor, location, slot) DO UPDATE SET last_slot = excluded.last_slot, slots = excluded.slots,
       sentence = excluded.sentence`,
  );
}

/** The gaps that slots in order make longer, or begin. */
function changedBy(
  ordered: readonly MissedSlot[],
  last: Gap | null,
  location: LocationId,
): IteratorObject<Gap> {
  const changed = new Map<number, Gap>();
  let gap = last;
  for (const one of ordered) {
    if (gap !== null && one.slot >= gap.from && one.slot <= gap.to) continue;
    gap = gap !== null && follows(gap, one) ? longer(gap, one) : begun(location, one);
    changed.set(gap.from, gap);
  }
  return changed.values();
}

const follows = (gap: Gap, { slot, period, excuse }: MissedSlot): boolean =>
  gap.excuse.causeId === excuse.causeId && slot > gap.to && slot - gap.to <= period;

const longer = (gap: Gap, { slot, excuse }: MissedSlot): Gap => ({
  ...gap,
  to: slot,
  slots: gap.slots + 1,
  excuse,
});

const begun = (location: LocationId, { slot, excuse }: MissedSlot): Gap => ({
  location,
  from: slot,
  to: slot,
  slots: 1,
  excuse,
});

async function lastBefore(
  sql: Sql,
  monitor: number,
  location: LocationId,
  slot: number,
): Promise<Gap | null> {
  const [row] = await sql.all(
    "SELECT * FROM gaps WHERE monitor = ? AND location = ? AND slot <= ? ORDER BY slot DESC LIMIT 1",
    [monitor, location, slot],
  );
  return row === undefined ? null : gapOf(row);
}

/** Those of which a part lies in what is asked for. */
export async function gapsOf(
  sql: Sql,
  { monitor, location, from, to }: GapsQuery,
): Promise<readonly Gap[]> {
  const there = await whatIsThere(sql, [monitor]);
  if (there.monitors.length === 0) return [];
  const rows = await sql.all(
    `SELECT * FROM gaps WHERE monitor = ? AND slot < ? AND last_slot >= ?
       AND ${there.condition}${location === null ? "" : " AND location = ?"}
     ORDER BY slot DESC LIMIT ?`,
    [monitor, to, from, ...(location === null ? [] : [location]), storeLimits.gapsShownMax],
  );
  return rows.map(gapOf);
}

const gapOf = (row: Row): Gap => ({
  location: locationId(integer(row, "location")),
  from: epochMillis(integer(row, "slot")),
  to: epochMillis(integer(row, "last_slot")),
  slots: integer(row, "slots"),
  excuse: { causeId: text(row, "cause"), sentence: text(row, "sentence") },
});
