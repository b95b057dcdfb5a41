import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { expect, test } from "vitest";
import {
  HTTPMonitorSchema,
  MonitorsResponseSchema,
} from "#contract/private_location/v1/private_location_pb";
import { readAssignment } from "#wire/read-assignment";

/** No version gives this number to anything. */
const unused = 4_711;

const monitor = create(HTTPMonitorSchema, {
  id: "h",
  name: "Shop",
  url: "https://a.test/",
  periodicity: "30s",
  headers: [{ key: "a", value: "b" }],
});

const message = (id: string): Uint8Array =>
  new BinaryWriter().tag(1, WireType.LengthDelimited).string(id).finish();

/** Bytes of a newer service: two monitors of a kind that is unknown, a text, a number, and a field within a monitor. */
function newerAnswer(): Uint8Array {
  const known = toBinary(HTTPMonitorSchema, monitor);
  const inside = new BinaryWriter().tag(unused, WireType.Varint).uint32(1).finish();
  return new BinaryWriter()
    .tag(1, WireType.LengthDelimited)
    .bytes(Buffer.concat([known, inside]))
    .tag(unused, WireType.LengthDelimited)
    .bytes(message("one"))
    .tag(unused + 1, WireType.LengthDelimited)
    .string("a text of a newer version")
    .tag(unused + 2, WireType.Varint)
    .uint32(7)
    .tag(unused, WireType.LengthDelimited)
    .bytes(message("two"))
    .finish();
}

test("monitors of an unknown kind are counted by its field, and an unknown field of a monitor is named: the rest runs", () => {
  const read = readAssignment(fromBinary(MonitorsResponseSchema, newerAnswer()));
  expect(read.monitors.map(({ id, rejection }) => [id, rejection])).toEqual([["h", null]]);
  expect(read.remarks).toEqual([
    {
      monitorId: null,
      monitorName: null,
      field: `field ${unused}`,
      message:
        "has 2 monitors of a kind that this version of the agent does not know, so nothing of it is checked: upgrade the agent",
    },
    {
      monitorId: "h",
      monitorName: "Shop",
      field: `field ${unused}`,
      message:
        "is not known to this version of the agent, and the monitor runs without it: upgrade the agent",
    },
  ]);
});

test("an assignment that was kept on disk says the same of what it does not know", () => {
  const first = readAssignment(fromBinary(MonitorsResponseSchema, newerAnswer()));
  const kept = toBinary(MonitorsResponseSchema, first.message);
  expect(readAssignment(fromBinary(MonitorsResponseSchema, kept)).remarks).toEqual(first.remarks);
});
