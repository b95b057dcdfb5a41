import type { ServiceImpl } from "@connectrpc/connect";
import type {
  StatusPageService,
  UpdateComponentGroupRequest,
  UpdateComponentRequest,
} from "#contract/openstatus/status_page/v1/status_page_pb";
import type { Clock } from "#base/clock";
import * as limits from "#limits/status-limits";
import { refuseViolations } from "#service/edge/call-refusal";
import type { Monitors } from "#service/monitors/monitors";
import { componentMessage, groupMessage } from "#service/status-site/page-message";
import { noComponent, noGroup, tooMany } from "#service/status-site/page-refusals";
import type { StatusPages } from "#service/status-site/status-pages";
import type { ComponentDefinition, GroupDefinition } from "#service/status-page/part-definitions";
import { partFaults } from "#service/status-page/page-rules";
import { integerOf, type MonitorId } from "#service/store/ids";
import type { ComponentRow, GroupRow } from "#service/store/page-store";
import type { MonitorRow } from "#service/store/state-store";
import type { Store } from "#service/store/store";

export interface ComponentApi {
  readonly store: Store;
  readonly statusPages: StatusPages;
  readonly monitors: Monitors;
  readonly clock: Clock;
}

type Calls = ServiceImpl<typeof StatusPageService>;

/** The calls about what stands on a page. */
export const componentCalls = (
  api: ComponentApi,
): Pick<
  Calls,
  | "addMonitorComponent"
  | "addStaticComponent"
  | "updateComponent"
  | "getPageComponent"
  | "removeComponent"
> => ({
  addMonitorComponent: async ({ pageId, monitorId, name, ...request }) => {
    const { id: page } = await api.statusPages.get(pageId);
    const monitor = await api.monitors.get(monitorId);
    const shown = name === undefined || name === "" ? monitor.definition.name : name;
    const wanted = { ...request, monitor: monitor.id, name: shown };
    return { component: componentMessage(await addComponent(api, page, wanted)) };
  },
  addStaticComponent: async ({ pageId, ...request }) => {
    const { id: page } = await api.statusPages.get(pageId);
    const wanted = { ...request, monitor: null };
    return { component: componentMessage(await addComponent(api, page, wanted)) };
  },
  updateComponent: async (request) => ({
    component: componentMessage(await changeComponent(api, request)),
  }),
  getPageComponent: async ({ id }) => ({ component: componentMessage(await component(api, id)) }),
  removeComponent: async ({ id }) => {
    if (!(await api.store.pages.components.delete(integerOf(id) ?? 0))) throw noComponent(id);
    return { success: true };
  },
});

/** What is absent stays. */
type ComponentChange = Omit<UpdateComponentRequest, "$typeName" | "$unknown">;

/** Changes what a page says of one of its components, or refuses it by its field. */
export async function changeComponent(
  api: ComponentApi,
  change: ComponentChange,
): Promise<ComponentRow> {
  const before = await component(api, change.id);
  const { groupId } = change;
  const said: ComponentDefinition = {
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    order: change.order ?? before.order,
    groupOrder: change.groupOrder ?? before.groupOrder,
  };
  const group = groupId === undefined ? before.group : await groupOf(api, before.page, groupId);
  const row: ComponentRow = { ...before, ...said, group, updatedAt: api.clock.wall() };
  refuseLong(row);
  if (!(await api.store.pages.components.update(row))) throw noComponent(change.id);
  return row;
}

interface WantedComponent {
  readonly monitor: MonitorId | null;
  readonly name: string;
  readonly description?: string | undefined;
  readonly order?: number | undefined;
  readonly groupId?: string | undefined;
}

/** Puts a component on a page, or refuses it by its field. */
export async function addComponent(
  api: ComponentApi,
  page: number,
  wanted: WantedComponent,
): Promise<ComponentRow> {
  const { monitor, name, description = "", order = null, groupId = "" } = wanted;
  refuseLong({ name, description });
  const group = await groupOf(api, page, groupId);
  const at = api.clock.wall();
  const made = { page, monitor, name, description, order, group, at };
  const id = await api.store.pages.components.create(made);
  if (id === "full") throw tooMany(limits.pageComponentsMax, "components on this page");
  return component(api, String(id));
}

/** Puts monitors on a page by their names, behind what is there: all of them, or none. */
export async function addMonitorComponents(
  api: ComponentApi,
  page: number,
  monitors: readonly MonitorRow[],
  groupId: string,
): Promise<void> {
  const parts = monitors.map(({ id, definition: { name } }) => ({ monitor: id, name }));
  for (const { name } of parts) refuseLong({ name, description: "" });
  const group = await groupOf(api, page, groupId);
  const made = { page, group, parts, at: api.clock.wall() };
  if ((await api.store.pages.components.createEach(made)) === "full")
    throw tooMany(limits.pageComponentsMax, "components on this page");
}

const refuseLong = (part: Pick<ComponentRow, "name" | "description">): void =>
  refuseViolations(partFaults(part));

async function component({ store }: ComponentApi, id: string): Promise<ComponentRow> {
  const row = await store.pages.components.get(integerOf(id) ?? 0);
  if (row === null) throw noComponent(id);
  return row;
}

/** A group of the same page; null for none. */
async function groupOf(api: ComponentApi, page: number, id: string): Promise<number | null> {
  if (id === "") return null;
  const row = await group(api, id);
  if (row.page !== page) throw noGroup(id);
  return row.id;
}

async function group({ store }: ComponentApi, id: string): Promise<GroupRow> {
  const row = await store.pages.groups.get(integerOf(id) ?? 0);
  if (row === null) throw noGroup(id);
  return row;
}

/** Makes a group on a page, or refuses it by its field. */
export async function addGroup(
  api: ComponentApi,
  made: Pick<GroupRow, "page"> & GroupDefinition,
): Promise<GroupRow> {
  refuseLong({ name: made.name, description: "" });
  const id = await api.store.pages.groups.create({ ...made, createdAt: api.clock.wall() });
  if (id === "full") throw tooMany(limits.pageGroupsMax, "groups on this page");
  return group(api, String(id));
}

/** Changes what is said of a group, or refuses it by its field; what is absent stays. */
export async function changeGroup(
  api: ComponentApi,
  { id, name, defaultOpen }: Omit<UpdateComponentGroupRequest, "$typeName" | "$unknown">,
): Promise<GroupRow> {
  const before = await group(api, id);
  const said: GroupDefinition = {
    name: name ?? before.name,
    defaultOpen: defaultOpen ?? before.defaultOpen,
  };
  const row: GroupRow = { ...before, ...said, updatedAt: api.clock.wall() };
  refuseLong({ name: row.name, description: "" });
  if (!(await api.store.pages.groups.update(row))) throw noGroup(id);
  return row;
}

export const groupCalls = (
  api: ComponentApi,
): Pick<Calls, "createComponentGroup" | "updateComponentGroup" | "deleteComponentGroup"> => ({
  createComponentGroup: async ({ pageId, name, defaultOpen = false }) => {
    const { id: page } = await api.statusPages.get(pageId);
    return { group: groupMessage(await addGroup(api, { page, name, defaultOpen })) };
  },
  updateComponentGroup: async (request) => ({
    group: groupMessage(await changeGroup(api, request)),
  }),
  deleteComponentGroup: async ({ id }) => {
    if (!(await api.store.pages.groups.delete(integerOf(id) ?? 0))) throw noGroup(id);
    return { success: true };
  },
});
