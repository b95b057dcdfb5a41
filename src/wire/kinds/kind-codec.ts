import type { DescMessage, Message } from "@bufbuild/protobuf";
import type {
  ListMonitorsResponse,
  MonitorConfig,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type {
  BatchResult,
  CheckDetail,
  MonitorsResponse,
} from "#contract/private_location/v1/private_location_pb";
import type { DefinitionOf } from "#check/definition";
import type { Fact } from "#check/fact";
import type { Kind } from "#check/monitor";
import type { Result } from "#check/result";
import type { MessageWriter, WireField } from "#wire/message-writer";

/** Which fields are set exactly as given, the empty ones included. */
export type Mask = ReadonlySet<string>;

/** How a monitor of one kind and its results cross the wire, and how people's calls carry the monitor. */
export interface KindCodec<K extends Kind> {
  /** A monitor as an agent receives it. */
  readonly assignment: AssignmentCodec<K>;
  /** A monitor as the calls of the management carry it. */
  readonly management: ManagementCodec<K>;
  /** A result as a plain call carries it. */
  readonly result: ResultCodec<K>;
}

interface AssignmentCodec<K extends Kind> {
  readonly schema: DescMessage;
  /** The list that holds the monitors of this kind. */
  readonly list: (assignment: MonitorsResponse) => AssignedMessages[K][];
  readonly write: (id: string, definition: DefinitionOf<K>) => AssignedMessages[K];
  readonly read: (message: AssignedMessages[K]) => DefinitionOf<K>;
}

interface ManagementCodec<K extends Kind> {
  readonly schema: DescMessage;
  readonly list: (answer: ListMonitorsResponse) => ManagedMessages[K][];
  readonly write: (definition: DefinitionOf<K>) => ManagedMessages[K];
  /**
   * The definition after a request: what is left out, or is an empty list, stays as it was, unless the mask names it; then
   * it takes the specification's default. A new monitor begins with the defaults.
   */
  readonly merged: (
    message: ManagedMessages[K],
    mask?: Mask,
    before?: DefinitionOf<K>,
  ) => DefinitionOf<K>;
  /** Takes out what only its kind has and not every reader may see. */
  readonly hideSecrets: (message: ManagedMessages[K]) => void;
}

interface ResultCodec<K extends Kind> {
  /** Of a BatchResult. */
  readonly field: WireField;
  readonly fields: { readonly requestStatus: WireField };
  /** The plain call that takes it. */
  readonly call: PlainCall;
  readonly write: (writer: MessageWriter, result: Result) => void;
  /** What such a call carries, in the shape of a batch's. */
  readonly read: (message: Message) => BatchResult["result"];
  /** What only an answer to a check of this kind says. */
  readonly facts: (message: ResultMessages[K], detail: CheckDetail | undefined) => readonly Fact[];
}

interface PlainCall {
  readonly name: string;
  readonly localName: string;
  readonly input: DescMessage;
  readonly output: DescMessage;
}

export type AssignedMessages = {
  readonly [K in Kind]: MonitorsResponse[`${K}Monitors`][number];
};

/** What a MonitorConfig holds. */
export type KnownConfig = Exclude<MonitorConfig["config"], { case: undefined }>;
export type ManagedMessages = {
  readonly [C in KnownConfig as C["case"]]: C["value"];
};

type KnownResult = Exclude<BatchResult["result"], { case: undefined }>;
export type ResultMessages = { readonly [C in KnownResult as C["case"]]: C["value"] };
