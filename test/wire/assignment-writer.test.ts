import { create, fromBinary, toJson } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { dnsDefaults, httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { epochMillis } from "#base/units";
import { type AssignmentHead, assignmentWriter } from "#wire/assignment-writer";
import type { MessageFormat } from "#wire/message-bounds";
import { assignedMonitors } from "#wire/write-assignment";

const definitions: readonly MonitorDefinition[] = [
  { ...httpDefaults, name: 'a "shop"', url: "https://a.test/", periodicity: "30s" },
  { ...tcpDefaults, name: "b", uri: "b.test:1", periodicity: "1m" },
  { ...httpDefaults, name: "c", url: "https://c.test/", periodicity: "30s" },
  { ...dnsDefaults, name: "d", uri: "d.test", periodicity: "30s" },
];
const assigned = definitions.map((definition, index) => ({
  id: `${index + 1}`,
  definition,
  newestSlot: index % 2 === 0 ? epochMillis(1_000 * index) : null,
}));
const head = { region: 'an "office"', revision: "r.1", changedSince: "", removed: [] };
const changed = { ...head, changedSince: 'r"0', removed: ["7", "9"] };

/** The same four monitors in portions of so many. */
function written(format: MessageFormat, size: number, end: AssignmentHead = head): Buffer {
  const writer = assignmentWriter(format);
  const parts: Uint8Array[] = [];
  for (let first = 0; first < assigned.length; first += size)
    parts.push(writer.portion(assignedMonitors(assigned.slice(first, first + size))));
  return Buffer.concat([...parts, writer.end(end)]);
}

test.each([1, 2, 3, 4])("in portions of %i it is read as one message", (size) => {
  const whole = create(MonitorsResponseSchema, { ...assignedMonitors(assigned), ...head });
  expect(fromBinary(MonitorsResponseSchema, written("binary", size))).toEqual(whole);
  const json = toJson(MonitorsResponseSchema, whole, { alwaysEmitImplicit: true });
  expect(JSON.parse(written("json", size).toString())).toEqual(json);
});

test("what changed since a revision says so, and which monitors are gone", () => {
  const whole = create(MonitorsResponseSchema, { ...assignedMonitors(assigned), ...changed });
  expect(fromBinary(MonitorsResponseSchema, written("binary", 2, changed))).toEqual(whole);
  const json = toJson(MonitorsResponseSchema, whole, { alwaysEmitImplicit: true });
  expect(JSON.parse(written("json", 2, changed).toString())).toEqual(json);
});

test("without a monitor it has its lists anyway", () => {
  const whole = create(MonitorsResponseSchema, head);
  expect(fromBinary(MonitorsResponseSchema, assignmentWriter("binary").end(head))).toEqual(whole);
  const json = Buffer.from(assignmentWriter("json").end(head)).toString();
  expect(JSON.parse(json)).toEqual(
    toJson(MonitorsResponseSchema, whole, { alwaysEmitImplicit: true }),
  );
});
