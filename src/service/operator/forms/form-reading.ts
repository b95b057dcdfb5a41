import type { Control, FormFields, FormField } from "#check/form-field";
import type { Mistake } from "#check/findings";
import { type Arguments, readMapping, shownPath, type ValuesOf } from "#check/argument";
import { isMapping, type Mapping } from "#base/json";
import { dropMark, rowCount, rowMark, savedMark } from "#service/operator/forms/form-rows";
import { numberIn, savedAgain, writtenDuration } from "#service/operator/forms/form-durations";
import { typedTime } from "#service/operator/forms/typed-time";
import { maskedAddress, unmaskedAddress } from "#service/operator/forms/masked-address";

/** What a form says, as a file would: what was left empty is left out. `saved` is what secrets that were left alone keep. */
export const writtenIn = (fields: FormFields, typed: URLSearchParams, saved: Mapping): Mapping =>
  mappingOf(fields, typed, saved, "");

/** The same as the values of a resource's arguments, with what is wrong with their shape. */
export function valuesIn<A extends Arguments>(
  args: A,
  written: Mapping,
): { readonly values: ValuesOf<A>; readonly mistakes: readonly Mistake[] } {
  const mistakes: Mistake[] = [];
  const report = (path: readonly (string | number)[], message: string): void =>
    void mistakes.push({ field: shownPath(path), message });
  const values = readMapping(args, written, [], {
    report,
    reportKey: report,
    follow: () => null,
    count: () => {},
  });
  return { values, mistakes };
}

