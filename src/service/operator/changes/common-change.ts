import { labelWords } from "#service/operator/lists/label-words";
import type { Act } from "#service/operator/changes/act-folds";
import { byPart } from "#service/operator/changes/colour-changes";
import { isLabel } from "#service/operator/changes/label-changes";
import type { FieldChange } from "#service/store/audit/field-change";

/** One field that was changed on several objects in one act. */
interface CommonChange {
  /** As it was changed on the newest; before and after count where all are alike. */
  readonly change: FieldChange;
  readonly isBeforeAlike: boolean;
  readonly isAfterAlike: boolean;
}

/** What was changed on every object of an act, if that is one field; null if there are several, or different ones. */
export function commonChange(act: Act): CommonChange | null {
  const all = act.map(({ fields }) => byPart(fields));
  const [change, ...more] = all[0] ?? [];
  if (change === undefined || more.length > 0) return null;
  const changes = all.flat();
  if (changes.length !== act.length || changes.some(({ field }) => field !== change.field))
    return null;
  const isAlike = (valueOf: (one: FieldChange) => string): boolean =>
    changes.every((one) => valueOf(one) === valueOf(change));
  return { change, isBeforeAlike: isAlike(beforeOf), isAfterAlike: isAlike(afterOf) };
}

const beforeOf = (one: FieldChange): string =>
  JSON.stringify(one.is === "set" ? one.removed : one.before);
const afterOf = (one: FieldChange): string =>
  JSON.stringify(one.is === "set" ? one.added : one.after);

/** A label that was given to, or taken from, all objects of an act. */
interface LabelAct {
  readonly verb: "added" | "set" | "removed";
  /** `env=prod`, or `env` of one that was removed. */
  readonly label: string;
  readonly joint: "to" | "on" | "from";
}

/** Null of an act that did anything else, or gave different values. Of one object, another value says before and after. */
export function labelActOf(act: Act): LabelAct | null {
  const [newest] = act;
  const common = newest.deed === "changed" ? commonChange(act) : null;
  if (common === null || !isLabel(common.change.field)) return null;
  const { change, isBeforeAlike, isAfterAlike } = common;
  if (change.is !== "text" || !isAfterAlike) return null;
  const name = change.field.replace(/^[^:]*: /, "");
  if (change.after === null) return { verb: "removed", label: name, joint: "from" };
  const label = labelWords(name, change.after);
  if (isBeforeAlike && change.before === null) return { verb: "added", label, joint: "to" };
  return act.length === 1 ? null : { verb: "set", label, joint: "on" };
}
