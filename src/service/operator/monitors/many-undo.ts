import * as limits from "#limits/pages-limits";
import { undoneWithin } from "#limits/service-limits";
import type { EpochMillis, Millis } from "#base/units";
import type { MonitorId } from "#service/store/ids";
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
      return formOf(rows, { act: "delete" });
  }
}

/** Whether there is room to keep them. */
export const canUndo = (forms: readonly URLSearchParams[]): boolean =>
  forms.length <= limits.undoStepsMax && kept(forms).toString().length <= limits.formBytesMax;

const kept = (forms: readonly URLSearchParams[]): URLSearchParams =>
  new URLSearchParams(forms.map((form) => [step, form.toString()]));

/** One for all that had the same value, and one for those that had none. */
function unlabelling(
  rows: readonly MonitorRow[],
  { key, value }: Extract<MonitorChange, { kind: "label" }>,
): readonly URLSearchParams[] {
  const before = ({ definition: { labels } }: MonitorRow): string | null => labels[key] ?? null;
  const changed = rows.filter((row) => before(row) !== value);
  const made = value === null ? {} : { made: value };
  return [...Map.groupBy(changed, before)].flatMap(([was, some]) =>
    formOf(some, {
      key,
      ...made,
      ...(was === null ? { act: "unlabel" } : { act: "label", value: was }),
    }),
  );
}

/** The change that a step undoes: the store leaves what someone changed since. */
export function madeBefore(change: MonitorChange, step: URLSearchParams): MonitorChange {
  switch (change.kind) {
    case "active":
      return { kind: "active", active: !change.active };
    case "location":
      return { ...change, assigned: !change.assigned };
    case "label":
      return { ...change, value: step.get("made") };
    case "delete":
      return change;
  }
}

const formOf = (
  rows: readonly Pick<MonitorRow, "id">[],
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

/** Keeps them for whoever did it. Gives the word by which they are found; null if there is nothing to undo. */
export async function keepUndoing(
  room: KeptForms,
  reader: KnownReader,
  forms: readonly URLSearchParams[],
  length: Millis = undoneWithin,
): Promise<string | null> {
  if (forms.length === 0) return null;
  if (!canUndo(forms)) return noUndo;
  const whole = { path: undoPath, form: kept(forms) };
  return (await room.keepAs(whoUndoes(reader), whole, length)) ?? noUndo;
}

/** What takes monitors away again that were made together. */
export const undoingMade = (ids: readonly MonitorId[]): readonly URLSearchParams[] =>
  formOf(
    ids.map((id) => ({ id })),
    { act: madeAct },
  );

/** The act that such a form undoes. */
export const madeAct = "create";

/** What is left to be put back of a deletion. */
export const stillDeleted = (ids: readonly MonitorId[]): readonly URLSearchParams[] =>
  formOf(
    ids.map((id) => ({ id })),
    { act: "delete" },
  );

/** Says that an act cannot be undone: it has too many values to go back to, or there is no room. */
export const noUndo = "none";

/** Until when it can be undone; null if it is too late, was done, or is another person's. */
export const undoableUntil = (
  kept: KeptForms,
  reader: KnownReader,
  id: string,
): Promise<EpochMillis | null> => kept.keptUntil(id, whoUndoes(reader));

/** Reads them, and leaves them to be tried again. */
export async function undoingIn(
  kept: KeptForms,
  reader: KnownReader,
  id: string,
): Promise<readonly URLSearchParams[] | null> {
  const found = await kept.get(id, whoUndoes(reader));
  return found?.form.getAll(step).map((text) => new URLSearchParams(text)) ?? null;
}

/** Whether they are this caller's to do: not if another press was quicker. */
export const endUndoing = (kept: KeptForms, reader: KnownReader, id: string): Promise<boolean> =>
  kept.remove(id, whoUndoes(reader));

export const undoPath = "/monitors/many/undo";
const step = "step";

/** Not those of forms whose session has ended: a few of each are kept. */
const whoUndoes = (reader: KnownReader): string =>
  `undo ${reader.kind === "local" ? "" : reader.who}`;
