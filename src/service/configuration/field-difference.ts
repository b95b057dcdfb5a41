import { showUrl } from "#check/target";
import { cutText, showText } from "#base/text";

/** What a field is and would become, as everyone may read it. */
export interface FieldDifference {
  readonly name: string;
  /** Null if the value is a secret, or where a secret is all that differs. */
  readonly shown: { readonly before: string; readonly after: string } | null;
  /** Of a list of names: what comes and what goes. */
  readonly names: NameDifference | null;
}

interface NameDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** How two lists of names differ as sets; nothing if they do not. */
export function namesDifference(
  name: string,
  before: readonly string[],
  after: readonly string[],
): readonly FieldDifference[] {
  const [was, is] = [new Set(before), new Set(after)];
  return addedAndRemoved(name, {
    added: after.filter((one) => !was.has(one)),
    removed: before.filter((one) => !is.has(one)),
  });
}

export const addedAndRemoved = (name: string, names: NameDifference): readonly FieldDifference[] =>
  names.added.length + names.removed.length === 0 ? [] : [{ name, shown: null, names }];

/** A difference of a field that is no secret; nothing if there is none. */
export function plainDifference(
  name: string,
  before: unknown,
  after: unknown,
): readonly FieldDifference[] {
  return shownValue(before) === shownValue(after) ? [] : [fieldDifference(name, before, after)];
}

/** The fields in which two of a resource differ, by the names of its table. */
export const differencesByName = <N extends string>(
  before: Readonly<Record<N, unknown>>,
  after: Readonly<Record<N, unknown>>,
): readonly FieldDifference[] => {
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(after));
  return Object.entries(before).flatMap(([name, value]) =>
    plainDifference(name, value, values.get(name)),
  );
};

/** Header values, bodies, and the queries and user-info of URLs are secrets: of them it is said only that they change. */
export function fieldDifference(name: string, before: unknown, after: unknown): FieldDifference {
  if (secrets.has(name)) return secretDifference(name);
  const [from, to] = urls.has(name)
    ? [shownUrl(before), shownUrl(after)]
    : [shownValue(before), shownValue(after)];
  return { name, shown: from === to ? null : { before: from, after: to }, names: null };
}

/** It is said only that a secret changes. The metadata of a monitor are one; those of a location are not. */
export const secretDifference = (name: string): FieldDifference => ({
  name,
  shown: null,
  names: null,
});

const secrets: ReadonlySet<string> = new Set(["headers", "otlp_headers", "body", "password"]);
const urls: ReadonlySet<string> = new Set(["url", "otlp_endpoint"]);

const nothing = "–";

const shownUrl = (value: unknown): string =>
  typeof value === "string" && value !== "" ? showUrl(value) : nothing;

/** Long lists are cut: the file and the service have them whole. */
function shownValue(value: unknown): string {
  if (value === undefined || value === null || value === "") return nothing;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return cutText(showText(text), valueCharsMax);
}

const valueCharsMax = 120;
