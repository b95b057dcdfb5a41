import type {
  DNSMonitor,
  GRPCMonitor,
  HTTPMonitor,
  ICMPMonitor,
  MonitorsResponse,
  OtelConfig as WireOtelConfig,
  TCPMonitor,
} from "#contract/private_location/v1/private_location_pb";
import type {
  CommonFields,
  DnsDefinition,
  HttpDefinition,
  MonitorDefinition,
  TcpDefinition,
  DefinitionOf,
} from "#check/definition";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/wire-limits";
import type { Remark } from "#check/findings";
import type { Monitor, OtelConfig } from "#check/monitor";
import { assignedMonitor, assignedName } from "#check/read-monitor";
import { Alike } from "#wire/alike";
import { cutTexts } from "#wire/cut-texts";
import { headerFields, readHttpLists, readNumbers, readRecords } from "#wire/monitor-fields";
import { monitorLists } from "#wire/monitor-lists";
import { counted, cutText, shownName } from "#base/text";
import { unknownKinds, unknownParts } from "#wire/unknown-parts";
import { epochMillis, type EpochMillis } from "#base/units";

/** A remark on one monitor; null is on the assignment as such. */
export interface AssignmentRemark extends Remark {
  readonly monitorId: string | null;
  /** Null if the service gives the monitor none, and where the remark is on no monitor. */
  readonly monitorName: string | null;
}

/** What a location's agent is to run. */
export interface Assignment {
  readonly monitors: readonly Monitor[];
  /** Null if the service does not number its assignments. */
  readonly revision: string | null;
  /** Display name of the location. */
  readonly region: string;
  /** The newest slot that the location has a result of, by monitor; empty if the service does not tell. */
  readonly newestSlots: ReadonlyMap<string, EpochMillis>;
  /** What was left out or changed, so that the rest runs. */
  readonly remarks: readonly AssignmentRemark[];
  /** As the service sent it. */
  readonly message: MonitorsResponse;
}

/**
 * Reads the monitors of a pull. One that cannot be run becomes a rejected monitor and takes nothing with it; one
 * without an id has no name to report under and is left out; an id that comes twice counts once.
 */
export function readAssignment(message: MonitorsResponse): Assignment {
  const monitors = new Map<string, Monitor>();
  const remarks = new AssignmentRemarks();
  const alike = new Alike();
  cutAll(message, remarks);
  remarkUnknown(message, remarks);
  for (const { id, definition } of definitionsOf(message)) {
    const max = checkLimits.monitorsPerAgentMax;
    const name = assignedName(definition.name);
    const remark = (field: string, what: string): void => remarks.add(id, name, field, what);
    if (id === "") remark("id", "is missing in a monitor: it is left out");
    else if (id.length > checkLimits.monitorIdCharsMax)
      remark(
        "id",
        `is longer than ${checkLimits.monitorIdCharsMax} characters: the monitor is left out`,
      );
    else if (monitors.has(id)) remark("id", "is assigned twice: the monitor runs once");
    else if (monitors.size >= max)
      remark("id", `is more than the ${max} that one agent runs: it is left out`);
    else {
      const read = assignedMonitor(id, definition);
      if (read.monitor !== null) monitors.set(id, alike.monitor(read.monitor));
      for (const { field, message: what } of read.remarks) remark(field, what);
    }
  }
  return {
    monitors: [...monitors.values()],
    revision: readRevision(message.revision),
    region: shownName(message.region, checkLimits.nameCharsMax),
    newestSlots: new Map(
      Object.entries(message.newestSlots).map(([id, slot]) => [id, epochMillis(Number(slot))]),
    ),
    remarks: remarks.list(),
    message,
  };
}

/** A text of megabytes would be in every copy of the assignment, and in every result of its monitor. */
function cutAll(message: MonitorsResponse, remarks: AssignmentRemarks): void {
  const { newestSlots } = message;
  for (const { schema, of } of monitorLists)
    for (const monitor of of(message))
      cutTexts(schema, monitor, (path, max) =>
        remarks.add(
          monitor.id,
          assignedName(monitor.name),
          path,
          `is longer than ${max} characters: the rest of it is left out`,
        ),
      );
  for (const field of ["region", "revision"] as const)
    if (message[field].length > limits.assignedTextCharsMax) {
      message[field] = "";
      remarks.add("", null, field, "is too long: it is left out");
    }
  for (const id of Object.keys(newestSlots))
    if (id.length > checkLimits.monitorIdCharsMax) delete newestSlots[id];
}

/** Nothing of a newer service vanishes without a word. */
function remarkUnknown(message: MonitorsResponse, remarks: AssignmentRemarks): void {
  for (const { field, monitors } of unknownKinds(message))
    remarks.add(
      "",
      null,
      `field ${field}`,
      `has ${counted(monitors, "monitor")} of a kind that this version of the agent does not know, so nothing of it is checked: upgrade the agent`,
    );
  for (const { schema, of } of monitorLists)
    for (const monitor of of(message))
      for (const part of unknownParts(schema, monitor))
        remarks.add(
          monitor.id,
          assignedName(monitor.name),
          part,
          "is not known to this version of the agent, and the monitor runs without it: upgrade the agent",
        );
}

