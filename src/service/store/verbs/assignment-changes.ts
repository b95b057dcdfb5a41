import { randomBytes } from "node:crypto";
import * as storeLimits from "#limits/store-limits";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, insertRows, integer, type Row, type Sql, text } from "#service/store/sql";
import type { AssignmentChange } from "#service/store/assignment-change";

/*
 * Each change of what a location's agents are given makes another revision of the location, and is noted with the
 * revision before it. Such rows make a chain. Where one is missing, because a replica of an older version changed
 * something or because too much changed at once, agents are sent the whole.
 */

/** Revisions are only compared for being the same, so that a database put back from a backup cannot repeat one. */
export const newRevision = (): string => randomBytes(revisionBytes).toString("base64url");
const revisionBytes = 9;

/** As many at once: of a thousand, most of the time is in asking for them. */
function newRevisions(count: number): readonly string[] {
  const bytes = randomBytes(count * revisionBytes);
  return Array.from({ length: count }, (_, index) =>
    bytes.toString("base64url", index * revisionBytes, (index + 1) * revisionBytes),
  );
}

/** Does some work on one monitor that changes what its locations' agents are given, and notes that. */
export async function revising<R>(
  sql: Sql,
  monitor: MonitorId,
  work: () => Promise<R>,
): Promise<R> {
  const before = await runningAt(sql, monitor);
  const done = await work();
  await revise(sql, monitor, before);
  return done;
}

/** The same where the work may move the monitor: the locations that it came to are to know as well. */
export async function moving<R>(sql: Sql, monitor: MonitorId, work: () => Promise<R>): Promise<R> {
  const before = await runningAt(sql, monitor);
  const done = await work();
  const came = (await runningAt(sql, monitor)).filter(
    ({ location }) => !before.some((one) => one.location === location),
  );
  await revise(sql, monitor, [...before, ...came.map((one) => ({ ...one, ran: false }))]);
  return done;
}

/** The same as `moving` of many monitors, which are locked with their locations. */
export async function movingEach<R>(
  sql: Sql,
  monitors: readonly MonitorId[],
  work: () => Promise<R>,
): Promise<R> {
  const before = await runningEach(sql, monitors);
  const done = await work();
  const known = new Set(before.map(placeWord));
  const came = (await runningEach(sql, monitors)).filter((one) => !known.has(placeWord(one)));
  const all = [...before, ...came.map((one) => ({ ...one, ran: false }))];
  for (const [location, places] of Map.groupBy(all, (one) => one.location))
    await reviseLocation(sql, location, places);
  return done;
}

const placeWord = ({ monitor, location }: RunningMonitor): string => `${monitor} ${location}`;

/** Notes a row a monitor, and writes the revision after the last one. */
async function reviseLocation(
  sql: Sql,
  location: LocationId,
  places: readonly RunningMonitor[],
): Promise<void> {
  const revisions = newRevisions(places.length);
  const last = revisions.at(-1) ?? newRevision();
  if (places.length > storeLimits.assignmentChangesMax) await beginChanges(sql, location, last);
  else
    await note(
      sql,
      places.map(({ monitor, revision, ran }, index) => [
        location,
        revisions[index - 1] ?? revision,
        revisions[index] ?? last,
        monitor,
        Number(ran),
      ]),
    );
  await sql.run("UPDATE locations SET revision = ? WHERE id = ?", [last, location]);
}

/** Notes that a monitor came to all of its locations, as one that is put back does. */
export const revisePutBack = async (sql: Sql, monitor: MonitorId): Promise<void> =>
  revise(
    sql,
    monitor,
    (await runningAt(sql, monitor)).map((one) => ({ ...one, ran: false })),
  );

interface RunningAt {
  readonly location: LocationId;
  readonly revision: string;
  readonly ran: boolean;
}

interface RunningMonitor extends RunningAt {
  readonly monitor: MonitorId;
}

async function runningEach(
  sql: Sql,
  monitors: readonly MonitorId[],
): Promise<readonly RunningMonitor[]> {
  const rows = await allAmong(
    sql,
    `SELECT assignments.monitor, locations.id, locations.revision, monitors.active
     FROM assignments JOIN locations ON locations.id = assignments.location
       JOIN monitors ON monitors.id = assignments.monitor
     WHERE assignments.monitor IN (*)`,
    [],
    monitors,
  );
  return rows.map((row) => ({ ...placeOf(row), monitor: monitorId(integer(row, "monitor")) }));
}

const placeOf = (row: Row): RunningAt => ({
  location: locationId(integer(row, "id")),
  revision: text(row, "revision"),
  ran: integer(row, "active") === 1,
});

/**
 * Where a monitor is assigned. The monitor and its locations stay as they are for others until the transaction ends. The
 * monitor is locked by itself: whoever assigns it locks it as well, so that the statement after that sees each location
 * that has it. A row of `assignments` is not locked: one that is written again would be missed.
 */
async function runningAt(sql: Sql, monitor: MonitorId): Promise<readonly RunningAt[]> {
  await sql.all(`SELECT id FROM monitors WHERE id = ?${sql.words.forUpdate}`, [monitor]);
  const rows = await sql.all(
    `SELECT locations.id, locations.revision, monitors.active
     FROM assignments JOIN locations ON locations.id = assignments.location
       JOIN monitors ON monitors.id = assignments.monitor
     WHERE assignments.monitor = ? ORDER BY locations.id${sql.words.forUpdateOf("locations")}`,
    [monitor],
  );
  return rows.map(placeOf);
}

