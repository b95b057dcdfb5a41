import type {
  ListMonitorsResponse,
  MonitorConfig,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { DefinitionOf, MonitorDefinition } from "#check/definition";
import { type Kind, kinds } from "#check/monitor";
import { codecOf } from "#wire/kinds/codec-table";
import type { ManagedMessages } from "#wire/kinds/kind-codec";

/** A monitor as the service has it, or is to have it. */
export type ManagedMonitor = ManagedOf<Kind>;
type ManagedOf<K extends Kind> = {
  readonly [P in K]: { readonly kind: P; readonly message: ManagedMessages[P] };
}[K];

/** A monitor of a definition, as it is sent to a service. */
export const managedMonitor = (definition: MonitorDefinition): ManagedMonitor =>
  written(definition.kind, definition);

const written = <K extends Kind>(kind: K, definition: DefinitionOf<K>): ManagedOf<K> =>
  managedOf(kind, codecOf(kind).management.write(definition));

export const managedOf = <K extends Kind>(kind: K, message: ManagedMessages[K]): ManagedOf<K> => ({
  kind,
  message,
});

/** What a service has, or is to have, as a definition. */
export const managedDefinition = <K extends Kind>({
  kind,
  message,
}: ManagedOf<K>): DefinitionOf<K> => codecOf(kind).management.merged(message);

/** A case of a MonitorConfig. */
type ConfigOf<K extends Kind> = {
  readonly [P in K]: { readonly case: P; readonly value: ManagedMessages[P] };
}[K];

export const configOf = <K extends Kind>({ kind, message }: ManagedOf<K>): ConfigOf<K> => ({
  case: kind,
  value: message,
});

const managedAs = <K extends Kind>({ case: kind, value }: ConfigOf<K>): ManagedOf<K> =>
  managedOf(kind, value);

/** Every monitor of a service's answer, kind by kind. */
export const listedIn = (answer: ListMonitorsResponse): readonly ManagedMonitor[] =>
  kinds.flatMap((kind) => listedOf(kind, answer));

const listedOf = <K extends Kind>(kind: K, answer: ListMonitorsResponse): readonly ManagedOf<K>[] =>
  codecOf(kind)
    .management.list(answer)
    .map((message) => managedOf(kind, message));

/** Puts a monitor into a service's answer. */
export function listIn<K extends Kind>(
  answer: ListMonitorsResponse,
  { kind, message }: ManagedOf<K>,
): void {
  codecOf(kind).management.list(answer).push(message);
}

/** The case of a MonitorConfig; null if it has none. */
export const managedIn = (config: MonitorConfig["config"]): ManagedMonitor | null =>
  config.case === undefined ? null : managedAs(config);
