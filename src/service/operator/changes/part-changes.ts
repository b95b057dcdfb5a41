import { isMapping } from "#base/json";
import type { FieldChange } from "#service/store/audit/field-change";
import { type PartKind, partKinds } from "#service/store/trash/trash-store";

/** A component, a group or a template of a status page, as the log has it. */
interface LoggedPart {
  readonly name: string;
  readonly order: number;
  readonly groupOrder: number;
  readonly monitor?: number;
  readonly group?: number;
  /** All that it says. */
  readonly said: Readonly<Record<string, unknown>>;
}

/** How a part of a status page was changed. Null: it was not there, or it is there no more. */
export interface PartChange {
  readonly kind: PartKind;
  readonly field: string;
  readonly before: LoggedPart | null;
  readonly after: LoggedPart | null;
}

/** Null of a field that is no part of a status page. */
export function partChange(change: FieldChange): PartChange | null {
  const { field } = change;
  const kind = kindOf(field);
  if (change.is !== "text" || kind === null) return null;
  const [before, after] = [change.before, change.after].map((value) => loggedPart(field, value));
  return { kind, field, before: before ?? null, after: after ?? null };
}

function kindOf(field: string): PartKind | null {
  const [, kind] = /^([a-z]+) \d+$/.exec(field) ?? [];
  return partKinds.find((one) => one === kind) ?? null;
}

/** What the log has of a part; null of any other field, and of what was cut because it was too long. */
export function loggedPart(field: string, value: string | null): LoggedPart | null {
  if (value === null || kindOf(field) === null) return null;
  try {
    const said: unknown = JSON.parse(value);
    if (!isMapping(said)) return null;
    const { name, order, groupOrder, monitor, group } = said;
    return {
      name: typeof name === "string" ? name : "",
      order: typeof order === "number" ? order : 0,
      groupOrder: typeof groupOrder === "number" ? groupOrder : 0,
      ...(typeof monitor === "number" ? { monitor } : {}),
      ...(typeof group === "number" ? { group } : {}),
      said,
    };
  } catch {
    return null;
  }
}

export type PartDeed = "added" | "removed" | "moved" | "changed";

/** What was done to the parts of a page; null if something else of it was changed. Where others went then is no news. */
export function partDeed(changes: readonly FieldChange[]): PartDeed | null {
  const parts = changes.map(partChange);
  const known = parts.flatMap((part) => (part === null ? [] : [part]));
  if (known.length < parts.length || known.length === 0) return null;
  const news = known.filter((part) => !isMoved(part));
  if (news.length === 0) return "moved";
  if (news.every(({ before }) => before === null)) return "added";
  return news.every(({ after }) => after === null) ? "removed" : "changed";
}

/** Whether all that is new of a part is where it is. */
export function isMoved({ before, after }: PartChange): boolean {
  if (before === null || after === null) return false;
  const rest = ({
    said: { order: _order, groupOrder: _groupOrder, group: _group, ...others },
  }: LoggedPart) => JSON.stringify(others);
  return rest(before) === rest(after);
}

/** Where a component went: `above` or `below` another part, or into a group; null if several went their ways. */
export type Move =
  | { readonly moved: string; readonly to: "above" | "below"; readonly other: string }
  | { readonly moved: string; readonly to: "group"; readonly group: number | null };

export function moveOf(parts: readonly PartChange[]): Move | null {
  const moves = parts.flatMap(({ before, after }) =>
    before === null || after === null ? [] : [{ before, after }],
  );
  const regrouped = moves.filter(({ before, after }) => before.group !== after.group);
  const [only] = regrouped;
  if (only !== undefined)
    return regrouped.length === 1
      ? { moved: only.after.name, to: "group", group: only.after.group ?? null }
      : null;
  const groups = new Set(moves.map(({ after }) => after.group));
  if (groups.size !== 1) return null;
  const placed = moves.map(({ before, after }) => ({
    name: after.name,
    from: placeOf(before),
    at: placeOf(after),
  }));
  return passing(placed);
}

/** Among the components outside groups by one number, within a group by another. */
const placeOf = ({ group, order, groupOrder }: LoggedPart): number =>
  group === undefined ? order : groupOrder;

interface Place {
  readonly name: string;
  readonly from: number;
  readonly at: number;
}

/** The one that went farthest passed all others, which went the other way by one. */
function passing(placed: readonly Place[]): Move | null {
  const [mover, ...others] = placed.toSorted((a, b) => wayOf(b) - wayOf(a) || a.at - b.at);
  if (mover === undefined || others.length === 0) return null;
  const isUp = mover.at < mover.from;
  if (others.some(({ from, at }) => at < from === isUp || from === at)) return null;
  const byNearest = others.toSorted((a, b) => (isUp ? a.at - b.at : b.at - a.at));
  const [other] = byNearest;
  if (other === undefined) return null;
  return { moved: mover.name, to: isUp ? "above" : "below", other: other.name };
}

const wayOf = ({ from, at }: Place): number => Math.abs(at - from);
