import { altersEach, subjects, unaudited } from "#service/store/audit/audited";
import { createHash } from "node:crypto";
import { policyUnwritten } from "#check/alert-policy";
import type { MonitorDefinition } from "#check/definition";
import {
  type ConfigurationStore,
  type ConfigurationWrites,
  type Estate,
  type ObjectKind,
  objectKinds,
  type Touch,
} from "#service/store/configuration-store";
import { channelId, locationId, monitorId } from "#service/store/ids";
import { insertRows, integer, type Row, type Sql, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { channels } from "#service/store/verbs/channels";
import { locationsWithMonitors } from "#service/store/verbs/location-rows";
import { locations } from "#service/store/verbs/locations";
import { monitors } from "#service/store/verbs/monitors";
import { componentGroups, pageComponents } from "#service/store/verbs/page-parts";
import { pageContents, statusPages } from "#service/store/verbs/pages";
import { idsOf, type NewIds, writePages } from "#service/store/verbs/page-writes";
import { channelKey, lockEstate, wholeEstate, windowKey } from "#service/store/verbs/estate-audit";
import { maintenances } from "#service/store/verbs/planned-work";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis } from "#base/units";

/** Everything that files may say of a service, read and changed as a whole. */
export const configuration: VerbsOf<ConfigurationStore> = {
  estate: reads("configuration.estate", estate),
  change: writes("configuration.change", "assignments", wholeEstate, change),
  touch: writes(
    "configuration.touch",
    null,
    unaudited("the change itself follows, and is recorded"),
    async (sql, kind, id, { deed, at, by }) => {
      const table = tables[kind];
      const [row] = await sql.all(
        `SELECT ${table.name} AS name, owner FROM ${table.is} WHERE id = ?`,
        [id],
      );
      const owner = text(row, "owner");
      if (row === undefined || owner === "") return;
      const name = kind === "monitor" ? nameIn(row) : text(row, "name");
      await sql.run("DELETE FROM touches WHERE kind = ? AND id = ?", [kind, id]);
      await sql.run(
        "INSERT INTO touches (kind, id, name, owner, deed, at, touched_by) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [kind, id, name, owner, deed, at, by],
      );
    },
  ),
  ownerOf: reads("configuration.ownerOf", async (sql, kind: ObjectKind, id: number) => {
    const [row] = await sql.all(`SELECT owner FROM ${tables[kind].is} WHERE id = ?`, [id]);
    return row === undefined ? null : text(row, "owner");
  }),
  own: writes(
    "configuration.own",
    null,
    altersEach(async (_sql, kind: ObjectKind, id: number) => subjects(kind, [id])),
    async (sql, kind, id, owner, expected) => {
      // A list that keeps what it read of a monitor reads it again when its revision is another.
      const revised = kind === "monitor" ? ", revision = revision + 1" : "";
      const update = `UPDATE ${tables[kind].is} SET owner = ?${revised} WHERE id = ? AND owner = ?`;
      return (await sql.run(update, [owner, id, expected])) === 1;
    },
  ),
};

const tables: { readonly [K in ObjectKind]: { readonly is: string; readonly name: string } } = {
  monitor: { is: "monitors", name: "definition" },
  location: { is: "locations", name: "name" },
  channel: { is: "channels", name: "name" },
  page: { is: "pages", name: "slug" },
  maintenance: { is: "maintenances", name: "title" },
};

function nameIn(row: Row): string {
  const { name }: { readonly name: string } = JSON.parse(text(row, "name"));
  return name;
}

async function estate(sql: Sql): Promise<Estate> {
  const everything = { limit: storeLimits.estateRowsMax, offset: 0 };
  const rows = {
    monitors: await monitors.list.work(sql, everything),
    locations: await locationsWithMonitors(sql, everything),
    channels: await channels.list.work(sql, everything),
    pages: await pageContents(sql),
    maintenances: (await maintenances.list.work(sql, null, everything)).maintenances,
  };
  const touches = (await sql.all("SELECT * FROM touches ORDER BY kind, id")).map(touchOf);
  return { ...rows, touches, revision: revisionOf(rows) };
}

/** Only what a file may say counts: neither when an agent last called, nor when a row was written. */
function revisionOf(
  rows: Pick<Estate, "monitors" | "locations" | "channels" | "pages" | "maintenances">,
): string {
  const hash = createHash("sha256");
  for (const { id, definition, owner, locations: places } of rows.monitors)
    hash.update(JSON.stringify([id, definition, owner, places]));
  for (const { id, name, metadata, owner, monitors: run } of rows.locations)
    hash.update(JSON.stringify([id, name, metadata, owner, run]));
  for (const { createdAt: _made, updatedAt: _at, ...row } of rows.channels)
    hash.update(JSON.stringify(row));
  for (const { page, components, groups } of rows.pages)
    for (const { createdAt: _made, updatedAt: _at, ...row } of [page, ...components, ...groups])
      hash.update(JSON.stringify(row));
  for (const one of rows.maintenances) {
    const {
      createdAt: _made,
      updatedAt: _at,
      plannedAt: _since,
      earlierPlans: _past,
      movedEnds: _moved,
      says: _says,
      ...row
    } = one;
    hash.update(JSON.stringify(row));
  }
  return hash.digest("base64url");
}

function touchOf(row: Row): Touch {
  const kind = objectKinds.find((one) => one === text(row, "kind"));
  if (kind === undefined) throw new TypeError(`the database has a touch of "${text(row, "kind")}"`);
  return {
    kind,
    id: integer(row, "id"),
    name: text(row, "name"),
    owner: text(row, "owner"),
    deed: text(row, "deed") === "deleted" ? "deleted" : "changed",
    at: epochMillis(integer(row, "at")),
    by: text(row, "touched_by"),
  };
}