async function revise(sql: Sql, monitor: MonitorId, places: readonly RunningAt[]): Promise<void> {
  if (places.length === 0) return;
  const revision = newRevision();
  await note(
    sql,
    places.map(({ location, revision: revised, ran }) => [
      location,
      revised,
      revision,
      monitor,
      Number(ran),
    ]),
  );
  const marks = places.map(() => "?").join(", ");
  await sql.run(`UPDATE locations SET revision = ? WHERE id IN (${marks})`, [
    revision,
    ...places.map(({ location }) => location),
  ]);
}

/** The log of a new location begins with its first revision. */
export const beginChanges = (sql: Sql, location: LocationId, revision: string): Promise<void> =>
  note(sql, [[location, "", revision, 0, 0]]);

/**
 * Notes what changed of a location as a whole: its monitors, or only its name. Gives its new revision, which the caller
 * writes.
 */
export async function locationRevised(
  sql: Sql,
  location: LocationId,
  { before, after }: { readonly before: LocationRuns; readonly after: LocationRuns },
): Promise<string> {
  const { revision: first } = before;
  const changed = [...before.monitors.keys(), ...after.monitors.keys()].filter(
    (monitor) => before.monitors.get(monitor) !== after.monitors.get(monitor),
  );
  const monitors = changed.length === 0 ? [0] : [...new Set(changed)];
  const last = newRevision();
  if (monitors.length > storeLimits.assignmentChangesMax) {
    await beginChanges(sql, location, last);
    return last;
  }
  let revised = first;
  const rows = monitors.map((monitor, index) => {
    const revision = index === monitors.length - 1 ? last : newRevision();
    const row = [location, revised, revision, monitor, Number(before.monitors.get(monitor) ?? 0)];
    revised = revision;
    return row;
  });
  await note(sql, rows);
  return last;
}

/** What a location has: whether each of its monitors is active. */
interface LocationRuns {
  readonly revision: string;
  readonly monitors: ReadonlyMap<number, boolean>;
}

/** The location stays as it is for others until the transaction ends. */
export async function runsOf(sql: Sql, location: LocationId): Promise<LocationRuns> {
  const [row] = await sql.all(`SELECT revision FROM locations WHERE id = ?${sql.words.forUpdate}`, [
    location,
  ]);
  return { revision: text(row, "revision"), monitors: await monitorsAt(sql, location) };
}

export async function monitorsAt(
  sql: Sql,
  location: LocationId,
): Promise<ReadonlyMap<number, boolean>> {
  const rows = await sql.all(
    `SELECT monitors.id, monitors.active FROM assignments
     JOIN monitors ON monitors.id = assignments.monitor WHERE assignments.location = ?`,
    [location],
  );
  return new Map(rows.map((row) => [integer(row, "id"), integer(row, "active") === 1]));
}

async function note(sql: Sql, rows: readonly (readonly (string | number)[])[]): Promise<void> {
  const head = "INSERT INTO assignment_changes (location, revised, revision, monitor, ran)";
  await insertRows(sql, head, rows, "");
}

/** What changed of a location's assignment since one of its revisions; null if that is not known any more. */
export async function changesSince(
  sql: Sql,
  location: LocationId,
  revision: string,
): Promise<readonly AssignmentChange[] | null> {
  const rows = await sql.all(
    `SELECT changes.revised, changes.revision, changes.monitor, changes.ran, locations.revision AS newest,
       CASE WHEN monitors.active = 1 THEN 1 ELSE 0 END AS runs
     FROM assignment_changes AS changes JOIN locations ON locations.id = changes.location
       LEFT JOIN assignments ON assignments.location = changes.location AND assignments.monitor = changes.monitor
       LEFT JOIN monitors ON monitors.id = assignments.monitor
     WHERE changes.location = ?
       AND changes.number >= (SELECT MAX(number) FROM assignment_changes WHERE location = ? AND revision = ?)
     ORDER BY changes.number LIMIT ?`,
    [location, location, revision, storeLimits.assignmentChangesMax + 2],
  );
  const [first, ...later] = rows;
  if (first === undefined || later.length > storeLimits.assignmentChangesMax) return null;
  return isChain(revision, later, text(first, "newest")) ? changesIn(later) : null;
}

function isChain(known: string, rows: readonly Row[], newest: string): boolean {
  let revision = known;
  for (const row of rows) {
    if (text(row, "revised") !== revision) return false;
    revision = text(row, "revision");
  }
  return revision === newest;
}

/** Each monitor once: how it was before the first of its changes, and how it is. */
function changesIn(rows: readonly Row[]): readonly AssignmentChange[] {
  const changes = new Map<number, AssignmentChange>();
  for (const row of rows) {
    const monitor = monitorId(integer(row, "monitor"));
    if (monitor === 0 || changes.has(monitor)) continue;
    const [ran, runs] = [integer(row, "ran") === 1, integer(row, "runs") === 1];
    changes.set(monitor, { monitor, ran, runs });
  }
  return [...changes.values()];
}

/** Forgets the changes past those that agents are sent. */
export async function forgetChanges(sql: Sql): Promise<void> {
  const full = await sql.all(
    "SELECT location FROM assignment_changes GROUP BY location HAVING COUNT(*) > ?",
    [storeLimits.assignmentChangesMax + 1],
  );
  for (const row of full) {
    const location = integer(row, "location");
    await sql.run(
      `DELETE FROM assignment_changes WHERE location = ? AND number <
         (SELECT number FROM assignment_changes WHERE location = ? ORDER BY number DESC LIMIT 1 OFFSET ?)`,
      [location, location, storeLimits.assignmentChangesMax],
    );
  }
}
