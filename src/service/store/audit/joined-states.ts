import { type FieldState, instantText, type ObjectState } from "#service/store/audit/field-change";
import type { FieldDigest } from "#service/store/audit/field-digest";
import {
  fieldsIn,
  jsonIn,
  listIn,
  type NamedField,
  stateOf,
  timeIn,
} from "#service/store/audit/state-fields";
import { allAmong, integer, optionalInteger, type Row, type Sql, text } from "#service/store/sql";
import { epochMillis } from "#base/units";

/* Objects of which parts are in tables of their own, read for many at once. */

export async function readLocations(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const ids = rows.map((row) => integer(row, "id"));
  const assigned = await rowsOf(
    sql,
    "location",
    "SELECT location, monitor FROM assignments WHERE location IN (*) ORDER BY monitor",
    ids,
  );
  const tokens = await rowsOf(
    sql,
    "location",
    "SELECT location, hash FROM location_tokens WHERE location IN (*) ORDER BY hash",
    ids,
  );
  return rows.map((row) => {
    const id = integer(row, "id");
    const hashes = (tokens.get(id) ?? []).map((one) => text(one, "hash"));
    return stateOf(text(row, "name"), [
      ["name", digest.json(text(row, "name"))],
      ["metadata", jsonIn(row, "metadata", digest)],
      ["monitors", setOf(assigned.get(id) ?? [], "monitor")],
      ["token", digest.secret(hashes.join(" "))],
      ["owner", digest.json(text(row, "owner"))],
      ["file labels", jsonIn(row, "labels", digest)],
    ]);
  });
}

export async function readChannels(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const attached = await rowsOf(
    sql,
    "channel",
    "SELECT channel, monitor FROM channel_monitors WHERE channel IN (*) ORDER BY monitor",
    rows.map((row) => integer(row, "id")),
  );
  return rows.map((row) =>
    stateOf(text(row, "name"), [
      ["name", digest.json(text(row, "name"))],
      ["provider", digest.json(text(row, "provider"))],
      ["configuration", digest.secret(text(row, "fingerprint"))],
      ...fieldsIn(text(row, "rules"), digest),
      ["monitors", setOf(attached.get(integer(row, "id")) ?? [], "monitor")],
      ["owner", digest.json(text(row, "owner"))],
      ["file labels", jsonIn(row, "labels", digest)],
    ]),
  );
}

/** With all that is on them. */
export async function readPages(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const ids = rows.map((row) => integer(row, "id"));
  const components = await rowsOf(
    sql,
    "page",
    "SELECT * FROM page_components WHERE page IN (*) ORDER BY id",
    ids,
  );
  const groups = await rowsOf(
    sql,
    "page",
    "SELECT * FROM page_groups WHERE page IN (*) ORDER BY id",
    ids,
  );
  return rows.map((row) => {
    const id = integer(row, "id");
    const { title }: { readonly title: string } = JSON.parse(text(row, "definition"));
    return stateOf(title, [
      ...fieldsIn(text(row, "definition"), digest),
      // It is sealed anew each time that it is written, so it is another one if it is set again.
      ["password", digest.secret(text(row, "sealed"))],
      ["owner", digest.json(text(row, "owner"))],
      ["file labels", jsonIn(row, "labels", digest)],
      ...(groups.get(id) ?? []).map((one): NamedField => [
        `group ${integer(one, "id")}`,
        digest.json({ name: text(one, "name"), open: integer(one, "default_open") === 1 }),
      ]),
      ...(components.get(id) ?? []).map((one): NamedField => [
        `component ${integer(one, "id")}`,
        digest.json(componentIn(one)),
      ]),
    ]);
  });
}

/** What says nothing is left out. */
const componentIn = (row: Row): object =>
  Object.fromEntries(
    Object.entries(componentFields(row)).filter(([, value]) => value !== null && value !== ""),
  );

const componentFields = (row: Row) => ({
  name: text(row, "name"),
  description: text(row, "description"),
  monitor: optionalInteger(row, "monitor"),
  order: integer(row, "place"),
  group: optionalInteger(row, "page_group"),
  groupOrder: integer(row, "group_place"),
});

export async function readReports(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const ids = rows.map((row) => integer(row, "id"));
  const components = await rowsOf(
    sql,
    "report",
    "SELECT report, component FROM report_components WHERE report IN (*) ORDER BY component",
    ids,
  );
  const updates = await rowsOf(
    sql,
    "report",
    "SELECT * FROM report_updates WHERE report IN (*) ORDER BY id",
    ids,
  );
  return rows.map((row) => {
    const id = integer(row, "id");
    return stateOf(text(row, "title"), [
      ["page", digest.json(String(integer(row, "page")))],
      ["title", digest.json(text(row, "title"))],
      ["status", digest.json(text(row, "status"))],
      ["components", setOf(components.get(id) ?? [], "component")],
      ...(updates.get(id) ?? []).map((one): NamedField => [
        `update ${integer(one, "id")}`,
        digest.json({
          status: text(one, "status"),
          at: instantText(epochMillis(integer(one, "at"))),
          message: text(one, "message"),
          impacts: JSON.parse(text(one, "impacts")),
        }),
      ]),
    ]);
  });
}

/** With what was said of each since. */
export async function readMaintenances(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const updates = await rowsOf(
    sql,
    "maintenance",
    "SELECT * FROM maintenance_updates WHERE maintenance IN (*) ORDER BY id",
    rows.map((row) => integer(row, "id")),
  );
  return rows.map((row) =>
    stateOf(text(row, "title"), [
      ["title", digest.json(text(row, "title"))],
      ["message", digest.json(text(row, "message"))],
      ["from", timeIn(row, "begins_at")],
      ["to", timeIn(row, "ends_at")],
      ["recurrence", digest.json(text(row, "recurrence"))],
      ["time zone", digest.json(text(row, "time_zone"))],
      ["page", digest.json(text(row, "page"))],
      ["components", listIn(row, "components")],
      ["monitors", listIn(row, "monitors")],
      ["locations", listIn(row, "locations")],
      ["notify", digest.json(integer(row, "notify") === 1)],
      ["owner", digest.json(text(row, "owner"))],
      ...(updates.get(integer(row, "id")) ?? []).map((one): NamedField => [
        `update ${integer(one, "id")}`,
        digest.json({
          at: instantText(epochMillis(integer(one, "at"))),
          message: text(one, "message"),
        }),
      ]),
    ]),
  );
}

/** What belongs to some objects, by the id of each. */
async function rowsOf(
  sql: Sql,
  column: string,
  select: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Row[]>> {
  return Map.groupBy(await allAmong(sql, select, [], ids), (row) => integer(row, column));
}

const setOf = (rows: readonly Row[], column: string): FieldState => ({
  is: "set",
  members: rows.map((row) => String(integer(row, column))),
});