async function change(
  sql: Sql,
  revision: string,
  wanted: ConfigurationWrites,
): Promise<ReadonlyMap<string, number> | null> {
  await lockEstate(sql);
  if ((await estate(sql)).revision !== revision) return null;
  const made: NewIds = new Map();
  await writeMonitors(sql, wanted.monitors, made);
  await writeLocations(sql, wanted, made);
  await writeChannels(sql, wanted, made);
  const gone = wanted.removals.flatMap(({ kind, id }) => (kind === "page" ? [id] : []));
  await writePages(sql, wanted.pages, gone, made);
  await writeMaintenances(sql, wanted.maintenances, made);
  for (const removal of wanted.removals) await remove(sql, removal);
  for (const { kind, id } of wanted.settled)
    await sql.run("DELETE FROM touches WHERE kind = ? AND id = ?", [kind, id]);
  return made;
}

/** All are made before any refers to another. */
async function writeMonitors(
  sql: Sql,
  all: ConfigurationWrites["monitors"],
  made: NewIds,
): Promise<void> {
  const fresh = all.filter(({ id }) => id === null);
  const keys = new Map(fresh.map(({ key, to }) => [wordOf(to.definition), key]));
  const rows = await insertRows(
    sql,
    "INSERT INTO monitors (uid, kind, active, definition, owner, labels, revision, created_at, updated_at)",
    fresh.map(({ to }) => [
      "",
      to.definition.kind,
      Number(to.definition.active),
      JSON.stringify(to.definition),
      to.owner,
      JSON.stringify(to.labels),
      1,
      to.at,
      to.at,
    ]),
    "RETURNING id, kind, definition",
  );
  for (const row of rows)
    made.set(keys.get(`${text(row, "kind")} ${text(row, "definition")}`) ?? "", integer(row, "id"));
  const at = fresh[0]?.to.at ?? 0;
  await insertRows(
    sql,
    "INSERT INTO states (monitor, status, since, judge_at, memory)",
    rows.map((row) => [integer(row, "id"), "unknown", at, 0, ""]),
    "",
  );
  for (const { key, id, to, dependsOn } of all) {
    if (id === null && dependsOn.length === 0) continue;
    const definition = dependent(to.definition, idsOf(dependsOn, made));
    const known = monitorId(id ?? made.get(key) ?? 0);
    await monitors.update.work(sql, known, { ...to, definition });
  }
}

const wordOf = (definition: MonitorDefinition): string =>
  `${definition.kind} ${JSON.stringify(definition)}`;

function dependent(definition: MonitorDefinition, ids: readonly number[]): MonitorDefinition {
  const { alerting } = definition;
  if (ids.length === 0 && alerting === null) return definition;
  return {
    ...definition,
    alerting: { ...(alerting ?? policyUnwritten), dependsOn: ids.map(String) },
  };
}

async function writeLocations(
  sql: Sql,
  { newLocations, locations: changed }: ConfigurationWrites,
  made: NewIds,
): Promise<void> {
  for (const { key, uid, made: wanted, token, monitors: refs } of newLocations) {
    const own = idsOf(refs, made).map(monitorId);
    const id = await locations.create.work(sql, { ...wanted, monitors: own }, token);
    await sql.run("UPDATE locations SET uid = ? WHERE id = ?", [uid, id]);
    made.set(key, id);
  }
  for (const { id, to, monitors: refs } of changed)
    await locations.update.work(sql, locationId(id), {
      ...to,
      monitors: idsOf(refs, made).map(monitorId),
    });
}

async function writeChannels(
  sql: Sql,
  { newChannels, channels: changed }: ConfigurationWrites,
  made: NewIds,
): Promise<void> {
  for (const { made: wanted, monitors: refs, locations: places } of newChannels)
    made.set(
      channelKey(wanted),
      await channels.create.work(sql, {
        ...wanted,
        rules: { ...wanted.rules, locations: idsOf(places, made) },
        monitors: idsOf(refs, made).map(monitorId),
      }),
    );
  for (const { id, to, monitors: refs, locations: places } of changed)
    await channels.update.work(sql, channelId(id), {
      ...to,
      rules: { ...to.rules, locations: idsOf(places, made) },
      monitors: idsOf(refs, made).map(monitorId),
    });
}

async function writeMaintenances(
  sql: Sql,
  all: ConfigurationWrites["maintenances"],
  made: NewIds,
): Promise<void> {
  for (const { key, id, to, monitors: refs, locations: places, page, components } of all) {
    const whole = {
      ...to,
      page: idsOf(page === null ? [] : [page], made).join(),
      components: idsOf(components, made).map(String),
      monitors: idsOf(refs, made),
      locations: idsOf(places, made),
    };
    if (id === null)
      made.set(windowKey({ key }), await maintenances.create.work(sql, whole, false));
    else await maintenances.update.work(sql, id, whole, false);
  }
}

async function remove(
  sql: Sql,
  { kind, id }: ConfigurationWrites["removals"][number],
): Promise<void> {
  switch (kind) {
    case "monitor":
      await monitors.delete.work(sql, monitorId(id));
      return;
    case "location":
      await locations.delete.work(sql, locationId(id));
      return;
    case "channel":
      await channels.delete.work(sql, channelId(id));
      return;
    case "page":
      await statusPages.delete.work(sql, id);
      return;
    case "component":
      await pageComponents.delete.work(sql, id);
      return;
    case "group":
      await componentGroups.delete.work(sql, id);
      return;
    case "maintenance":
      await maintenances.delete.work(sql, id);
  }
}
