import {
  differencesByName,
  type FieldDifference,
  plainDifference,
} from "#service/configuration/field-difference";
import type { Planning } from "#service/configuration/planning";
import type { ResourceKind } from "#service/configuration/planned-change";
import type {
  WantedComponent,
  WantedPage,
  WantedObject,
} from "#service/configuration/wanted-pages";
import { namedComponent, namedGroup } from "#service/status-page/part-definitions";
import type { ObjectRef, PageWrite } from "#service/store/configuration-store";
import type { ComponentRow, PageContent } from "#service/store/page-store";

interface PartPlan extends Pick<PageWrite, "groups" | "components"> {
  /** The components by their names. */
  readonly refs: ReadonlyMap<string, ObjectRef>;
}

/** What stands on a page is what the files say of it: the rest goes. It belongs to whoever owns the page. */
export function planParts(
  planning: Planning,
  page: WantedPage,
  content: PageContent | null,
): PartPlan {
  const groups = planGroups(planning, page, content);
  const components = planComponents(planning, page, content, groups.refs);
  return { groups: groups.writes, components: components.writes, refs: components.refs };
}

interface PartWrites<W> {
  readonly writes: readonly W[];
  readonly refs: ReadonlyMap<string, ObjectRef>;
}

function planGroups(
  planning: Planning,
  page: WantedPage,
  content: PageContent | null,
): PartWrites<PageWrite["groups"][number]> {
  const kind = "status_page_component_group";
  const say = sayer(planning, page, content, kind);
  const { found, left } = matched(page.groups, content?.groups ?? []);
  const refs = new Map<string, ObjectRef>();
  const writes = found.flatMap(({ one, row }) => {
    const key = `group ${page.name} ${one.name}`;
    refs.set(one.name, row?.id ?? key);
    const fields = row === null ? [] : differencesByName(namedGroup(row), namedGroup(one));
    const notes = renamed(one, row);
    say(row === null ? "create" : fields.length === 0 ? "same" : "update", one.name, fields, notes);
    const { name, defaultOpen } = one;
    return row !== null && fields.length === 0
      ? []
      : [{ key, id: row?.id ?? null, name, defaultOpen }];
  });
  for (const { id, name } of left) {
    say("delete", name, [], []);
    planning.remove("group", id);
  }
  return { writes, refs };
}

function planComponents(
  planning: Planning,
  page: WantedPage,
  content: PageContent | null,
  groups: ReadonlyMap<string, ObjectRef>,
): PartWrites<PageWrite["components"][number]> {
  const say = sayer(planning, page, content, "status_page_component");
  const { found, left } = matched(page.components, content?.components ?? []);
  const refs = new Map<string, ObjectRef>();
  const writes = found.flatMap(({ one, row }) => {
    const { name, description, order, groupOrder } = one;
    const monitor = monitorOf(planning, page, one);
    // What a component is of never changes: one of another monitor is another component.
    const isOther = row !== null && (row.monitor ?? null) !== monitor;
    const id = row === null || isOther ? null : row.id;
    const key = `component ${page.name} ${name}`;
    refs.set(name, id ?? key);
    const fields =
      row === null ? [] : componentDifferences(planning, { row, content }, one, monitor);
    const notes = [...renamed(one, row), ...(isOther ? ["it shows something else"] : [])];
    const isSame = row !== null && fields.length === 0;
    const action = row === null ? "create" : isOther ? "replace" : isSame ? "same" : "update";
    say(action, name, fields, notes);
    if (isOther) planning.remove("component", row.id);
    const group = one.group === "" ? null : (groups.get(one.group) ?? null);
    return isSame ? [] : [{ key, id, monitor, name, description, order, group, groupOrder }];
  });
  for (const { id, name } of left) {
    say("delete", name, [], []);
    planning.remove("component", id);
  }
  return { writes, refs };
}

/** Null: a static one. */
function monitorOf(
  planning: Planning,
  page: WantedPage,
  { monitor, name }: WantedComponent,
): ObjectRef | null {
  if (monitor === null) return null;
  const by = `The component "${name}" of the status page "${page.name}"`;
  const refs = planning.monitorsNamed([monitor], by);
  if (refs.length > 1)
    planning.conflicts.push(
      `${by} shows one monitor, and ${refs.length} are named "${monitor.name}". Rename the others, or say id:NUMBER.`,
    );
  return refs[0] ?? null;
}

function componentDifferences(
  planning: Planning,
  { row, content }: { readonly row: ComponentRow; readonly content: PageContent | null },
  one: WantedComponent,
  monitor: ObjectRef | null,
): readonly FieldDifference[] {
  const before = content?.groups.find(({ id }) => id === row.group)?.name ?? "";
  const shown = (ref: ObjectRef | null): string => (ref === null ? "" : planning.monitorName(ref));
  return [
    ...plainDifference("monitor", shown(row.monitor), shown(monitor)),
    ...differencesByName(namedComponent(row), namedComponent(one)),
    ...plainDifference("group", before, one.group),
  ];
}

/** Each entry with the row of its name, else of the name before; and the rows that no entry means. */
function matched<W extends WantedObject, R extends { readonly id: number; readonly name: string }>(
  wanted: readonly W[],
  rows: readonly R[],
): {
  readonly found: readonly { readonly one: W; readonly row: R | null }[];
  readonly left: readonly R[];
} {
  const names = new Set(wanted.map(({ name }) => name));
  const left = new Set(rows);
  const take = (name: string): R | null => {
    const row = [...left].find((one) => one.name === name) ?? null;
    if (row !== null) left.delete(row);
    return row;
  };
  const found = wanted.map((one) => {
    const before = one.renamedFrom === "" || names.has(one.renamedFrom) ? "" : one.renamedFrom;
    return { one, row: take(one.name) ?? (before === "" ? null : take(before)) };
  });
  return { found, left: [...left] };
}

const renamed = ({ name, renamedFrom }: WantedObject, row: { readonly name: string } | null) =>
  row === null || row.name === name ? [] : [`was "${renamedFrom}"`];

const sayer =
  (
    planning: Planning,
    { name: slug }: WantedPage,
    content: PageContent | null,
    kind: ResourceKind,
  ) =>
  (
    action: "create" | "update" | "replace" | "delete" | "same",
    name: string,
    fields: readonly FieldDifference[],
    notes: readonly string[],
  ): void =>
    planning.say(content?.page.id ?? null, {
      action,
      kind,
      name: `${slug}/${name}`,
      fields,
      notes,
    });
