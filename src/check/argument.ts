import { isMapping, type Mapping } from "#base/json";
import { nearest } from "#base/nearest";

/** Where a value stands in what a person wrote: `["http_monitors", 0, "url"]`. */
export type Path = readonly (string | number)[];

/** A path as a person reads it: `http_monitors[0].headers[2].key`. */
export const shownPath = (path: Path): string =>
  path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .slice(1);

/** Takes down mistakes; a message completes the sentence that begins with the path. */
export interface Reading {
  report(path: Path, message: string): void;
  /** Says something about the last key of the path, not about its value. */
  reportKey(path: Path, message: string): void;
  /** The text that a mapping stands for, as `{ env: NAME }` does; null if it is no such reference. */
  follow(reference: Mapping, path: Path): string | null;
  /** Called once for each value; throws if there are too many. */
  count(): void;
}

/** One argument of a resource as a person writes it in a file: how it is read, and what the reference says of it. */
export interface Argument<T> {
  /** What it is for, as a sentence without a subject. */
  readonly does: string;
  /** Completes "must be …". */
  readonly takes: string;
  /** What holds beyond its type; empty if nothing does. */
  readonly limit: string;
  /** Whether it has to be given, given these other arguments. */
  readonly required: (given: Mapping) => boolean;
  /** What holds where it is left out. */
  readonly fallback: T;
  /** The arguments of each row, where it is a list of mappings. */
  readonly rows: Arguments | null;
  read(value: unknown, path: Path, reading: Reading): T;
}

export type Arguments = Readonly<Record<string, Argument<unknown>>>;
/** What a mapping reads as: a value for each argument, its fallback if it is missing or wrong. */
export type ValuesOf<A extends Arguments> = {
  readonly [K in keyof A]: A[K] extends Argument<infer T> ? T : never;
};

/** What every kind of argument is described by; `fallback` is what an optional one is when it is left out. */
interface ArgumentBase<T> {
  readonly does: string;
  readonly limit?: string;
  readonly fallback?: T;
  readonly required?: boolean | ((given: Mapping) => boolean);
}

/** Free text, or a reference to one that stands elsewhere. */
export const text = (said: ArgumentBase<string>): Argument<string> => {
  const written = scalar("text", said, "", isText, "text (put it in quotes)");
  return {
    ...written,
    read: (value, path, reading) =>
      (isMapping(value) ? reading.follow(value, path) : null) ?? written.read(value, path, reading),
  };
};

/** One of a few words; the rules of the resource say which, so that calls and files are judged alike. */
export const word = (words: readonly string[], said: ArgumentBase<string>): Argument<string> =>
  scalar(`one of ${words.join(", ")}`, said, "", isText);

/** A number with its unit: `milliseconds`. */
export const count = (unit: string, said: ArgumentBase<number>): Argument<number> =>
  scalar(numberOf(unit), said, 0, isNumber);

/** The same, null if nothing is said. */
export const optionalCount = (unit: string, does: string): Argument<number | null> =>
  scalar<number | null>(numberOf(unit), { does, fallback: null }, null, isNumber);

const numberOf = (unit: string): string => (unit === "" ? "a number" : `a number of ${unit}`);

export const flag = (said: ArgumentBase<boolean>): Argument<boolean> =>
  scalar("true or false", said, false, isFlag);

/** The same, null if nothing is said. */
export const optionalFlag = (does: string): Argument<boolean | null> =>
  scalar<boolean | null>("true or false", { does, fallback: null }, null, isFlag);

/** A list of text. */
export const texts = (said: ArgumentBase<readonly string[]>): Argument<readonly string[]> =>
  argument("a list of text", said, [], (value, path, reading) =>
    itemsOf(value, path, reading).map((item, index) => {
      if (isText(item)) return item;
      reading.report([...path, index], `must be text (put it in quotes), ${found(item)}`);
      return "";
    }),
  );

/** A mapping from any text to text, in its order. */
export const pairs = (said: ArgumentBase<readonly Pair[]>): Argument<readonly Pair[]> =>
  argument("a mapping of text to text", said, [], (value, path, reading) => {
    if (!isMapping(value)) {
      reading.report(path, `must be a mapping, ${found(value)}`);
      return [];
    }
    const entry = text({ does: "" });
    return Object.entries(value).map(([key, item]) => ({
      key,
      value: entry.read(item, [...path, key], reading),
    }));
  });

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** A list of mappings. */
export const rows = <A extends Arguments>(
  fields: A,
  said: ArgumentBase<readonly ValuesOf<A>[]>,
): Argument<readonly ValuesOf<A>[]> => ({
  ...argument<readonly ValuesOf<A>[]>("a list", said, [], (value, path, reading) =>
    itemsOf(value, path, reading).map((item, index) =>
      readMapping(fields, item, [...path, index], reading),
    ),
  ),
  rows: fields,
});

