import { isEventKind, type StateKind, type Subject } from "#service/store/audit/audited";
import type { ObjectState } from "#service/store/audit/field-change";
import type { FieldDigest } from "#service/store/audit/field-digest";
import { readSilences } from "#service/store/audit/audited-silence";
import { stateOf, timeIn } from "#service/store/audit/state-fields";
import {
  readChannels,
  readIncidents,
  readLocations,
  readPages,
  readPeople,
  readMaintenances,
  readReports,
} from "#service/store/audit/joined-states";
import { monitorState } from "#service/store/audit/audited-monitor";
import { keptMailServer, mailServerSetting } from "#service/store/kept-mail-server";
import { publicAddressSetting } from "#service/store/state-store";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";

/** Objects as the log may have them, by `kind id`; those that are not there are left out. */
export async function statesOf(
  sql: Sql,
  all: readonly Subject[],
  digest: FieldDigest,
): Promise<ReadonlyMap<string, ObjectState>> {
  const found = new Map<string, ObjectState>();
  for (const [kind, some] of Map.groupBy(all, (one) => one.kind)) {
    if (isEventKind(kind)) continue;
    const { key, columns } = auditedTables[kind];
    const rows = await allAmong(
      sql,
      `SELECT ${columns} FROM ${fromOf(kind)} AND ${key} IN (*)`,
      [],
      some.map(({ id }) => (kind === "setting" ? id : Number(id))),
    );
    const states = await readers[kind](sql, rows, digest);
    for (const [index, row] of rows.entries()) {
      const state = states[index];
      const id = kind === "setting" ? text(row, key) : String(integer(row, key));
      if (state !== undefined) found.set(`${kind} ${id}`, state);
    }
  }
  return found;
}

interface AuditedTable {
  readonly is: string;
  readonly key: string;
  /** What is read of a row. */
  readonly columns: string;
  /** Rows for which this does not hold are not there. */
  readonly where: string;
}

/** Where the objects of each kind are. */
export const auditedTables: { readonly [K in StateKind]: AuditedTable } = {
  monitor: { is: "monitors", key: "id", columns: "id, definition, owner, labels", where: "1 = 1" },
  location: { is: "locations", key: "id", columns: "*", where: "1 = 1" },
  channel: { is: "channels", key: "id", columns: "*", where: "1 = 1" },
  page: { is: "pages", key: "id", columns: "*", where: "1 = 1" },
  report: { is: "reports", key: "id", columns: "*", where: "1 = 1" },
  maintenance: { is: "maintenances", key: "id", columns: "*", where: "1 = 1" },
  silence: { is: "silences", key: "id", columns: "*", where: "1 = 1" },
  incident: { is: "incidents", key: "number", columns: "*", where: "1 = 1" },
  key: { is: "api_keys", key: "id", columns: "*", where: "revoked_at IS NULL" },
  person: { is: "accounts", key: "id", columns: "*", where: "1 = 1" },
  setting: { is: "settings", key: "name", columns: "*", where: "1 = 1" },
};

const fromOf = (kind: StateKind): string =>
  `${auditedTables[kind].is} WHERE ${auditedTables[kind].where}`;

type StatesReader = (
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
) => Promise<readonly ObjectState[]>;

const readers: { readonly [K in StateKind]: StatesReader } = {
  monitor: async (_sql, rows, digest) => rows.map((row) => monitorState(row, digest)),
  location: readLocations,
  channel: readChannels,
  page: readPages,
  report: readReports,
  maintenance: readMaintenances,
  silence: readSilences,
  incident: readIncidents,
  key: async (_sql, rows, digest) =>
    rows.map((row) =>
      stateOf(text(row, "name"), [
        ["name", digest.json(text(row, "name"))],
        ["description", digest.json(text(row, "description"))],
        ["scope", digest.json(text(row, "scope"))],
        ["prefix", digest.json(text(row, "prefix"))],
        ["key", digest.secret(text(row, "hash"))],
        ["ends", timeIn(row, "expires_at")],
      ]),
    ),
  person: readPeople,
  // What a setting says may be a secret, e.g. what is kept of a password; an address is none.
  setting: async (_sql, rows, digest) =>
    rows.map((row) => {
      const [name, value] = [text(row, "name"), text(row, "value")];
      if (name === mailServerSetting) return mailServerState(value, digest);
      const isPublic = name === publicAddressSetting;
      return stateOf(name, [["value", isPublic ? digest.json(value) : digest.secret(value)]]);
    }),
};

/** By the names that its form has. */
function mailServerState(value: string, digest: FieldDigest): ObjectState {
  const { host, port, security, user, sender, fingerprint } = keptMailServer(value);
  return stateOf(mailServerSetting, [
    ["host", digest.json(host)],
    ["security", digest.json(security)],
    ["port", digest.json(port)],
    ["user", digest.json(user)],
    ["password", digest.secret(fingerprint)],
    ["sender", digest.json(sender)],
  ]);
}
