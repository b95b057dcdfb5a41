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

/** Days of some monitors, each once: what is at one place of each list is of one of them. */
export interface ListedDays {
  /** Of the first of them. */
  readonly begin: EpochMillis;
  readonly monitors: readonly number[];
  readonly known: readonly number[];
  readonly checks: readonly number[];
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
): Promise<readonly ListedDays[]> {
  const read = async (there: WhatIsThere, days: DayRows): Promise<readonly ListedDays[]> => {
    const wanted = new Set<number>(there.monitors);
    const rows = await lookedUp(sql, there, range, listsOf(sql, days));
    return rows.map((row) => ({
      monitors: numbersIn(row, "monitors"),
      known: numbersIn(row, "known"),
      checks: numbersIn(row, "checks"),
      apart: apartIn(row).filter(({ monitor }) => wanted.has(monitor)),
      wanted,
      begin: range.from,
    }));
  };
  return [...(await read(ofOne, eachDayOfOne)), ...(await read(ofSeveral, eachDay))];
}

/** A condition costs as much as a list: there is one, for all that is said of the days apart. */
const listsOf = ({ words }: Sql, { select, rest }: DayRows): DayRows => ({
  select: `SELECT ${words.list("monitor")} AS monitors, ${words.list("known")} AS known, ${words.list("checks")} AS checks,
    COALESCE(STRING_AGG(${apartColumns.join(" || ',' || ")}, ';')${filterOf(isApart)}, '') AS apart FROM (${select}`,
  rest: `${rest}) AS days`,
  isJoined: true,
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
