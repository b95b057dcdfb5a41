import type { DescMessage } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import type { MonitorService } from "#contract/openstatus/monitor/v1/monitor_pb";
import type { Kind } from "#check/monitor";
import { foreseenAt } from "#service/agents/foresight";
import { because, noMonitor, Refusal, refuseViolations } from "#service/edge/call-refusal";
import type { HistoryApi } from "#service/api/history-api";
import { shownMessage } from "#service/monitors/shown-monitor";
import { codecOf } from "#wire/kinds/codec-table";
import type { ManagedMessages, Mask } from "#wire/kinds/kind-codec";

type MonitorsApi = Pick<HistoryApi, "monitors" | "judging" | "locations" | "instances">;
type CallOfKind = `${"create" | "update"}${Uppercase<Kind>}Monitor`;

/** The calls that make and change the monitors of each kind; a kind without its two does not compile. */
export const callsOfKinds = (
  api: MonitorsApi,
): Pick<ServiceImpl<typeof MonitorService>, CallOfKind> => ({
  createHTTPMonitor: creating(api, "http"),
  updateHTTPMonitor: updating(api, "http"),
  createTCPMonitor: creating(api, "tcp"),
  updateTCPMonitor: updating(api, "tcp"),
  createDNSMonitor: creating(api, "dns"),
  updateDNSMonitor: updating(api, "dns"),
  createICMPMonitor: creating(api, "icmp"),
  updateICMPMonitor: updating(api, "icmp"),
  createGRPCMonitor: creating(api, "grpc"),
  updateGRPCMonitor: updating(api, "grpc"),
});

interface CreateRequest<K extends Kind> {
  readonly monitor?: ManagedMessages[K] | undefined;
}
interface UpdateRequest<K extends Kind> extends CreateRequest<K> {
  readonly id: string;
  readonly updateMask?: FieldMask | undefined;
}
interface MonitorAnswer<K extends Kind> {
  monitor: ManagedMessages[K];
}

interface UpdateAnswer<K extends Kind> extends MonitorAnswer<K> {
  remarks: string[];
}

const creating =
  <K extends Kind>(api: MonitorsApi, kind: K) =>
  async ({ monitor }: CreateRequest<K>): Promise<MonitorAnswer<K>> => {
    if (monitor === undefined)
      throw new Refusal("invalid_argument", "monitor is required", because("MONITOR_REQUIRED"));
    const definition = codecOf(kind).management.merged(monitor);
    const { id } = await api.monitors.create(definition, "management");
    return answer(api, id, kind);
  };

/** An update without a monitor changes nothing, and answers as every other. */
const updating =
  <K extends Kind>(api: MonitorsApi, kind: K) =>
  async ({ id, monitor, updateMask }: UpdateRequest<K>): Promise<UpdateAnswer<K>> => {
    const { schema, merged } = codecOf(kind).management;
    const mask = maskOf(schema, updateMask);
    if (id === "") throw noMonitor(id);
    const { definition: before } = await api.monitors.ofKind(id, kind);
    if (monitor !== undefined)
      await api.monitors.update(id, merged(monitor, mask, before), "management");
    return { ...(await answer(api, id, kind)), remarks: await remarksOn(api, id) };
  };

/** What the agents of its locations will do with a monitor that was saved. */
async function remarksOn({ monitors, locations, instances }: MonitorsApi, id: string) {
  const { definition, locations: ids } = await monitors.get(id);
  const places = await Promise.all(ids.map((one) => locations.get(String(one))));
  return [...(await foreseenAt(instances, definition, places))];
}

/** The monitor as it is now; another kind was refused before. */
async function answer<K extends Kind>(
  { monitors, judging }: MonitorsApi,
  id: string,
  kind: K,
): Promise<MonitorAnswer<K>> {
  const row = await monitors.ofKind(id, kind);
  const [judged] = await judging.judged([row]);
  if (judged === undefined) throw noMonitor(id);
  return { monitor: shownMessage(kind, row.definition, judged, true) };
}

/** The fields that a mask names; those that are only read are passed over, as in the message itself. */
function maskOf(schema: DescMessage, mask: FieldMask | undefined): Mask {
  const named = new Set(mask?.paths ?? []);
  const known = new Set(schema.fields.map(({ name }) => name));
  const odd = [...named].filter((path) => !known.has(path));
  refuseViolations(
    odd.map((path) => ({
      field: "update_mask",
      message: `names "${path.slice(0, 64)}", which is not a field`,
    })),
  );
  return named;
}