function mappingOf(
  fields: FormFields,
  typed: URLSearchParams,
  saved: Mapping,
  prefix: string,
): Mapping {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const value = valueOf(field, typed, saved[name], `${prefix}${name}`);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Undefined: nothing was said. */
function valueOf(
  { control }: FormField,
  typed: URLSearchParams,
  saved: unknown,
  name: string,
): unknown {
  if (hasFields(control)) return containedValue(control, typed, saved, name);
  const text = typed.get(name) ?? "";
  switch (control.is) {
    case "text":
    case "colour":
    case "choice":
    case "moment":
      return said(text.trim());
    case "time":
      return said(typedTime(text));
    case "address":
      return said(unmaskedAddress(text.trim(), typeof saved === "string" ? saved : ""));
    case "file":
      return undefined;
    case "number":
    case "duration":
      return figureIn(control, text.trim());
    case "long":
      return said(text);
    case "secret":
    case "password":
      return said(text) ?? (isKept(typed, name) ? saved : undefined);
    case "flag":
      return typed.has(name);
    case "several":
      return typed.getAll(name);
    case "lines":
      return linesIn(text);
  }
}

/** What has fields inside. */
type Container = Extract<Control, { is: "rows" | "pairs" | "section" }>;
const hasFields = (control: Control): control is Container =>
  control.is === "rows" || control.is === "pairs" || control.is === "section";

function containedValue(
  control: Container,
  typed: URLSearchParams,
  saved: unknown,
  name: string,
): unknown {
  switch (control.is) {
    case "rows":
      return rowsOf(control.columns, typed, listOf(saved), name);
    case "pairs":
      return mappingIn(rowsOf(control.columns, typed, pairsOf(saved), name));
    case "section": {
      const inner = mappingOf(control.fields, typed, isMapping(saved) ? saved : {}, `${name}.`);
      return Object.values(inner).every((one) => one === false) ? undefined : inner;
    }
  }
}

const mappingIn = (rows: readonly Mapping[]): Mapping =>
  Object.fromEntries(rows.map(({ key, value }) => [textOf(key), textOf(value)]));

/** Undefined: nothing was said. */
const figureIn = (
  control: Extract<FormField["control"], { is: "number" | "duration" }>,
  text: string,
): number | string | undefined =>
  text === ""
    ? undefined
    : control.is === "number"
      ? numberIn(text)
      : writtenDuration(control, text);

const isKept = (typed: URLSearchParams, name: string): boolean =>
  typed.has(savedMark(name)) && !typed.has(dropMark(name));

const said = (text: string): string | undefined => (text === "" ? undefined : text);

const linesIn = (text: string): readonly string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Each row by its columns. A row's secret is that of the saved row which it was shown for. */
const rowsOf = (
  columns: FormFields,
  typed: URLSearchParams,
  saved: readonly Mapping[],
  name: string,
): readonly Mapping[] =>
  Array.from({ length: rowCount(typed, name) }, (_, index) =>
    mappingOf(
      columns,
      typed,
      savedRow(columns, typed, saved, `${name}[${index}]`),
      `${name}[${index}].`,
    ),
  );

/** A row that someone else changed meanwhile gives nothing, so no secret goes under another name. */
function savedRow(
  columns: FormFields,
  typed: URLSearchParams,
  saved: readonly Mapping[],
  row: string,
): Mapping {
  for (const name of Object.keys(columns)) {
    const [, index, first] =
      /^(\d+):(.*)$/s.exec(typed.get(savedMark(`${row}.${name}`)) ?? "") ?? [];
    const before = saved[Number(index)];
    if (before !== undefined && firstOf(columns, before) === first) return before;
  }
  return {};
}

const firstOf = (columns: FormFields, row: Mapping): string =>
  textOf(row[Object.keys(columns)[0] ?? ""]);

const listOf = (value: unknown): readonly Mapping[] =>
  Array.isArray(value) ? value.filter(isMapping) : [];

/** A mapping of text, or the list of pairs that it is read as. */
const pairsOf = (value: unknown): readonly Mapping[] =>
  isMapping(value)
    ? Object.entries(value).map(([key, one]) => ({ key, value: one }))
    : listOf(value);

/** What a form shows of a resource: its values by the names of its arguments, as a file would write them. */
export function typedFor(fields: FormFields, written: Mapping): URLSearchParams {
  const typed = new URLSearchParams();
  write(fields, written, typed, "");
  return typed;
}

function write(fields: FormFields, written: Mapping, typed: URLSearchParams, prefix: string): void {
  for (const [name, field] of Object.entries(fields))
    writeOne(field, written[name], typed, `${prefix}${name}`);
}

function writeOne(
  { control }: FormField,
  value: unknown,
  typed: URLSearchParams,
  name: string,
): void {
  if (hasFields(control)) return writeContained(control, value, typed, name);
  switch (control.is) {
    case "secret":
    case "password":
      if (typeof value === "string" && value !== "") typed.append(savedMark(name), "yes");
      return;
    case "address":
      return typed.append(name, maskedAddress(textOf(value)));
    case "flag":
      if (value === true) typed.append(name, "yes");
      return;
    case "several":
      for (const one of Array.isArray(value) ? value : []) typed.append(name, String(one));
      return;
    case "lines":
      return typed.append(name, Array.isArray(value) ? value.join("\n") : "");
    case "duration":
      return typed.append(name, savedAgain(control, textOf(value)));
    case "file":
      return undefined;
    case "text":
    case "colour":
    case "number":
    case "long":
    case "choice":
    case "time":
    case "moment":
      return typed.append(name, textOf(value));
  }
}

function writeContained(
  control: Container,
  value: unknown,
  typed: URLSearchParams,
  name: string,
): void {
  switch (control.is) {
    case "rows":
      return writeRows(control.columns, listOf(value), typed, name);
    case "pairs":
      return writeRows(control.columns, pairsOf(value), typed, name);
    case "section":
      return write(control.fields, isMapping(value) ? value : {}, typed, `${name}.`);
  }
}

function writeRows(
  columns: FormFields,
  rows: readonly Mapping[],
  typed: URLSearchParams,
  name: string,
): void {
  for (const [index, row] of rows.entries()) {
    typed.append(rowMark(name, index), "");
    write(columns, row, typed, `${name}[${index}].`);
    for (const [column, { control }] of Object.entries(columns))
      if (control.is === "secret")
        typed.set(savedMark(`${name}[${index}].${column}`), `${index}:${firstOf(columns, row)}`);
  }
}

const textOf = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
