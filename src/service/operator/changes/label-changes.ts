import { isMapping } from "#base/json";
import type { FieldChange } from "#service/store/audit/field-change";

/** The fields that hold labels: their names are what people typed. */
const labelFields: readonly string[] = ["labels", "file labels"];

/** Whether a field is one label, e.g. `labels: team`. */
export const isLabel = (field: string): boolean =>
  labelFields.some((name) => field.startsWith(`${name}: `));

/** Changes with one for each label that differs, as headers are recorded: `labels: team`, before and after. */
export function byLabel(fields: readonly FieldChange[]): readonly FieldChange[] {
  const all = fields.flatMap((change) => {
    if (change.is !== "text" || !labelFields.includes(change.field)) return [change];
    const [before, after] = [labelsIn(change.before), labelsIn(change.after)];
    return before === null || after === null ? [change] : differences(change.field, before, after);
  });
  // What a monitor and its file say of one label is one change.
  const known = new Set(all.map(({ field }) => field));
  return all.filter(
    ({ field }) =>
      !known.has(field.replace(/^file labels: /, "labels: ")) || !field.startsWith("file labels: "),
  );
}

function differences(
  field: string,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly FieldChange[] {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return keys
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => ({
      field: `${field}: ${key}`,
      is: "text",
      before: before.get(key) ?? null,
      after: after.get(key) ?? null,
    }));
}

/** Null of a text that was cut because it was too long for the log. */
function labelsIn(text: string | null): ReadonlyMap<string, string> | null {
  if (text === null) return new Map();
  try {
    const labels: unknown = JSON.parse(text);
    if (!isMapping(labels)) return null;
    return new Map(Object.entries(labels).map(([key, value]) => [key, String(value)]));
  } catch {
    return null;
  }
}
