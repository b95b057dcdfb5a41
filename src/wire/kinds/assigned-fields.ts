import type { OtelConfig as WireOtelConfig } from "#contract/private_location/v1/private_location_pb";
import type { CommonFields, MonitorDefinition } from "#check/definition";
import type { OtelConfig } from "#check/monitor";
import type { AssignedMessages } from "#wire/kinds/kind-codec";
import {
  type AttemptFields,
  attemptFields,
  headerFields,
  type OtelFields,
  otelFields,
} from "#wire/monitor-fields";

/* What an assignment says of every monitor. */

interface AssignedFields extends AttemptFields {
  readonly id: string;
  readonly name: string;
  readonly periodicity: string;
  readonly otelConfig?: OtelFields;
  readonly signature: string;
}

export const assignedFields = (id: string, definition: MonitorDefinition): AssignedFields => ({
  id,
  name: definition.name,
  periodicity: definition.periodicity,
  signature: definition.signature,
  ...attemptFields(definition),
  ...(definition.otel === null ? {} : { otelConfig: otelFields(definition.otel) }),
});

type TimingFields = Pick<
  AssignedMessages["http"],
  "name" | "periodicity" | "signature" | "timeout" | "degradedAt" | "retry" | "otelConfig"
>;

/** An assignment carries no description, regions, labels and rules of alerting: the service keeps these. */
export const readAssigned = (one: TimingFields): CommonFields => ({
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
  signature: one.signature,
});

export function otelConfig(config: WireOtelConfig | undefined): OtelConfig | null {
  if (config === undefined || config.endpoint === "") return null;
  return { endpoint: config.endpoint, headers: headerFields(config.headers) };
}
