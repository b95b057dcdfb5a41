import { silencedNamed } from "#limits/store-limits";
import type { ObjectState } from "#service/store/audit/field-change";
import type { FieldDigest } from "#service/store/audit/field-digest";
import { jsonIn, listIn, stateOf, timeIn } from "#service/store/audit/state-fields";
import { allAmong, type Row, type Sql, text } from "#service/store/sql";
import { definitionIn } from "#service/store/verbs/written-definition";

/** A silence has no name: it is called by what it silences, e.g. `Shop and Wiki at Berlin`. */
export async function readSilences(
  sql: Sql,
  rows: readonly Row[],
  digest: FieldDigest,
): Promise<readonly ObjectState[]> {
  const monitors = await namesIn(sql, rows, monitorNames);
  const locations = await namesIn(sql, rows, locationNames);
  return rows.map((row) => {
    const at = locations(row);
    const what = [...labelsOf(row), ...monitors(row)];
    const name = `${listed(what, "all monitors")}${at.length === 0 ? "" : ` at ${listed(at, "")}`}`;
    return stateOf(name, [
      ["reason", digest.json(text(row, "reason"))],
      ["from", timeIn(row, "begins_at")],
      ["to", timeIn(row, "ends_at")],
      ["monitors", listIn(row, "monitors")],
      ["locations", listIn(row, "locations")],
      ["labels", jsonIn(row, "labels", digest)],
      ["made by", digest.json(text(row, "made_by"))],
    ]);
  });
}

interface NamesOf {
  readonly column: "monitors" | "locations";
  /** The columns that a name is made of. */
  readonly read: string;
  readonly name: (row: Row) => string;
}

const monitorNames: NamesOf = {
  column: "monitors",
  read: "definition",
  name: (row) => definitionIn(text(row, "definition")).name,
};
const locationNames: NamesOf = {
  column: "locations",
  read: "name",
  name: (row) => text(row, "name"),
};

/** The first few of each silence, and how many more there are. */
async function namesIn(
  sql: Sql,
  rows: readonly Row[],
  { column, read, name }: NamesOf,
): Promise<(row: Row) => readonly string[]> {
  const idsOf = (row: Row): readonly number[] => JSON.parse(text(row, column));
  const wanted = rows.flatMap((row) => idsOf(row).slice(0, silencedNamed));
  const select = `SELECT CAST(id AS TEXT) AS id, ${read} FROM ${column} WHERE id IN (*)`;
  const found = await allAmong(sql, select, [], wanted);
  const names = new Map(found.map((one) => [text(one, "id"), name(one)]));
  return (row) => {
    const ids = idsOf(row);
    const rest = ids.length - silencedNamed;
    return [
      ...ids.slice(0, silencedNamed).map((id) => names.get(String(id)) ?? String(id)),
      ...(rest > 0 ? [`${rest} more`] : []),
    ];
  };
}

function labelsOf(row: Row): readonly string[] {
  const labels: Readonly<Record<string, string>> = JSON.parse(text(row, "labels"));
  return Object.entries(labels).map(([key, value]) => `${key}: ${value}`);
}

const names = new Intl.ListFormat("en-GB", { type: "conjunction" });
const listed = (all: readonly string[], none: string): string =>
  all.length === 0 ? none : names.format(all);
