import { type Kind, kinds } from "#check/monitor";
import type { MonitorName } from "#contract/picket/v1/configuration_pb";

/** Kind null: each that has the name. */
export interface NamedMonitor {
  readonly kind: Kind | null;
  readonly name: string;
}

export const namedIn = ({ kind, name }: MonitorName): NamedMonitor => ({
  name,
  kind: kinds.find((one) => one === kind) ?? null,
});
