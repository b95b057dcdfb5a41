import { isMapping } from "#base/json";
import { byLabel } from "#service/operator/changes/label-changes";
import { colourWords } from "#service/operator/publishing/look-fields";
import type { FieldChange } from "#service/store/audit/field-change";

/** Changes with one for each label and each colour that differs: no one reads a whole scheme for one colour. */
export const byPart = (fields: readonly FieldChange[]): readonly FieldChange[] =>
  byLabel(fields).flatMap(coloursOf);

/** `Text in light` of `customTheme: light --foreground`; null of any other field. */
export function colourLabel(field: string): string | null {
  const [, scheme, variable] = /^customTheme: (light|dark) (\S+)$/.exec(field) ?? [];
  if (scheme === undefined || variable === undefined) return null;
  return `${colourWords.get(variable) ?? variable} in ${scheme}`;
}

function coloursOf(change: FieldChange): readonly FieldChange[] {
  if (change.is !== "text" || change.field !== "customTheme") return [change];
  const [before, after] = [variablesIn(change.before), variablesIn(change.after)];
  if (before === null || after === null) return [change];
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const parts = names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name): FieldChange => {
      const values = { before: before.get(name) ?? null, after: after.get(name) ?? null };
      return { field: `customTheme: ${name}`, is: "text", ...values };
    });
  return parts.length === 0 ? [change] : parts;
}

/** By `light --foreground`. Null of a text that was cut because it was too long for the log. */
function variablesIn(text: string | null): ReadonlyMap<string, string> | null {
  if (text === null) return new Map();
  try {
    const schemes: unknown = JSON.parse(text);
    if (!isMapping(schemes)) return null;
    const all = Object.entries(schemes).flatMap(([scheme, variables]) =>
      Object.entries(isMapping(variables) ? variables : {}).map(
        ([name, value]) => [`${scheme} ${name}`, String(value)] as const,
      ),
    );
    return new Map(all);
  } catch {
    return null;
  }
}
