import type { FieldChange } from "#service/store/audit/field-change";

/** A field of the log that two people changed by different fields of a form. */
export interface Clash {
  /** The field of my form that makes it. */
  readonly unit: string;
  readonly change: Extract<FieldChange, { is: "text" | "secret" }>;
}

interface Overtaking {
  readonly theirs: readonly FieldChange[];
  readonly mine: readonly FieldChange[];
  /** The fields of my form that I changed and they did not. */
  readonly units: readonly string[];
  /** What my form would change with a field as they saved it. */
  readonly without: (unit: string) => Promise<readonly FieldChange[] | null>;
}

/** What both changed though no field of the form says so: a colour has a field, and may be typed among others, too. */
export async function clashes(overtaking: Overtaking): Promise<readonly Clash[]> {
  const { theirs, mine, units, without } = overtaking;
  const ofThem = new Set(theirs.filter(isSingle).map(({ field }) => field));
  const both = mine.filter(isSingle).filter(({ field }) => ofThem.has(field));
  if (both.length === 0) return [];
  const found: Clash[] = [];
  for (const unit of units) {
    const left = await without(unit);
    const change = both.find(({ field }) => left?.some((one) => one.field === field) === false);
    if (change !== undefined) found.push({ unit, change });
  }
  return found;
}

/** Of lists and mappings, each may have changed other parts; what a secret is made of is not known. */
const isSingle = (change: FieldChange): change is Clash["change"] =>
  change.is === "text" && ![change.before, change.after].some((value) => /^[[{]/.test(value ?? ""));
