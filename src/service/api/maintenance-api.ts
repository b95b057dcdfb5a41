import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import {
  MaintenanceService,
  type UpdateMaintenanceRequest,
} from "#contract/openstatus/maintenance/v1/maintenance_pb";
import { type IncidentApi, locationNumbers, monitorNumbers } from "#service/api/incident-api";
import { lacksSubscribers, maintenanceViolations } from "#service/maintenance/maintenance-rules";
import { noMoments, type SaidMoments } from "#service/alerting/work-moments";
import { writtenTime } from "#service/edge/written-time";
import { refuseViolations } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { maintenanceMessage, noMaintenance } from "#service/api/maintenance-message";
import { maintenanceDateCalls } from "#service/api/maintenance-date-calls";
import { maintenanceUpdateCalls, wholeMaintenance } from "#service/api/maintenance-update-calls";
import { timeText } from "#service/monitors/shown-monitor";
import type { StatusPages } from "#service/status-site/status-pages";
import type { MaintenanceRow, NewMaintenance } from "#service/store/maintenance-store";
import { integerOf } from "#service/store/ids";
import type { MaintenanceDefinition } from "#service/resources/maintenance-definition";
import { unixLines } from "#base/text";
import { epochMillis } from "#base/units";

interface MaintenanceApi extends IncidentApi {
  readonly statusPages: StatusPages;
}

/** openstatus.maintenance.v1.MaintenanceService: planned work, once or again and again. */
export function maintenanceApi(router: ConnectRouter, api: MaintenanceApi): void {
  const { maintenances } = api.store.alerts;
  router.service(MaintenanceService, {
    createMaintenance: async (request) => {
      const says = saysIn(request, { page: request.pageId, says: noMoments });
      const components = await pageComponents(api, request.pageId, request.pageComponentIds);
      const wanted = { ...request, components, notify: request.notify ?? true };
      const made = { ...(await newMaintenance(api, wanted)), says };
      const id = await maintenances.create(made, request.notify ?? false);
      return { maintenance: await wholeMaintenance(api, String(id)) };
    },
    getMaintenance: async ({ id }) => ({ maintenance: await wholeMaintenance(api, id) }),
    listMaintenances: async (request) => {
      const list = await maintenances.list(request.pageId ?? null, pageOf(request));
      return { maintenances: list.maintenances.map(maintenanceMessage), totalSize: list.total };
    },
    updateMaintenance: async (request) => {
      const before = await maintenances.get(integerOf(request.id) ?? 0);
      if (before === null) throw noMaintenance(request.id);
      const changed = await changedMaintenance(api, before, request);
      refuseViolations(maintenanceViolations(changed));
      const announces = request.notify ?? false;
      if (!(await maintenances.update(before.id, changed, announces)))
        throw noMaintenance(request.id);
      return { maintenance: await wholeMaintenance(api, request.id) };
    },
    deleteMaintenance: async ({ id }) => {
      if (!(await maintenances.delete(integerOf(id) ?? 0))) throw noMaintenance(id);
      return { success: true };
    },
    ...maintenanceUpdateCalls(api),
    ...maintenanceDateCalls(api),
  } satisfies ServiceImpl<typeof MaintenanceService>);
}