/** Null if there is none. It is sent back with every call: one that is too long is as good as none. */
export const readRevision = (revision: string): string | null =>
  revision === "" || revision.length > checkLimits.nameCharsMax ? null : revision;

/** A remark without its full stop; the monitor first, if it is about one. */
export const remarkSentence = ({
  monitorId,
  monitorName,
  field,
  message,
}: AssignmentRemark): string =>
  `${monitorId === null ? "" : `${monitorName ?? monitorId}: `}${field} ${message}`;

/** As many remarks as are kept; those past it are counted. */
class AssignmentRemarks {
  readonly #kept: AssignmentRemark[] = [];
  #more = 0;

  add(id: string, monitorName: string | null, field: string, message: string): void {
    const monitorId = id === "" ? null : cutText(id, checkLimits.monitorIdCharsMax);
    if (this.#kept.length < limits.remarksKeptMax)
      this.#kept.push({ monitorId, monitorName, field, message });
    else this.#more += 1;
  }

  list(): readonly AssignmentRemark[] {
    if (this.#more === 0) return this.#kept;
    const message = `have ${this.#more} more remarks than the ${this.#kept.length} that are kept`;
    return [...this.#kept, { monitorId: null, monitorName: null, field: "monitors", message }];
  }
}

/** How many monitors an assignment has, of every kind. */
export const assignedCount = (message: MonitorsResponse): number =>
  monitorLists.reduce((sum, { of }) => sum + of(message).length, 0);

function definitionsOf(
  response: MonitorsResponse,
): readonly { readonly id: string; readonly definition: MonitorDefinition }[] {
  return [
    ...response.httpMonitors.map((one) => ({ id: one.id, definition: httpDefinition(one) })),
    ...response.tcpMonitors.map((one) => ({ id: one.id, definition: tcpDefinition(one) })),
    ...response.dnsMonitors.map((one) => ({ id: one.id, definition: dnsDefinition(one) })),
    ...response.icmpMonitors.map((one) => ({ id: one.id, definition: icmpDefinition(one) })),
    ...response.grpcMonitors.map((one) => ({ id: one.id, definition: grpcDefinition(one) })),
  ];
}

type TimingFields = Pick<
  HTTPMonitor,
  "name" | "periodicity" | "timeout" | "degradedAt" | "retry" | "otelConfig"
>;

/** An assignment carries no description, regions, labels and rules of alerting: the service keeps these. */
const timing = (one: TimingFields): CommonFields => ({
  name: one.name,
  periodicity: one.periodicity,
  timeout: Number(one.timeout),
  degradedAt: one.degradedAt === undefined ? null : Number(one.degradedAt),
  retry: Number(one.retry),
  active: true,
  otel: otelConfig(one.otelConfig),
  public: false,
  description: "",
  regions: [],
  alerting: null,
  labels: {},
});

function otelConfig(config: WireOtelConfig | undefined): OtelConfig | null {
  if (config === undefined || config.endpoint === "") return null;
  return { endpoint: config.endpoint, headers: headerFields(config.headers) };
}

function httpDefinition(one: HTTPMonitor): HttpDefinition {
  return {
    kind: "http",
    ...timing(one),
    url: one.url,
    method: one.method === "" ? "GET" : one.method,
    body: one.body,
    followRedirects: one.followRedirects,
    ...readHttpLists(one),
  };
}

const tcpDefinition = (one: TCPMonitor): TcpDefinition => ({
  kind: "tcp",
  ...timing(one),
  uri: one.uri,
});

const dnsDefinition = (one: DNSMonitor): DnsDefinition => ({
  kind: "dns",
  ...timing(one),
  otel: otelConfig(one.otelConfig ?? one.otelConfigBefore),
  uri: one.uri,
  // Other services may send a type in small letters.
  recordAssertions: readRecords(
    one.recordAssertions.map((row) => ({ ...row, record: row.record.toUpperCase() })),
  ),
});

/** Services that do not know of our fields leave them 0: then the defaults hold, which are theirs. */
const icmpDefinition = (one: ICMPMonitor): DefinitionOf<"icmp"> => ({
  kind: "icmp",
  ...timing(one),
  uri: one.uri,
  packets: Number(one.packets) || checkLimits.icmpPacketsDefault,
  interval: Number(one.interval) || checkLimits.icmpIntervalDefault,
  lossAssertions: readNumbers(one.lossAssertions),
  latencyAssertions: readNumbers(one.latencyAssertions),
});

const grpcDefinition = (one: GRPCMonitor): DefinitionOf<"grpc"> => ({
  kind: "grpc",
  ...timing(one),
  uri: one.uri,
  service: one.service,
  tlsMode: one.tlsMode,
  metadata: headerFields(one.metadata),
});
