import type { DaysQuery } from "#service/store/result-store";
import { filterOf, numbersIn, type Row, type Sql, text } from "#service/store/sql";
import {
  type DayRows,
  eachDay,
  eachDayOfOne,
  lookedUp,
  type Places,
} from "#service/store/verbs/days/looked-up-days";
import type { WhatIsThere } from "#service/store/verbs/what-is-there";
import { type EpochMillis, hours } from "#base/units";

type ListedColumn = "monitor" | "begin" | "known" | "checks" | "slow" | "errors";
type Listing = "sums" | "days";
const columnsFor: Readonly<Record<Listing, readonly ListedColumn[]>> = {
  sums: ["monitor", "known", "checks"],
  days: ["monitor", "begin", "known", "checks", "slow", "errors"],
};

/** Days of some monitors, each once: what is at one place of each list is of one of them. A list that is not asked for is empty. */
export interface ListedDays {
  /** Of the first of them. */
  readonly begin: EpochMillis;
  readonly lists: Readonly<Record<ListedColumn, readonly number[]>>;
  /** Those of them that have downtime, or are longer than a day. */
  readonly apart: readonly Row[];
  /** Whose they are: the lists have days of others, too. */
  readonly wanted: ReadonlySet<number>;
}

/** Days that ended. */
export async function listedDays(
  sql: Sql,
  { ofOne, ofSeveral }: Places,
  range: Pick<DaysQuery, "from" | "to">,
  listing: Listing,
): Promise<readonly ListedDays[]> {
  const read = async (there: WhatIsThere, days: DayRows): Promise<readonly ListedDays[]> => {
    const wanted = new Set<number>(there.monitors);
    const rows = await lookedUp(sql, there, range, listsOf(sql, days, listing));
    return rows.map((row) => ({
      lists: listsIn(row, listing),
      apart: apartIn(row).filter(({ monitor }) => wanted.has(monitor)),
      wanted,
      begin: range.from,
    }));
  };
  return [...(await read(ofOne, eachDayOfOne)), ...(await read(ofSeveral, eachDay))];
}

/** A condition costs as much as a list: there is one, for all that is said of the days apart. */
function listsOf({ words }: Sql, { select, rest }: DayRows, listing: Listing): DayRows {
  const lists = columnsFor[listing].map((column) => `${words.list(column)} AS ${column}_list`);
  const apart = `STRING_AGG(${apartColumns.join(" || ',' || ")}, ';')${filterOf(isApart)}`;
  return {
    select: `SELECT ${lists.join(", ")}, COALESCE(${apart}, '') AS apart FROM (${select}`,
    rest: `${rest}) AS days`,
    isJoined: true,
  };
}

const nothing: ListedDays["lists"] = {
  monitor: [],
  begin: [],
  known: [],
  checks: [],
  slow: [],
  errors: [],
};

const listsIn = (row: Row, listing: Listing): ListedDays["lists"] => ({
  ...nothing,
  ...Object.fromEntries(
    columnsFor[listing].map((column) => [column, numbersIn(row, `${column}_list`)]),
  ),
});

const apartColumns = ["monitor", "begin", "known", "places", "downs"];
const isApart = `longest > 0 OR known > ${hours(24)}`;

const apartIn = (row: Row): readonly ApartDay[] =>
  text(row, "apart")
    .split(";")
    .filter((day) => day !== "")
    .map((day) => {
      const [monitor, begin, known, places, downs = ""] = day.split(",");
      return { monitor: Number(monitor), begin, known, places, downs };
    });

interface ApartDay extends Row {
  readonly monitor: number;
}
