import type { Path } from "#check/argument";
import { TooManyValues } from "#cli/apply/too-many-values";
import { isMapping, type Mapping } from "#base/json";
import * as limits from "#limits/cli-limits";

/** A value of YAML in which each mapping has what its merge key brings. */
interface MergeReading {
  readonly value: unknown;
  /** Where merge keys stand before something that is neither a mapping nor a list of them. */
  readonly wrong: readonly Path[];
}

/** What takes over the keys of other mappings: `<<: *defaults`, or `<<: [*one, *two]`. */
export const mergeKey = "<<";

/**
 * The keys of a mapping win over those that it merges, and the first of several merged mappings over the next. Aliases
 * share their value, so each is merged once; copies of keys are counted, because a small file could make endless ones.
 */
export function withMergedKeys(value: unknown): MergeReading {
  const done = new Map<object, unknown>();
  const wrong: Path[] = [];
  let copies = 0;

  const merged = (one: unknown, path: Path): unknown => {
    if (typeof one !== "object" || one === null) return one;
    const known = done.get(one);
    if (known !== undefined) return known;
    const made = isMapping(one) ? mapping(one, path) : list(one, path);
    done.set(one, made);
    return made;
  };
  const list = (one: object, path: Path): unknown =>
    Array.isArray(one) ? one.map((item: unknown, index) => merged(item, [...path, index])) : one;
  const mapping = (one: Mapping, path: Path): Mapping => {
    const { [mergeKey]: source, ...own } = one;
    const values = Object.fromEntries(
      Object.entries(own).map(([key, item]) => [key, merged(item, [...path, key])]),
    );
    if (!Object.hasOwn(one, mergeKey)) return values;
    const at = [...path, mergeKey];
    const sources = (Array.isArray(source) ? source : [source]).map((item) => merged(item, at));
    if (!sources.every(isMapping)) {
      wrong.push(at);
      return values;
    }
    const all: Mapping = Object.assign({}, ...sources.toReversed());
    copies += Object.keys(all).length;
    if (copies > limits.monitorsFileValuesMax) throw new TooManyValues();
    return { ...all, ...values };
  };
  return { value: merged(value, []), wrong };
}
