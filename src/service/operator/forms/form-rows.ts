import type { Mistake } from "#check/findings";
import type { FormFields, Control } from "#check/form-field";
import * as limits from "#limits/pages-limits";

/* Rows have numbers in their fields' names: `headers[2].key`, as refusals name them. */

/** What a button of a form asks for, apart from sending it. */
type RowAct =
  | { readonly act: "add"; readonly field: string }
  | { readonly act: "remove"; readonly field: string; readonly index: number };

/** The name of every button that changes rows; its value is `add headers` or `remove headers[2]`. */
export const rowButton = "row";

/** Null if the form was sent by another button. */
export function rowActIn(typed: URLSearchParams): RowAct | null {
  const [, act, field, index] =
    /^(add|remove) ([\w.]+)(?:\[(\d+)\])?$/.exec(typed.get(rowButton) ?? "") ?? [];
  if (field === undefined) return null;
  if (act === "add") return { act, field };
  return { act: "remove", field, index: Number(index) };
}

/** How many rows of this field stand in the form. */
export const rowCount = (typed: URLSearchParams, field: string): number =>
  indexesOf(typed, field).length;

/** The form after a button was pressed: the typed rows, and an empty one or without one. */
export function afterRowAct(typed: URLSearchParams, act: RowAct): URLSearchParams {
  const without = act.act === "remove" ? new Set([act.index]) : new Set<number>();
  const after = renumbered(typed, act.field, without);
  after.delete(rowButton);
  after.append(openMark, act.field);
  const count = rowCount(after, act.field);
  if (act.act === "add" && count < limits.formRowsMax) after.append(rowMark(act.field, count), "");
  return after;
}

/** The field whose rows were changed just now: a folded group that has it stays open. */
export const openMark = "opened";

/** The name of the button that is pressed by Return in a field. */
export const enterMark = "enter";
/** The value of another button that is pressed so. */
export const byReturn = "enter";

/** Says that a row is there, though nothing is typed into it. */
export const rowMark = (field: string, index: number): string => `${field}[${index}].row`;

/** The form with other rows of one field. */
export function typedRows(
  typed: URLSearchParams,
  field: string,
  rows: readonly Readonly<Record<string, string>>[],
): URLSearchParams {
  const after = renumbered(typed, field, new Set(indexesOf(typed, field)));
  for (const [index, row] of rows.entries())
    for (const [column, value] of Object.entries(row))
      after.append(`${field}[${index}].${column}`, value);
  return after;
}

/**
 * Without the rows into which nothing was typed, so that refusals name the rows that are shown. A row with a choice says
 * something as it is added, e.g. that an A record is there: one that is not finished is refused, not left out.
 */
export function withoutEmptyRows(fields: FormFields, typed: URLSearchParams): URLSearchParams {
  let left = typed;
  for (const [name, { control }] of Object.entries(fields)) {
    const empty = emptyRows(name, control, left);
    if (empty.size > 0) left = renumbered(left, name, empty);
  }
  return left;
}

/** What is wrong with a form without its empty rows, by the rows of the form that has them. */
export const inShownRows = (
  fields: FormFields,
  typed: URLSearchParams,
  mistakes: readonly Mistake[],
): readonly Mistake[] =>
  mistakes.map((mistake) => {
    const [, name = "", index, rest = ""] = /^(\w+)\[(\d+)\](.*)$/.exec(mistake.field) ?? [];
    const control = fields[name]?.control;
    if (control === undefined) return mistake;
    const empty = emptyRows(name, control, typed);
    const kept = indexesOf(typed, name).filter((one) => !empty.has(one));
    const shown = kept[Number(index)];
    return shown === undefined ? mistake : { ...mistake, field: `${name}[${shown}]${rest}` };
  });

/** The numbers of the rows that are left out. */
function emptyRows(name: string, control: Control, typed: URLSearchParams): ReadonlySet<number> {
  const columns = columnsOf(control);
  if (columns === null || Object.values(columns).some(({ control: { is } }) => is === "choice"))
    return new Set();
  return new Set(
    indexesOf(typed, name).filter((index) => isEmptyRow(columns, typed, `${name}[${index}].`)),
  );
}

const columnsOf = (control: Control): FormFields | null =>
  control.is === "rows" || control.is === "pairs" ? control.columns : null;

const isEmptyRow = (columns: FormFields, typed: URLSearchParams, row: string): boolean =>
  Object.keys(columns).every((name) => {
    const value = (typed.get(`${row}${name}`) ?? "").trim();
    return value === "" && !typed.has(savedMark(`${row}${name}`));
  });

/** Says of a secret that there is a saved one, and which. */
export const savedMark = (name: string): string => `${name}.saved`;
/** Says that the saved one is not kept. */
export const dropMark = (name: string): string => `${name}.drop`;

/** The numbers of the rows that stand in the form, from the lowest. */
function indexesOf(typed: URLSearchParams, field: string): readonly number[] {
  const found = new Set<number>();
  for (const name of typed.keys()) {
    const index = rowIndex(name, field);
    if (index !== null) found.add(index);
  }
  return [...found].toSorted((a, b) => a - b).slice(0, limits.formRowsMax);
}

function rowIndex(name: string, field: string): number | null {
  if (!name.startsWith(`${field}[`)) return null;
  const [, digits] = /^\[(\d{1,6})\]\./.exec(name.slice(field.length)) ?? [];
  return digits === undefined ? null : Number(digits);
}

/** Gives the rows that stay the numbers from 0. */
function renumbered(
  typed: URLSearchParams,
  field: string,
  without: ReadonlySet<number>,
): URLSearchParams {
  const kept = indexesOf(typed, field).filter((index) => !without.has(index));
  const numbers = new Map(kept.map((index, place) => [index, place]));
  const after = new URLSearchParams();
  for (const [name, value] of typed) {
    const index = rowIndex(name, field);
    const number = index === null ? null : numbers.get(index);
    if (number === undefined) continue;
    const renamed =
      index === null || number === null
        ? name
        : `${field}[${number}]${name.slice(`${field}[${index}]`.length)}`;
    after.append(renamed, value);
  }
  return after;
}
