import { pageComponentsMax } from "#limits/status-limits";
import { type FormFields, type Choice, column } from "#check/form-field";
import type { Html } from "#web/page/html";
import type { Basis } from "#service/store/audit/actor";
import { noMonitor, refuseViolations } from "#service/edge/call-refusal";
import { boxForm, onlyGroup, type RefusedForm } from "#service/operator/forms/box-form";
import { foldedGroup, type FormGroup } from "#service/operator/forms/form-group";
import { refuseGone } from "#service/operator/gone-choices";
import type { FormRequest, KnownReader, PageContext } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { wholeNumber } from "#service/operator/whole-number";
import {
  addComponent,
  addGroup,
  addMonitorComponents,
  changeComponent,
  changeGroup,
} from "#service/api/component-calls";
import { isNoComponent, noComponent, noGroup } from "#service/status-site/page-refusals";
import { hasInternalAddress, internalNameWords } from "#service/operator/publishing/internal-name";
import { monitorsOf, offeredTo } from "#service/operator/publishing/monitor-batches";
import { monitorId } from "#service/store/ids";
import type { ComponentRow, GroupRow, PageContent } from "#service/store/page-store";
import type { MonitorRow } from "#service/store/state-store";

const name = column("Name", { is: "text", width: "name" });
/** The same with a warning, if visitors could not do anything with what it says. */
const publicName = (called: string) => ({
  ...name,
  ...(hasInternalAddress(called) ? { help: internalNameWords } : {}),
});
const groupOf = (groups: readonly GroupRow[]): FormFields =>
  groups.length === 0
    ? {}
    : {
        group: column("Group", {
          is: "choice",
          choices: [["", "none"], ...groups.map(({ id, name }): Choice => [String(id), name])],
        }),
      };

/** What a new group can take at once, in the order of the page. */
export const inNoGroup = ({ components }: PageContent): readonly ComponentRow[] =>
  components.filter(({ group }) => group === null);

/** The fields of each form about what a page shows. */
export const partFields = {
  monitors: ({ groups }: PageContent, batches: readonly Choice[] = []): FormFields => ({
    ...(batches.length === 0
      ? {}
      : {
          which: column(
            "Which",
            { is: "choice", choices: batches },
            "What is ticked is always added.",
          ),
        }),
    monitors: column("Monitors", { is: "several" }),
    ...groupOf(groups),
  }),
  part: ({ groups }: PageContent): FormFields => ({
    name: { ...name, help: "Its state is what reports say." },
    description: column("Description", { is: "long", lines: 3 }),
    ...groupOf(groups),
  }),
  group: (content: PageContent): FormFields => ({
    name,
    ...(inNoGroup(content).length === 0
      ? {}
      : {
          components: column(
            "Components",
            { is: "several" },
            "Those in no group. You can move others into it later.",
          ),
        }),
  }),
  changedGroup: (_content: PageContent, called = ""): FormFields => ({
    name: publicName(called),
    default_open: column(
      "Readers see its components at once",
      { is: "flag" },
      "Else they open it.",
    ),
  }),
  component: ({ groups }: PageContent, called = ""): FormFields => ({
    name: publicName(called),
    description: column("Description", { is: "long", lines: 3 }),
    ...groupOf(groups),
    place: {
      ...column(
        "Position",
        { is: "number", unit: "" },
        "The arrows of the list and dragging set it. 1 comes first, and the name decides between equal ones.",
      ),
      group: "position",
    },
  }),
} as const;

/** The buttons of the list order components; a number is for whoever wants a certain one. */
const componentGroups: readonly FormGroup[] = [...onlyGroup, foldedGroup("position", "Position")];

interface PartForms {
  readonly content: PageContent;
  readonly reader: KnownReader;
  readonly refused: RefusedForm | null;
}

/** The form that changes one component. */
export const componentForm = (
  { id, page, name: called, description, order, group, groupOrder }: ComponentRow,
  { content, reader, refused, basis }: PartForms & { readonly basis: Basis },
): Html => {
  const path = `/status-pages/${page}/components/${id}`;
  return boxForm({
    action: path,
    reader,
    fields: partFields.component(content, called),
    groups: componentGroups,
    choices: {},
    fresh: new URLSearchParams({
      name: called,
      description,
      group: group === null ? "" : String(group),
      place: String((group === null ? order : groupOrder) + 1),
    }),
    refused,
    basis,
    submit: "Save",
    cancel: `/status-pages/${page}#component-${id}`,
  });
};

/** The form that changes one group. */
export const groupForm = (
  { id, page, name: called, defaultOpen }: GroupRow,
  { content, reader, refused, basis }: PartForms & { readonly basis: Basis },
): Html =>
  boxForm({
    action: `/status-pages/${page}/groups/${id}`,
    reader,
    fields: partFields.changedGroup(content, called),
    groups: onlyGroup,
    choices: {},
    fresh: new URLSearchParams({ name: called, ...(defaultOpen ? { default_open: "yes" } : {}) }),
    refused,
    basis,
    submit: "Save",
    cancel: `/status-pages/${page}#group-${id}`,
  });

