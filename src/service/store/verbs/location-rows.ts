import { locationId, monitorId } from "#service/store/ids";
import { allAmong, integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import type {
  CountedLocation,
  LocationRow,
  LocationWithMonitors,
  Page,
} from "#service/store/state-store";
import type { NotedRefusal } from "#service/store/token-store";
import { epochMillis } from "#base/units";

/** A page of the locations, each with its monitors. */
export const locationsWithMonitors = async (
  sql: Sql,
  page: Page,
): Promise<readonly LocationWithMonitors[]> => withMonitors(sql, await pageOf(sql, page));

/** A page of the locations, each with the number of its monitors. */
export const countedLocations = async (sql: Sql, page: Page): Promise<readonly CountedLocation[]> =>
  counted(sql, await pageOf(sql, page));

const pageOf = (sql: Sql, { limit, offset }: Page): Promise<readonly Row[]> =>
  sql.all("SELECT * FROM locations ORDER BY id LIMIT ? OFFSET ?", [limit, offset]);

async function counted(sql: Sql, rows: readonly Row[]): Promise<readonly CountedLocation[]> {
  const counts = await allAmong(
    sql,
    "SELECT location, COUNT(monitor) AS count FROM assignments WHERE location IN (*) GROUP BY location",
    [],
    rows.map((row) => integer(row, "id")),
  );
  const of = new Map(counts.map((row) => [integer(row, "location"), integer(row, "count")]));
  return rows.map((row) => {
    const location = locationOf(row);
    return { ...location, monitorCount: of.get(location.id) ?? 0 };
  });
}

/** Locations with their monitors, in the order of ids. */
export async function withMonitors(
  sql: Sql,
  rows: readonly Row[],
): Promise<readonly LocationWithMonitors[]> {
  const assigned = await allAmong(
    sql,
    "SELECT location, monitor FROM assignments WHERE location IN (*)",
    [],
    rows.map((row) => integer(row, "id")),
  );
  const monitors = Map.groupBy(assigned, (row) => integer(row, "location"));
  return rows.map((row) => {
    const location = locationOf(row);
    const own = (monitors.get(location.id) ?? []).map((one) => monitorId(integer(one, "monitor")));
    return { ...location, monitors: own.toSorted((a, b) => a - b) };
  });
}

/** A location as its row says it. */
export function locationOf(row: Row): LocationRow {
  const metadata: Record<string, string> = JSON.parse(text(row, "metadata"));
  const labels: Record<string, string> = JSON.parse(text(row, "labels"));
  return {
    id: locationId(integer(row, "id")),
    uid: text(row, "uid"),
    name: text(row, "name"),
    metadata,
    labels,
    owner: text(row, "owner"),
    revision: text(row, "revision"),
    lastSeenAt: optionalInstant(row, "last_seen_at"),
    lastSeenBy: text(row, "last_seen_by") === "call" ? "call" : "heartbeat",
    stoppedAt: optionalInstant(row, "stopped_at"),
    refused: refusedIn(row),
    createdAt: epochMillis(integer(row, "created_at")),
    updatedAt: epochMillis(integer(row, "updated_at")),
  };
}

function refusedIn(row: Row): NotedRefusal | null {
  const at = optionalInstant(row, "refused_at");
  const tokenEndedAt = optionalInstant(row, "refused_token_end");
  if (at === null || tokenEndedAt === null) return null;
  return { at, tokenEndedAt, workingCallAt: optionalInstant(row, "working_call_at") };
}
