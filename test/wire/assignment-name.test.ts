import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { dnsDefaults, httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import * as limits from "#limits/check-limits";
import { readAssignment } from "#wire/read-assignment";
import { assignedMonitors } from "#wire/write-assignment";

const definitions = (name: string): readonly MonitorDefinition[] => [
  { ...httpDefaults, name, url: "https://a.test/", periodicity: "30s" },
  { ...tcpDefaults, name, uri: "a.test:1", periodicity: "30s" },
  { ...dnsDefaults, name, uri: "a.test", periodicity: "30s" },
];

/** The names that an agent reads of monitors that a service calls so. */
function namesRead(name: string): readonly (string | null)[] {
  const sent = assignedMonitors(
    definitions(name).map((definition, n) => ({ id: `${n}`, definition, newestSlot: null })),
  );
  const came = fromBinary(MonitorsResponseSchema, toBinary(MonitorsResponseSchema, sent));
  return readAssignment(came).monitors.map((monitor) => monitor.name);
}

test.each([
  ["Shop, checkout", "Shop, checkout"],
  ["", null],
  ["a\nb\u001b[2J", "a\\x0ab\\x1b[2J"],
  ["pay\u202epal", "pay\\u{202e}pal"],
])("the name %j reaches the agent of each kind as %j", (name, read) => {
  expect(namesRead(name)).toEqual([read, read, read]);
});

test("a name without end is cut", () => {
  for (const name of namesRead("\u0000".repeat(1_000_000)))
    expect(name).toHaveLength(limits.nameCharsMax);
});
