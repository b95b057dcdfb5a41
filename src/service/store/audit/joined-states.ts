import { type FieldState, instantText, type ObjectState } from "#service/store/audit/field-change";
import { isSkipped, type MovedWindow } from "#service/alerting/maintenance";
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
import { incidentOf } from "#service/store/verbs/incident-rows";
import { epochMillis } from "#base/units";

/* Objects of which parts are in tables of their own, read for many at once. */

export async function readLocations(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const assigned = await partsOf(sql, rows, {
    table: "assignments",
    of: "location",
    order: "monitor",
  });
  const tokens = await partsOf(sql, rows, {
    table: "location_tokens",
    of: "location",
    order: "hash",
  });
  return rows.map((row) => {
    const all = tokens(row);
    const newest = all.filter((one) => one["valid_until"] === null).map((one) => text(one, "hash"));
    // A token that ended stays in the table.
    const old = all
      .filter((one) => one["valid_until"] !== null)
      .map((one) => `${text(one, "hash")} ${String(one["valid_until"])}`);
    return stateOf(text(row, "name"), [
      ["name", digest.json(text(row, "name"))],
      ["metadata", jsonIn(row, "metadata", digest)],
      ["monitors", setOf(assigned(row), "monitor")],
      ["token", digest.secret(newest.join(" "))],
      ["old tokens", digest.secret(old.join(" "))],
      ...ownership(row, digest),
    ]);
  });
}

/** How often a comment was edited; left out of one that never was. */
function editsOf(comment: Row): NamedField {
  const edits = integer(comment, "edits");
  const value = edits === 0 ? "" : `edited ${edits === 1 ? "once" : `${edits} times`}`;
  return [`comment ${integer(comment, "id")}`, { is: "text", value }];
}

/** Of an incident people change who looks at it, how many comments it has, and those: what these say is in its timeline alone. */
export async function readIncidents(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const all = await allAmong(
    sql,
    "SELECT incident, id, edits FROM incident_comments WHERE incident IN (*) ORDER BY id",
    [],
    rows.map((row) => integer(row, "number")),
  );
  const comments = Map.groupBy(all, (row) => integer(row, "incident"));
  return rows.map((row) => {
    const own = comments.get(integer(row, "number")) ?? [];
    return stateOf(text(row, "name"), [
      ["acknowledged by", digest.json(incidentOf(row).acknowledged?.by ?? "")],
      ["acknowledged at", timeIn(row, "acknowledged_at")],
      ["comments", digest.json(own.length === 0 ? undefined : own.length)],
      ...own.map((one) => editsOf(one)),
    ]);
  });
}

export async function readPeople(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const passkeys = await partsOf(sql, rows, { table: "passkeys", of: "account", order: "id" });
  return rows.map((row) =>
    stateOf(text(row, "name"), [
      ["name", digest.json(text(row, "name"))],
      ["email", digest.json(text(row, "email"))],
      ["role", digest.json(text(row, "role"))],
      ["time zone", digest.json(text(row, "time_zone"))],
      ["password", digest.secret(text(row, "password"))],
      ["second factor", digest.secret(text(row, "sealed"))],
      ["passkeys", { is: "set", members: passkeys(row).map((one) => text(one, "name")) }],
      ["joined", timeIn(row, "joined_at")],
      ["disabled", timeIn(row, "disabled_at")],
      ["link", digest.secret(text(row, "link_hash"))],
      ["link ends", timeIn(row, "link_until")],
    ]),
  );
}

