import type {
  DNSMonitor,
  HTTPMonitor,
  MonitorsResponse,
  OtelConfig as WireOtelConfig,
  TCPMonitor,
} from "#contract/private_location/v1/private_location_pb";
import { numberComparators, recordComparators, stringComparators } from "#check/assertion";
import { compileMonitor } from "#check/compile";
import { dnsDefaults, httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import * as limits from "#limits";
import type { Monitor, OtelConfig } from "#check/monitor";
import { epochMillis, type EpochMillis } from "#units";

/** What a location's agent is to run. */
export interface Assignment {
  readonly monitors: readonly Monitor[];
  /** Null where the service does not number its assignments. */
  readonly revision: string | null;
  /** Display name of the location. */
  readonly region: string;
  /** The newest slot that the location has a result of, by monitor; empty where the service does not tell. */
  readonly newestSlots: ReadonlyMap<string, EpochMillis>;
  /** What was wrong with the assignment as such, for the log. */
  readonly remarks: readonly string[];
  /** As the service sent it. */
  readonly message: MonitorsResponse;
}

/**
 * Reads the monitors of a pull. One that cannot be run becomes a rejected monitor and takes nothing with it; one
 * without an id has no name to report under and is left out; an id that comes twice counts once.
 */
export function readAssignment(message: MonitorsResponse): Assignment {
  const monitors = new Map<string, Monitor>();
  const remarks: string[] = [];
  for (const { id, definition } of definitionsOf(message)) {
    if (id === "") remarks.push("a monitor without an id was left out");
    else if (monitors.has(id)) remarks.push(`monitor ${id} was assigned twice and runs once`);
    else if (monitors.size >= limits.monitorsPerAgentMax)
      remarks.push(
        `monitor ${id} is more than the ${limits.monitorsPerAgentMax} that one agent runs`,
      );
    else monitors.set(id, compileMonitor(id, definition));
  }
  return {
    monitors: [...monitors.values()],
    revision: message.revision === "" ? null : message.revision,
    region: message.region,
    newestSlots: new Map(
      Object.entries(message.newestSlots).map(([id, slot]) => [id, epochMillis(Number(slot))]),
    ),
    remarks,
    message,
  };
}

function definitionsOf(
  response: MonitorsResponse,
): readonly { readonly id: string; readonly definition: MonitorDefinition }[] {
  return [
    ...response.httpMonitors.map((one) => ({ id: one.id, definition: httpDefinition(one) })),
    ...response.tcpMonitors.map((one) => ({ id: one.id, definition: tcpDefinition(one) })),
    ...response.dnsMonitors.map((one) => ({ id: one.id, definition: dnsDefinition(one) })),
  ];
}

type Timed = Pick<
  HTTPMonitor,
  "name" | "periodicity" | "timeout" | "degradedAt" | "retry" | "otelConfig"
>;

/** int64 values beyond 2⁵³ lose precision as numbers, but stay far outside every limit. */
const timing = (
  one: Timed,
): Pick<
  MonitorDefinition,
  "name" | "periodicity" | "timeout" | "degradedAt" | "retry" | "active" | "otel"
> => ({
  name: one.name,
  periodicity: one.periodicity,
  timeout: Number(one.timeout),
  degradedAt: one.degradedAt === undefined ? null : Number(one.degradedAt),
  retry: Number(one.retry),
  active: true,
  otel: otelConfig(one.otelConfig),
});

function otelConfig(config: WireOtelConfig | undefined): OtelConfig | null {
  if (config === undefined || config.endpoint === "") return null;
  return {
    endpoint: config.endpoint,
    headers: config.headers.map(({ key, value }) => ({ key, value })),
  };
}

function httpDefinition(one: HTTPMonitor): MonitorDefinition {
  return {
    ...httpDefaults,
    ...timing(one),
    url: one.url,
    method: one.method === "" ? "GET" : one.method,
    body: one.body,
    followRedirects: one.followRedirects,
    headers: one.headers.map(({ key, value }) => ({ key, value })),
    statusCodeAssertions: one.statusCodeAssertions.map(({ target, comparator }) => ({
      target: Number(target),
      comparator: word(numberWords, comparator),
    })),
    bodyAssertions: one.bodyAssertions.map(({ target, comparator }) => ({
      target,
      comparator: word(stringWords, comparator),
    })),
    headerAssertions: one.headerAssertions.map(({ key, target, comparator }) => ({
      key,
      target,
      comparator: word(stringWords, comparator),
    })),
  };
}

const tcpDefinition = (one: TCPMonitor): MonitorDefinition => ({
  ...tcpDefaults,
  ...timing(one),
  uri: one.uri,
});

const dnsDefinition = (one: DNSMonitor): MonitorDefinition => ({
  ...dnsDefaults,
  ...timing(one),
  uri: one.uri,
  recordAssertions: one.recordAssertions.map(({ record, target, comparator }) => ({
    record: record.toUpperCase(),
    target,
    comparator: word(recordWords, comparator),
  })),
});

// The vocabulary lists them in the order of the enums' numbers (wire.md §2); 0 is UNSPECIFIED.
const numberWords = ["unspecified", ...numberComparators];
const stringWords = ["unspecified", ...stringComparators];
const recordWords = ["unspecified", ...recordComparators];

/** A number that has no word is shown as itself, to be refused with its field's name. */
const word = (words: readonly string[], comparator: number): string =>
  words[comparator] ?? `comparator ${comparator}`;
