import type { ServiceImpl } from "@connectrpc/connect";
import type { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import type { Clock } from "#clock";
import * as limits from "#limits/status-limits";
import { refuseViolations } from "#service/call-refusal";
import type { Monitors } from "#service/monitors";
import { componentMessage, groupMessage } from "#service/status/page-message";
import { noComponent, noGroup, tooMany } from "#service/status/page-refusals";
import type { StatusPages } from "#service/status/status-pages";
import { partFaults } from "#status/page-rules";
import { integerOf, type MonitorId } from "#store/ids";
import type { ComponentRow, GroupRow } from "#store/page-store";
import type { Store } from "#store/store";

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
    return { component: await added(api, page, { ...request, monitor: monitor.id, name: shown }) };
  },
  addStaticComponent: async ({ pageId, ...request }) => {
    const { id: page } = await api.statusPages.get(pageId);
    return { component: await added(api, page, { ...request, monitor: null }) };
  },
  updateComponent: async (request) => {
    const before = await component(api, request.id);
    const { groupId } = request;
    const row: ComponentRow = {
      ...before,
      name: request.name ?? before.name,
      description: request.description ?? before.description,
      order: request.order ?? before.order,
      group: groupId === undefined ? before.group : await groupOf(api, before.page, groupId),
      groupOrder: request.groupOrder ?? before.groupOrder,
      updatedAt: api.clock.wall(),
    };
    refuseLong(row);
    if (!(await api.store.pages.components.update(row))) throw noComponent(request.id);
    return { component: componentMessage(row) };
  },
  getPageComponent: async ({ id }) => ({ component: componentMessage(await component(api, id)) }),
  removeComponent: async ({ id }) => {
    if (!(await api.store.pages.components.delete(integerOf(id) ?? 0))) throw noComponent(id);
    return { success: true };
  },
});

interface WantedComponent {
  readonly monitor: MonitorId | null;
  readonly name: string;
  readonly description?: string | undefined;
  readonly order?: number | undefined;
  readonly groupId?: string | undefined;
}

async function added(api: ComponentApi, page: number, wanted: WantedComponent) {
  const { monitor, name, description = "", order = null, groupId = "" } = wanted;
  refuseLong({ name, description });
  const { components } = api.store.pages;
  if ((await components.countOf(page)) >= limits.pageComponentsMax)
    throw tooMany(limits.pageComponentsMax, "components on this page");
  const group = await groupOf(api, page, groupId);
  const at = api.clock.wall();
  const id = await components.create({ page, monitor, name, description, order, group, at });
  return componentMessage(await component(api, String(id)));
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

export const groupCalls = (
  api: ComponentApi,
): Pick<Calls, "createComponentGroup" | "updateComponentGroup" | "deleteComponentGroup"> => ({
  createComponentGroup: async ({ pageId, name, defaultOpen = false }) => {
    const { id: page } = await api.statusPages.get(pageId);
    refuseLong({ name, description: "" });
    const { groups } = api.store.pages;
    if ((await groups.countOf(page)) >= limits.pageGroupsMax)
      throw tooMany(limits.pageGroupsMax, "groups on this page");
    const id = await groups.create({ page, name, defaultOpen, createdAt: api.clock.wall() });
    return { group: groupMessage(await group(api, String(id))) };
  },
  updateComponentGroup: async ({ id, name, defaultOpen }) => {
    const before = await group(api, id);
    const row: GroupRow = {
      ...before,
      name: name ?? before.name,
      defaultOpen: defaultOpen ?? before.defaultOpen,
      updatedAt: api.clock.wall(),
    };
    refuseLong({ name: row.name, description: "" });
    if (!(await api.store.pages.groups.update(row))) throw noGroup(id);
    return { group: groupMessage(row) };
  },
  deleteComponentGroup: async ({ id }) => {
    if (!(await api.store.pages.groups.delete(integerOf(id) ?? 0))) throw noGroup(id);
    return { success: true };
  },
});
