import { type ObjectWord, objectWords, serviceWordOf } from "#cli/apply/object-words";
import { quote } from "#cli/apply/shown-plan";
import { UsageError } from "#cli/edge/usage-error";
import type { Management } from "#cli/management/management";
import { CannotDo } from "#cli/management/with-service";
import { nearest } from "#base/nearest";

/** What `picket import` names: a kind of object, or `monitor` for one of whatever kind. */
type ImportedWord = ObjectWord | typeof anyMonitor;
const anyMonitor = "monitor";

/** An object as the service calls it. */
export interface ImportedObject {
  /** The service's own word. */
  readonly kind: string;
  readonly name: string;
}

interface WantedObjects {
  /** Null: of every kind, which only all of an owner's can be. */
  readonly kind: ImportedWord | null;
  /** Empty if all of an owner's are wanted. */
  readonly names: readonly string[];
  readonly fromOwner: string;
}

/** The objects that were named, or all that an owner has. The service is asked for what a name alone does not say. */
export async function importedObjects(
  { configuration }: Management,
  { kind, names, fromOwner }: WantedObjects,
  signal: AbortSignal,
): Promise<readonly ImportedObject[]> {
  if (kind !== null && kind !== anyMonitor && names.length > 0)
    return names.map((name) => ({ kind: serviceWordOf(kind), name }));
  // A plan of nothing lists all that is there.
  const { unmanaged } = await configuration.planConfiguration({ configuration: {} }, { signal });
  const ofKind = unmanaged.filter((one) => isOf(kind, one.kind));
  if (names.length > 0) return names.map((name) => onlyOne(ofKind, name));
  const all = ofKind.filter(({ owner }) => owner === fromOwner);
  if (all.length === 0) throw new CannotDo(`${quote(fromOwner)} owns no ${kind ?? "object"}`);
  return all;
}

const isOf = (kind: ImportedWord | null, serviceWord: string): boolean =>
  kind === null ||
  (kind === anyMonitor ? serviceWord.endsWith("_monitor") : serviceWord === serviceWordOf(kind));

function onlyOne(all: readonly ImportedObject[], name: string): ImportedObject {
  const found = all.filter((one) => one.name === name);
  const [one] = found;
  if (one === undefined) throw new CannotDo(`there is no monitor ${quote(name)}`);
  const kinds = [...new Set(found.map((each) => wordOf(each.kind)))];
  if (kinds.length > 1)
    throw new CannotDo(
      `there are monitors ${quote(name)} of the kinds ${kinds.join(" and ")}: name the kind`,
    );
  return one;
}

/** The word that a person types for a service's own. */
export const wordOf = (serviceWord: string): string =>
  objectWords.find((word) => serviceWordOf(word) === serviceWord) ?? serviceWord;

export const isKind = (word: string): boolean => kindOf(word) !== undefined;

export function importedKind(word: string): ImportedWord {
  const kind = kindOf(word);
  if (kind !== undefined) return kind;
  const known = [anyMonitor, ...objectWords];
  const meant = nearest(word, known);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  throw new UsageError(`import knows ${known.join(", ")}, not "${word}"${hint}`);
}

const kindOf = (word: string): ImportedWord | undefined =>
  word === anyMonitor
    ? anyMonitor
    : objectWords.find((one) =>
        [one, serviceWordOf(one), serviceWordOf(one).replaceAll("_", "-")].includes(word),
      );