export async function readChannels(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const attached = await partsOf(sql, rows, {
    table: "channel_monitors",
    of: "channel",
    order: "monitor",
  });
  return rows.map((row) =>
    stateOf(text(row, "name"), [
      ["name", digest.json(text(row, "name"))],
      ["provider", digest.json(text(row, "provider"))],
      ["configuration", digest.secret(text(row, "fingerprint"))],
      ...fieldsIn(text(row, "rules"), digest),
      ["monitors", setOf(attached(row), "monitor")],
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
  const components = await partsOf(sql, rows, {
    table: "page_components",
    of: "page",
    order: "id",
  });
  const groups = await partsOf(sql, rows, { table: "page_groups", of: "page", order: "id" });
  const templates = await partsOf(sql, rows, { table: "page_templates", of: "page", order: "id" });
  return rows.map((row) => {
    const { title }: { readonly title: string } = JSON.parse(text(row, "definition"));
    return stateOf(title, [
      ...fieldsIn(text(row, "definition"), digest),
      // It is sealed anew each time that it is written, so it is another one if it is set again.
      ["password", digest.secret(text(row, "sealed"))],
      ...ownership(row, digest),
      ...groups(row).map((one): NamedField => [
        `group ${integer(one, "id")}`,
        digest.json({ name: text(one, "name"), open: integer(one, "default_open") === 1 }),
      ]),
      ...components(row).map((one): NamedField => [
        `component ${integer(one, "id")}`,
        digest.json(componentIn(one)),
      ]),
      ...templates(row).map((one): NamedField => [
        `template ${integer(one, "id")}`,
        digest.json({
          name: text(one, "name"),
          title: text(one, "title"),
          status: text(one, "status"),
          message: text(one, "message"),
          impacts: JSON.parse(text(one, "impacts")),
        }),
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
  const components = await partsOf(sql, rows, {
    table: "report_components",
    of: "report",
    order: "component",
  });
  const updates = await partsOf(sql, rows, { table: "report_updates", of: "report", order: "id" });
  return rows.map((row) => {
    return stateOf(text(row, "title"), [
      ["page", digest.json(String(integer(row, "page")))],
      ["title", digest.json(text(row, "title"))],
      ["status", digest.json(text(row, "status"))],
      ["components", setOf(components(row), "component")],
      ...updates(row).map((one): NamedField => [
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
  const updates = await partsOf(sql, rows, {
    table: "maintenance_updates",
    of: "maintenance",
    order: "id",
  });
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
      ["reminder", digest.json(integer(row, "reminds") === 1)],
      ["says its times", digest.json(integer(row, "says_times") === 1)],
      ["owner", digest.json(text(row, "owner"))],
      ...movedEndsIn(row),
      ...updates(row).map((one): NamedField => [
        `update ${integer(one, "id")}`,
        digest.json({
          at: instantText(epochMillis(integer(one, "at"))),
          message: text(one, "message"),
        }),
      ]),
    ]),
  );
}

/** Each time of what repeats that has another beginning or end than the others. */
function movedEndsIn(row: Row): readonly NamedField[] {
  const all: MovedWindow[] = JSON.parse(text(row, "moved_ends"));
  return all.map((one): NamedField => {
    const from = one.begins === undefined ? "" : `${instantText(one.begins)} to `;
    const value = isSkipped(one) ? "skipped" : `${from}${instantText(one.to)}`;
    return [`end of the time from: ${instantText(one.from)}`, { is: "text", value }];
  });
}

interface Parts {
  readonly table: string;
  /** The column that has the object's id, which is what the object is called. */
  readonly of: string;
  readonly order: string;
}

/** What belongs to each of these objects, read for all of them at once. */
async function partsOf(
  sql: Sql,
  objects: readonly Row[],
  { table, of, order }: Parts,
): Promise<(object: Row) => readonly Row[]> {
  const rows = await allAmong(
    sql,
    `SELECT * FROM ${table} WHERE ${of} IN (*) ORDER BY ${order}`,
    [],
    objects.map((row) => integer(row, "id")),
  );
  const byObject = Map.groupBy(rows, (row) => integer(row, of));
  return (object) => byObject.get(integer(object, "id")) ?? [];
}

/** Whose files it belongs to, and what they say of it. */
const ownership = (row: Row, digest: FieldDigest): readonly NamedField[] => [
  ["owner", digest.json(text(row, "owner"))],
  ["file labels", jsonIn(row, "labels", digest)],
];

const setOf = (rows: readonly Row[], column: string): FieldState => ({
  is: "set",
  members: rows.map((row) => String(integer(row, column))),
});
