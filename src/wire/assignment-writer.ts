import {
  create,
  type DescMessage,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import {
  DNSMonitorSchema,
  HTTPMonitorSchema,
  type MonitorsResponse,
  MonitorsResponseSchema,
  TCPMonitorSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { MessageFormat } from "#wire/message-bounds";

/** Encodes an assignment in portions: all monitors in one go would keep every other caller waiting. */
interface AssignmentWriter {
  /** What can be sent already; perhaps nothing. */
  portion(monitors: MonitorsResponse): Uint8Array;
  /** The rest, with what the assignment says beside its monitors. */
  end(head: AssignmentHead): Uint8Array;
}

interface AssignmentHead {
  /** The location's name. */
  readonly region: string;
  readonly revision: string;
}

export const assignmentWriter = (format: MessageFormat): AssignmentWriter =>
  format === "json" ? new JsonWriter() : binaryWriter;

/** In binary, messages one after another are one message: their lists and maps are joined. */
const binaryWriter: AssignmentWriter = {
  portion: (monitors) => toBinary(MonitorsResponseSchema, monitors),
  end: (head) => toBinary(MonitorsResponseSchema, create(MonitorsResponseSchema, head)),
};

/** In JSON each kind has one list, so what was encoded waits for the end. */
class JsonWriter implements AssignmentWriter {
  readonly #http: string[] = [];
  readonly #tcp: string[] = [];
  readonly #dns: string[] = [];
  readonly #slots: string[] = [];

  portion({ httpMonitors, tcpMonitors, dnsMonitors, newestSlots }: MonitorsResponse): Uint8Array {
    this.#http.push(...httpMonitors.map((one) => jsonOf(HTTPMonitorSchema, one)));
    this.#tcp.push(...tcpMonitors.map((one) => jsonOf(TCPMonitorSchema, one)));
    this.#dns.push(...dnsMonitors.map((one) => jsonOf(DNSMonitorSchema, one)));
    for (const [id, slot] of Object.entries(newestSlots)) this.#slots.push(`"${id}":"${slot}"`);
    return new Uint8Array();
  }

  end({ region, revision }: AssignmentHead): Uint8Array {
    const fields = [
      `"httpMonitors":[${this.#http.join(",")}]`,
      `"tcpMonitors":[${this.#tcp.join(",")}]`,
      `"dnsMonitors":[${this.#dns.join(",")}]`,
      `"region":${JSON.stringify(region)}`,
      `"revision":${JSON.stringify(revision)}`,
      `"unchanged":false`,
      `"newestSlots":{${this.#slots.join(",")}}`,
    ];
    return new TextEncoder().encode(`{${fields.join(",")}}`);
  }
}

/** As every other answer: lists and flags are there also if they are empty or false. */
const jsonOf = <D extends DescMessage>(schema: D, message: MessageShape<D>): string =>
  toJsonString(schema, message, { alwaysEmitImplicit: true });
