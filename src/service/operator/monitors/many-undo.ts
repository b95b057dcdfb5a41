import { undoneWithin } from "#limits/service-limits";
import type { EpochMillis } from "#base/units";
import type { KeptForms } from "#service/operator/kept-forms";
import { packed, restField } from "#service/operator/forms/packed-choices";
import type { KnownReader } from "#service/operator/page-request";
import type { MonitorChange } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";

/* What was done with many monitors can be undone for a while: each gets back what it had. */

/** The forms of many monitors that undo a change of these rows, which are as before it; none if nothing changes. */
export function undoingForms(
  rows: readonly MonitorRow[],
  change: MonitorChange,
): readonly URLSearchParams[] {
  switch (change.kind) {
    case "active": {
      const changed = rows.filter(({ definition }) => definition.active !== change.active);
      return formOf(changed, { act: change.active ? "pause" : "resume" });
    }
    case "location": {
      const { location, assigned } = change;
      const changed = rows.filter(({ locations }) => locations.includes(location) !== assigned);
      const act = assigned ? "unassign" : "assign";
      return formOf(changed, { act, location: String(location) });
    }
    case "label":
      return unlabelling(rows, change);
    case "delete":
      return [];
  }
}

/** One for all that had the same value, and one for those that had none. */
function unlabelling(
  rows: readonly MonitorRow[],
  { key, value }: Extract<MonitorChange, { kind: "label" }>,
): readonly URLSearchParams[] {
  const before = ({ definition: { labels } }: MonitorRow): string | null => labels[key] ?? null;
  const changed = rows.filter((row) => before(row) !== value);
  return [...Map.groupBy(changed, before)].flatMap(([was, some]) =>
    formOf(some, was === null ? { act: "unlabel", key } : { act: "label", key, value: was }),
  );
}

const formOf = (
  rows: readonly MonitorRow[],
  fields: Readonly<Record<string, string>>,
): readonly URLSearchParams[] =>
  rows.length === 0
    ? []
    : [
        new URLSearchParams({
          ...fields,
          [restField("monitor")]: packed(rows.map(({ id }) => id)),
        }),
      ];

/** Keeps them for whoever did it. Gives the word by which they are found; null if there is nothing, or no room. */
export async function keepUndoing(
  kept: KeptForms,
  reader: KnownReader,
  forms: readonly URLSearchParams[],
): Promise<string | null> {
  if (forms.length === 0) return null;
  const all = new URLSearchParams(forms.map((form) => [step, form.toString()]));
  return kept.keepAs(whoUndoes(reader), { path: undoPath, form: all }, undoneWithin);
}

/** Until when it can be undone; null if it is too late, was done, or is another person's. */
export const undoableUntil = (
  kept: KeptForms,
  reader: KnownReader,
  id: string,
): Promise<EpochMillis | null> => kept.keptUntil(id, whoUndoes(reader));

/** Takes them out, to be done. */
export async function takeUndoing(
  kept: KeptForms,
  reader: KnownReader,
  id: string,
): Promise<readonly URLSearchParams[] | null> {
  const taken = await kept.take(id, whoUndoes(reader));
  return taken?.form.getAll(step).map((text) => new URLSearchParams(text)) ?? null;
}

export const undoPath = "/monitors/many/undo";
const step = "step";

/** Not those of forms whose session has ended: a few of each are kept. */
const whoUndoes = (reader: KnownReader): string =>
  `undo ${reader.kind === "local" ? "" : reader.who}`;