/** A mapping with its own arguments; null if nothing is said. */
export const section = <A extends Arguments>(
  fields: A,
  does: string,
): Argument<ValuesOf<A> | null> => ({
  ...argument<ValuesOf<A> | null>(
    "a mapping",
    { does, fallback: null },
    null,
    (value, path, reading) => readMapping(fields, value, path, reading),
  ),
  rows: fields,
});

/** One mapping of which everything may be left out. */
export const optionalRow = (
  fields: Arguments,
  said: { readonly does: string },
): Argument<unknown> => ({
  ...argument<unknown>("a mapping", { ...said, fallback: {} }, {}, (value, path, reading) =>
    readMapping(withoutNeed(fields), value, path, reading),
  ),
  rows: fields,
});

const withoutNeed = (fields: Arguments): Arguments =>
  Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, { ...field, required: () => false }]),
  );

/** Reads a mapping argument by argument; each mistake is reported, and reads as the argument's fallback. */
export function readMapping<A extends Arguments>(
  fields: A,
  value: unknown,
  path: Path,
  reading: Reading,
): ValuesOf<A> {
  reading.count();
  const known = Object.keys(fields);
  const given = isMapping(value) ? value : {};
  if (isMapping(value)) reportUnknown(value, known, path, reading);
  else reading.report(path, `must be a mapping with ${known.join(", ")}, ${found(value)}`);
  const entries = Object.entries(fields).map(([key, field]) => {
    const at = [...path, key];
    reading.count();
    if (Object.hasOwn(given, key)) return [key, field.read(given[key], at, reading)];
    if (isMapping(value) && field.required(given)) reading.report(at, "is required, but missing");
    return [key, field.fallback];
  });
  // Each entry is what the argument of its key reads as, which is what ValuesOf says.
  return Object.fromEntries(entries) as ValuesOf<A>;
}

function reportUnknown(
  value: Mapping,
  known: readonly string[],
  path: Path,
  reading: Reading,
): void {
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    // What ends several known names is near to all of them.
    const several = known.filter((one) => one.endsWith(name)).length > 1;
    const meant = several ? null : nearest(name, known);
    const hint = meant === null ? `known are ${known.join(", ")}` : `did you mean ${meant}?`;
    reading.reportKey([...path, name], `is not a known key; ${hint}`);
  }
}

function scalar<T>(
  takes: string,
  said: ArgumentBase<T>,
  nothing: T,
  is: (value: unknown) => value is T,
  wanted = takes,
): Argument<T> {
  return argument(takes, said, nothing, (value, path, reading) => {
    if (is(value)) return value;
    reading.report(path, `must be ${wanted}, ${found(value)}`);
    return said.fallback === undefined ? nothing : said.fallback;
  });
}

function argument<T>(
  takes: string,
  { does, limit = "", fallback, required = fallback === undefined }: ArgumentBase<T>,
  nothing: T,
  read: Argument<T>["read"],
): Argument<T> {
  return {
    does,
    takes,
    limit,
    required: typeof required === "function" ? required : () => required,
    fallback: fallback === undefined ? nothing : fallback,
    rows: null,
    read,
  };
}

function itemsOf(value: unknown, path: Path, reading: Reading): readonly unknown[] {
  if (Array.isArray(value)) return value;
  reading.report(path, `must be a list, ${found(value)}`);
  return [];
}

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => typeof value === "number";
const isFlag = (value: unknown): value is boolean => typeof value === "boolean";

/** What stands there instead, without its value, which may be a secret. */
function found(value: unknown): string {
  if (value === null || value === undefined) return "but nothing is given";
  if (Array.isArray(value)) return "not a list";
  if (isText(value)) return "not text";
  if (isNumber(value)) return "not a number";
  if (isFlag(value)) return "not true or false";
  return "not a mapping";
}

/** `headers[2].key` as a path. */
export const fieldPath = (field: string): Path =>
  [...field.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
