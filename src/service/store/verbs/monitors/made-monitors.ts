import { altersEach, type Audit, makes, subjects } from "#service/store/audit/audited";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorPlaces } from "#service/store/monitor-change";
import { integer, type Sql } from "#service/store/sql";
import type { Monitors, NewMonitor } from "#service/store/state-store";
import { moving } from "#service/store/verbs/assignment-changes";
import { place, placesOf } from "#service/store/verbs/placed-monitors";

/** What is assigned is a part of the location. */
export const makesOne: Audit<Parameters<Monitors["create"]>, MonitorId> = {
  ...makes("monitor", (id: MonitorId) => id),
  before: async (_sql: Sql, _made: NewMonitor, places?: MonitorPlaces) =>
    places === undefined ? [] : placesOf(places),
};

/** The same of several: a place that many of them have is one object. */
export const makesEach: Audit<Parameters<Monitors["createEach"]>, readonly MonitorId[]> = {
  ...altersEach(async (_sql, all: Parameters<Monitors["createEach"]>[0]) => {
    const places = all.flatMap((one) => one.places ?? []);
    return placesOf({
      locations: [...new Set(places.flatMap(({ locations }) => locations))],
      channels: [...new Set(places.flatMap(({ channels }) => channels))],
    });
  }),
  made: (ids) => subjects("monitor", ids),
};

export async function create(
  sql: Sql,
  made: NewMonitor,
  places?: MonitorPlaces,
): Promise<MonitorId> {
  const { definition, at } = made;
  const [row] = await sql.all(
    `INSERT INTO monitors (uid, kind, active, definition, owner, labels, revision, created_at, updated_at)
       VALUES ('', ?, ?, ?, ?, ?, 1, ?, ?) RETURNING id`,
    [definition.kind, ...changeable(made), at, at],
  );
  const id = monitorId(integer(row, "id"));
  await sql.run(
    "INSERT INTO states (monitor, status, since, judge_at, memory) VALUES (?, 'unknown', ?, 0, '')",
    [id, at],
  );
  if (places !== undefined) await moving(sql, id, () => place(sql, id, places));
  return id;
}

export async function createEach(
  sql: Sql,
  all: Parameters<Monitors["createEach"]>[0],
): Promise<readonly MonitorId[]> {
  const ids: MonitorId[] = [];
  for (const { made, places } of all) ids.push(await create(sql, made, places));
  return ids;
}

/** What a change writes, in the order of the columns. */
export const changeable = ({
  definition,
  owner,
  labels,
}: NewMonitor): readonly (string | number)[] => [
  Number(definition.active),
  JSON.stringify(definition),
  owner,
  JSON.stringify(labels),
];