/** What is absent stays. */
async function changedMaintenance(
  api: MaintenanceApi,
  before: MaintenanceRow,
  request: UpdateMaintenanceRequest,
): Promise<NewMaintenance> {
  const { from, to } = request;
  const named = maskOf(request.updateMask);
  const given = {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
  const replaces = (field: MaskedField, flag: boolean | undefined): boolean =>
    flag === true || named.has(field);
  return {
    title: request.title ?? before.title,
    message: unixLines(request.message ?? before.message),
    ...writtenWindow({ from: timeText(before.from), to: timeText(before.to), ...given }),
    recurrence: request.recurrence ?? (named.has("recurrence") ? "" : before.recurrence),
    timeZone: request.timeZone ?? before.timeZone,
    page: before.page,
    components: replaces("page_component_ids", request.updatePageComponentIds)
      ? await pageComponents(api, before.page, request.pageComponentIds)
      : before.components,
    monitors: replaces("monitor_ids", request.updateMonitorIds)
      ? await monitorNumbers(api.monitors, request.monitorIds)
      : before.monitors,
    locations: replaces("private_location_ids", request.updatePrivateLocationIds)
      ? await locationNumbers(api.locations, request.privateLocationIds)
      : before.locations,
    owner: before.owner,
    notify: request.notify ?? before.notify,
    says: saysIn(request, before),
    at: api.clock.wall(),
  };
}

/** What subscribers are sent by itself. Work that no page shows has none. */
function saysIn(
  { remindSubscribers, sayTimes }: Pick<UpdateMaintenanceRequest, "remindSubscribers" | "sayTimes">,
  { page, says }: { readonly page: string; readonly says: SaidMoments },
): SaidMoments {
  const wanted = { remind_subscribers: remindSubscribers, say_times: sayTimes };
  if (page === "")
    refuseViolations(
      Object.entries(wanted).flatMap(([field, value]) =>
        value === true ? [{ field, message: lacksSubscribers }] : [],
      ),
    );
  return { reminder: remindSubscribers ?? says.reminder, times: sayTimes ?? says.times };
}

const maskedFields = [
  ...(["title", "message", "from", "to", "time_zone", "notify", "recurrence"] as const),
  ...(["remind_subscribers", "say_times"] as const),
  ...(["page_component_ids", "monitor_ids", "private_location_ids"] as const),
] as const;
type MaskedField = (typeof maskedFields)[number];

/** What it names is set exactly as given, an empty list too. */
function maskOf(mask: FieldMask | undefined): ReadonlySet<MaskedField> {
  const paths = mask?.paths ?? [];
  const known = maskedFields.filter((field) => paths.includes(field));
  if (known.length < new Set(paths).size)
    refuseViolations([
      { field: "update_mask", message: `may name ${maskedFields.join(", ")} alone` },
    ]);
  return new Set(known);
}

/** Each has to stand on the page, which has to be there. */
async function pageComponents(
  { statusPages }: MaintenanceApi,
  pageId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (pageId === "" && ids.length > 0)
    refuseViolations([{ field: "page_id", message: "is required with page_component_ids" }]);
  if (pageId !== "") await statusPages.componentsAmong((await statusPages.get(pageId)).id, ids);
  return [...new Set(ids)];
}

/** What a person asks for, in words. */
export interface WantedMaintenance extends Readonly<Record<keyof MaintenanceDefinition, string>> {
  readonly pageId: string;
  readonly components: readonly string[];
  readonly monitorIds: readonly string[];
  readonly privateLocationIds: readonly string[];
  readonly notify: boolean;
}

/** The same as it is kept; what is wrong with it is refused by its field. */
export async function newMaintenance(
  { monitors, locations, clock }: Omit<IncidentApi, "store">,
  wanted: WantedMaintenance,
): Promise<NewMaintenance> {
  const made: NewMaintenance = {
    title: wanted.title,
    message: unixLines(wanted.message),
    ...writtenWindow(wanted),
    recurrence: wanted.recurrence,
    timeZone: wanted.timeZone === "" ? "UTC" : wanted.timeZone,
    page: wanted.pageId,
    components: wanted.components,
    monitors: await monitorNumbers(monitors, wanted.monitorIds),
    locations: await locationNumbers(locations, wanted.privateLocationIds),
    owner: "",
    notify: wanted.notify,
    at: clock.wall(),
  };
  refuseViolations(maintenanceViolations(made));
  return made;
}

/** Both instants, each refused by the name of its field. */
function writtenWindow(window: { readonly from: string; readonly to: string }) {
  const { from, to } = window;
  const [begins, ends] = Object.entries({ from, to }).map(([field, text]) =>
    writtenTime(field, text),
  );
  return { from: begins ?? epochMillis(0), to: ends ?? epochMillis(0) };
}
