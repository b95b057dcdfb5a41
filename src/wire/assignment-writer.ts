import {
  create,
  type DescMessage,
  type MessageShape,
  toBinary,
  toJsonString,
} from "@bufbuild/protobuf";
import {
  type MonitorsResponse,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import { monitorLists } from "#wire/monitor-lists";
import type { MessageFormat } from "#wire/message-bounds";

/** Encodes an assignment in portions: all monitors in one go would keep every other caller waiting. */
interface AssignmentWriter {
  /** What can be sent already; perhaps nothing. */
  portion(monitors: MonitorsResponse): Uint8Array;
  /** The rest, with what the assignment says next to its monitors. */
  end(head: AssignmentHead): Uint8Array;
}

export interface AssignmentHead {
  /** The location's name. */
  readonly region: string;
  readonly revision: string;
  /** The revision that the monitors are changes of; empty if they are all. */
  readonly changedSince: string;
  /** The ids of those that are not run any more. */
  readonly removed: readonly string[];
}

export const assignmentWriter = (format: MessageFormat): AssignmentWriter =>
  format === "json" ? new JsonWriter() : binaryWriter;

/** In binary, messages one after another are one message: their lists and maps are joined. */
const binaryWriter: AssignmentWriter = {
  portion: (monitors) => toBinary(MonitorsResponseSchema, monitors),
  end: (head) =>
    toBinary(
      MonitorsResponseSchema,
      create(MonitorsResponseSchema, { ...head, removed: [...head.removed] }),
    ),
};

/** In JSON each kind has one list, so what was encoded waits for the end. */
class JsonWriter implements AssignmentWriter {
  readonly #lists = monitorLists.map(({ field }) => ({
    field,
    written: new Array<string>(),
  }));
  readonly #slots: string[] = [];

  portion(monitors: MonitorsResponse): Uint8Array {
    for (const [index, { schema, of }] of monitorLists.entries())
      this.#lists[index]?.written.push(...of(monitors).map((one) => jsonOf(schema, one)));
    for (const [id, slot] of Object.entries(monitors.newestSlots))
      this.#slots.push(`"${id}":"${slot}"`);
    return new Uint8Array();
  }

  end({ region, revision, changedSince, removed }: AssignmentHead): Uint8Array {
    const fields = [
      ...this.#lists.map(({ field, written }) => `"${field}":[${written.join(",")}]`),
      `"region":${JSON.stringify(region)}`,
      `"revision":${JSON.stringify(revision)}`,
      `"unchanged":false`,
      `"newestSlots":{${this.#slots.join(",")}}`,
      `"changedSince":${JSON.stringify(changedSince)}`,
      `"removed":${JSON.stringify(removed)}`,
    ];
    return new TextEncoder().encode(`{${fields.join(",")}}`);
  }
}

/** As every other answer: lists and flags are there also if they are empty or false. */
const jsonOf = <D extends DescMessage>(schema: D, message: MessageShape<D>): string =>
  toJsonString(schema, message, { alwaysEmitImplicit: true });
