import { entriesOf } from "#service/operator/changes/form-units";

/* The rows of a field, as three forms have them, merged row by row. */

/** A row without its number: what is in it by column, and the mark of a saved secret by the text of the row that it is of. */
interface FormRow {
  readonly columns: readonly (readonly [column: string, value: string])[];
  /** Equal of equal rows. */
  readonly said: string;
  /** What a row of pairs is found by; null of any other. */
  readonly key: string | null;
}

export interface ThreeForms {
  readonly base: URLSearchParams;
  readonly theirs: URLSearchParams;
  readonly mine: URLSearchParams;
}

type Entries = readonly (readonly [name: string, value: string])[];

/** Their rows, without those that I took away, and with mine; null if both changed one row, named two alike, or I moved some. */
export function mergedRows(field: string, { base, theirs, mine }: ThreeForms): Entries | null {
  const [was, saved, own] = [base, theirs, mine].map((form) => rowsOf(form, field));
  if (was === undefined || saved === undefined || own === undefined) return null;
  if ([was, saved, own].some(hasTwins)) return null;
  if (isMoved(was, own)) return null;
  const byMe = { added: without(own, was), removed: without(was, own) };
  const byThem = { added: without(saved, was), removed: without(was, saved) };
  const areBothOut = without(byMe.removed, byThem.removed).length < byMe.removed.length;
  // A row that was corrected is one that went and one that came: both may have corrected the same one.
  if (areBothOut && byMe.added.length + byThem.added.length > 0) return null;
  const merged = [...without(saved, byMe.removed), ...without(byMe.added, saved)];
  const keys = merged.flatMap(({ key }) => key ?? []);
  return new Set(keys).size < keys.length ? null : asRows(field, merged, saved);
}

/** My rows, with the marks of saved secrets as what is saved now has them. */
export const rowsAsSaved = (field: string, { theirs, mine }: ThreeForms): Entries =>
  asRows(field, rowsOf(mine, field), rowsOf(theirs, field));

/** What three forms say of the rows of a field, in a text that is equal if they are. */
export const rowsSaid = (form: URLSearchParams, field: string): string =>
  JSON.stringify(rowsOf(form, field).map(({ said }) => said));

function rowsOf(form: URLSearchParams, field: string): readonly FormRow[] {
  const rows = new Map<number, [string, string][]>();
  for (const [name, value] of entriesOf(form, field)) {
    const [, index, column = ""] = /^\[(\d{1,6})\]\.(.+)$/.exec(name.slice(field.length)) ?? [];
    if (index === undefined || column === "row") continue;
    rows.getOrInsertComputed(Number(index), () => []).push([column, value]);
  }
  return [...rows]
    .toSorted(([one], [other]) => one - other)
    .map(([, columns]) => rowOf(columns))
    .filter(({ columns }) => columns.some(([, value]) => value.trim() !== ""));
}

function rowOf(columns: readonly (readonly [string, string])[]): FormRow {
  const said = columns.map(([column, value]) =>
    JSON.stringify([column, isMark(column) ? markedRow(value) : value.trim()]),
  );
  const key = columns.find(([column]) => column === "key")?.[1].trim() ?? null;
  return { columns, said: said.toSorted().join(), key };
}

const hasTwins = (rows: readonly FormRow[]): boolean =>
  new Set(rows.map(({ said }) => said)).size < rows.length;

/** Whether those that are in both have another order. */
const isMoved = (was: readonly FormRow[], own: readonly FormRow[]): boolean => {
  const common = (rows: readonly FormRow[], others: readonly FormRow[]): string =>
    JSON.stringify(without(rows, without(rows, others)).map(({ said }) => said));
  return common(was, own) !== common(own, was);
};

const without = (rows: readonly FormRow[], others: readonly FormRow[]): readonly FormRow[] => {
  const gone = new Set(others.map(({ said }) => said));
  return rows.filter(({ said }) => !gone.has(said));
};

const isMark = (column: string): boolean => column.endsWith(".saved");
/** `X-Team` of `2:X-Team`: rows move. */
const markedRow = (mark: string): string => mark.replace(/^\d+:/, "");

function asRows(field: string, rows: readonly FormRow[], saved: readonly FormRow[]): Entries {
  const marks = new Map(
    saved.flatMap(({ columns }) =>
      columns
        .filter(([column]) => isMark(column))
        .map(([column, mark]) => [`${column} ${markedRow(mark)}`, mark]),
    ),
  );
  return rows.flatMap(({ columns }, index) =>
    columns.map(([column, value]): [string, string] => [
      `${field}[${index}].${column}`,
      isMark(column) ? (marks.get(`${column} ${markedRow(value)}`) ?? value) : value,
    ]),
  );
}
