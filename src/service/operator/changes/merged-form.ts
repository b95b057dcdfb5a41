import type { Control, FormField } from "#check/form-field";
import { byUnit, entriesOf, unitOf } from "#service/operator/changes/form-units";
import {
  mergedRows,
  rowsAsSaved,
  rowsSaid,
  type ThreeForms,
} from "#service/operator/changes/merged-rows";

interface Merging extends Omit<ThreeForms, "base"> {
  /** What my form showed when it was opened; null if that is not known: then each field that differs is one of both. */
  readonly base: URLSearchParams | null;
  readonly fields: ReadonlyMap<string, FormField>;
  /** The names of boxes to tick. */
  readonly boxes: ReadonlySet<string>;
  /** The names of buttons: what they say is sent on as it is. */
  readonly buttons: ReadonlySet<string>;
  /** Whether they may have changed what no form shows of a field: a secret. */
  readonly isSecretChanged: (unit: string) => boolean;
}

interface MergedForm {
  /** What only one of us changed as that one did, and mine of the rest. */
  readonly form: URLSearchParams;
  /** The fields that both changed, in the order of the form. */
  readonly conflicts: readonly string[];
}

/**
 * Two forms that were made of the same one, in one: as Git merges two branches. What the saved form does not have is
 * dropped: whoever sends a form may put any names into it, and each name that is merged takes time.
 */
export function mergedForm(merging: Merging): MergedForm {
  const { base, theirs, mine, fields, boxes, buttons } = merging;
  const [was, saved, own] = [base, theirs, mine].map((one) => byUnit(one ?? none));
  const conflicts: string[] = [];
  const isSentOn = (name: string): boolean => buttons.has(name) || unitOf(name) === null;
  const form = [...mine].filter(([name]) => isSentOn(name));
  for (const unit of new Set([
    ...(saved?.keys() ?? []),
    ...[...fields.keys(), ...boxes].map(ofName),
  ])) {
    const merged = mergedUnit(unit, {
      ...merging,
      base: base === null ? null : (was?.get(unit) ?? none),
      theirs: saved?.get(unit) ?? none,
      mine: own?.get(unit) ?? none,
    });
    if (merged.isConflict) conflicts.push(unit);
    form.push(...merged.entries.map(pair));
  }
  return { form: new URLSearchParams(form), conflicts };
}

const none = new URLSearchParams();
const ofName = (name: string): string => unitOf(name) ?? name;

type Entry = readonly [name: string, value: string];
const pair = ([name, value]: Entry): [string, string] => [name, value];

interface MergedUnit {
  readonly entries: readonly Entry[];
  readonly isConflict: boolean;
}

function mergedUnit(unit: string, merging: Merging): MergedUnit {
  const { base, theirs, mine, boxes, fields } = merging;
  const control = fields.get(unit)?.control ?? null;
  const isRows = control?.is === "rows" || control?.is === "pairs";
  const said = (form: URLSearchParams): string =>
    isRows ? rowsSaid(form, unit) : wordsOf(form, unit, control !== null && isOfLines(control));
  const own = isRows ? rowsAsSaved(unit, { base: mine, theirs, mine }) : entriesOf(mine, unit);
  const isTyped = control !== null && hasTypedSecret(control, unit, merging);
  const isSecretOfBoth = isTyped && merging.isSecretChanged(unit);
  if (said(mine) === said(theirs) && !isSecretOfBoth)
    return { entries: entriesOf(theirs, unit), isConflict: false };
  if (base === null || isSecretOfBoth) return { entries: own, isConflict: true };
  if (said(mine) === said(base)) return { entries: entriesOf(theirs, unit), isConflict: false };
  if (said(theirs) === said(base)) return { entries: own, isConflict: false };
  const three = { base, theirs, mine };
  const both = boxes.has(unit) ? mergedTicks(unit, three) : isRows ? mergedRows(unit, three) : null;
  return { entries: both ?? own, isConflict: both === null };
}

/** What one of us ticked is ticked, and what one of us cleared is not. */
function mergedTicks(unit: string, { base, theirs, mine }: ThreeForms): readonly Entry[] {
  const [was, own] = [new Set(base.getAll(unit)), new Set(mine.getAll(unit))];
  const kept = new Set(theirs.getAll(unit).filter((one) => own.has(one) || !was.has(one)));
  const added = [...own].filter((one) => !was.has(one) && !kept.has(one));
  return [...kept, ...added].map((value) => [unit, value]);
}

/** Boxes are sent in the order of the page, which says nothing. */
const wordsOf = (form: URLSearchParams, unit: string, hasLines: boolean): string =>
  JSON.stringify(
    entriesOf(form, unit)
      .map(([name, value]) => `${name} ${hasLines ? value : value.trim()}`)
      .toSorted(),
  );

/** Whether it is a box for several lines: the ends of its text may matter, e.g. those of a body. */
const isOfLines = (control: Control): boolean =>
  control.is === "long" || control.is === "lines" || (control.is === "secret" && control.lines > 1);

/** Whether I typed a secret, or an address that may hold one. */
function hasTypedSecret(control: Control, unit: string, { base, mine }: Merging): boolean {
  const isNew = ([name, value]: Entry): boolean =>
    value.trim() !== "" && base?.get(name)?.trim() !== value.trim();
  const typed = entriesOf(mine, unit).filter(isNew);
  switch (control.is) {
    case "secret":
    case "password":
      return typed.some(([name]) => !name.endsWith(".saved"));
    case "address":
      return typed.length > 0;
    case "rows":
    case "pairs":
      return typed.some(([name]) => {
        const column = control.columns[name.replace(/^.*\]\./, "")]?.control.is;
        return column === "secret" || column === "password";
      });
    default:
      return false;
  }
}