/** What was typed into a form about what a page shows. */
export interface TypedPart {
  readonly content: PageContent;
  readonly typed: URLSearchParams;
  /** The id of the component that it is about; empty if it adds one. */
  readonly part: string;
}

export async function addMonitors(
  { rooms, pictures }: PageContext,
  { content, typed }: TypedPart,
): Promise<void> {
  const known = (await pictures.now()).monitors;
  const ticked = typed.getAll("monitors");
  refuseGone("monitors", ticked, known);
  const which = typed.get("which") ?? "";
  const batch = which === "" ? [] : monitorsOf(which, offeredTo(content, known));
  if (which !== "" && batch.length === 0)
    refuseViolations([{ field: "which", message: "has no monitor any more that can be added" }]);
  const ids = [...new Set([...ticked, ...batch])];
  if (ids.length === 0)
    refuseViolations([{ field: "monitors", message: "must have at least one chosen" }]);
  const room = pageComponentsMax - content.components.length;
  if (ids.length > room)
    refuseViolations([
      {
        field: "monitors",
        message: `must be ${room} at most: a page has ${pageComponentsMax} components, and this one has ${content.components.length}`,
      },
    ]);
  const groupId = groupIn(typed, content);
  await addMonitorComponents(rooms, content.page.id, await monitorsIn(rooms, ids), groupId);
}

/** In the order of the ids; one that is gone meanwhile is refused. */
async function monitorsIn(
  { monitors }: PageRooms,
  ids: readonly string[],
): Promise<readonly MonitorRow[]> {
  const rows = await monitors.among(ids.map((id) => monitorId(Number(id))));
  const byId = new Map(rows.map((row) => [String(row.id), row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (row === undefined) throw noMonitor(id);
    return row;
  });
}

export async function addPart(
  { rooms }: PageContext,
  { content, typed }: TypedPart,
): Promise<void> {
  const wanted = {
    monitor: null,
    name: nameIn(typed),
    description: typed.get("description")?.trim() ?? "",
    groupId: groupIn(typed, content),
  };
  await addComponent(rooms, content.page.id, wanted);
}

export async function addNamedGroup(
  { rooms }: PageContext,
  { content, typed }: TypedPart,
): Promise<void> {
  const taken = new Set(typed.getAll("components"));
  const offered = inNoGroup(content);
  refuseGone("components", [...taken], offered);
  const made = { page: content.page.id, name: nameIn(typed), defaultOpen: false };
  const { id: group } = await addGroup(rooms, made);
  const rows = offered.filter(({ id }) => taken.has(String(id)));
  for (const [groupOrder, { id }] of rows.entries())
    try {
      await changeComponent(rooms, { id: String(id), groupId: String(group), groupOrder });
    } catch (error) {
      // The group is made: if this were refused, whoever sends the form again would make a second one.
      if (!isNoComponent(error)) throw error;
    }
}

export async function changePart(
  { rooms }: PageContext,
  { content, typed, part }: TypedPart,
): Promise<void> {
  await componentOf(rooms, content.page.id, part);
  const place = wholeNumber(typed.get("place"));
  if (place === undefined || place === 0)
    refuseViolations([{ field: "place", message: "must be a whole number from 1, for example 3" }]);
  const group = groupIn(typed, content);
  const order = (place ?? 1) - 1;
  await changeComponent(rooms, {
    id: part,
    name: nameIn(typed),
    description: typed.get("description")?.trim() ?? "",
    groupId: group,
    ...(group === "" ? { order } : { groupOrder: order }),
  });
}

export async function removePart(
  rooms: PageRooms,
  page: number,
  { part }: FormRequest,
): Promise<void> {
  const { id } = await componentOf(rooms, page, part);
  await rooms.store.pages.components.delete(id);
}

export async function changeNamedGroup(
  { rooms }: PageContext,
  { content, typed, part }: TypedPart,
): Promise<void> {
  const { id } = await groupOfPage(rooms, content.page.id, part);
  const defaultOpen = typed.has("default_open");
  await changeGroup(rooms, { id: String(id), name: nameIn(typed), defaultOpen });
}

export async function removeGroup(
  rooms: PageRooms,
  page: number,
  { part }: FormRequest,
): Promise<void> {
  const { id } = await groupOfPage(rooms, page, part);
  await rooms.store.pages.groups.delete(id);
}

/** A group of this page and no other. */
async function groupOfPage(rooms: PageRooms, page: number, part: string): Promise<GroupRow> {
  const row = await rooms.store.pages.groups.get(Number(part));
  if (row?.page !== page) throw noGroup(part);
  return row;
}

/** A component of this page and no other. */
async function componentOf(rooms: PageRooms, page: number, part: string): Promise<ComponentRow> {
  const row = await rooms.store.pages.components.get(Number(part));
  if (row?.page !== page) throw noComponent(part);
  return row;
}

const nameIn = (typed: URLSearchParams): string => typed.get("name")?.trim() ?? "";

function groupIn(typed: URLSearchParams, { groups }: PageContent): string {
  const id = typed.get("group") ?? "";
  if (id !== "") refuseGone("group", [id], groups);
  return id;
}
