import { expect, test } from "vitest";
import { kindTable } from "#check/kinds/kind-table";
import { violationsOf } from "#check/read-monitor";
import { parseTargetRules } from "#network/target-rules";
import { TargetGuard } from "#probes/connection/guard";
import { noKernelClock } from "#probes/socket/kernel-clock";
import { probeIcmp } from "#probes/icmp/icmp";
import { millis } from "#base/units";
import { attempt, contextWith } from "../../support/probing.ts";
import { expectTimingContract, told } from "../../support/timing-contract.ts";

/** What a ping is never sent to, and what may not be written. */

const target = (host: string) =>
  ({ kind: "icmp", host, packets: 1, interval: millis(10) }) as const;

test("an address that the guard denies is not pinged", async () => {
  const deny = parseTargetRules(["127.0.0.0/8"], "PICKET_TARGET_DENY=");
  if (!deny.ok) throw new Error(deny.message);
  const guard = new TargetGuard({ allow: [], deny: deny.value });
  const denied = await attempt(probeIcmp, target("127.0.0.1"), contextWith({ guard }));
  expectTimingContract(denied);
  expect(told(denied)).toBe("target_denied in policy");
  // By a name, too; and what machines get their credentials from is denied anyway.
  const named = await attempt(probeIcmp, target("localhost"), contextWith({ guard }));
  expect(told(named)).toBe("target_denied in policy");
  const metadata = await attempt(probeIcmp, target("169.254.169.254"));
  expect(told(metadata)).toBe("target_denied in policy");
});

test("a name that does not resolve is that failure", async () => {
  expect(told(await attempt(probeIcmp, target("a.test")))).toBe("dns_nxdomain in dns");
});

test("the sockets of Node.js cannot ping, which a sentence says", async () => {
  const context = contextWith({ kernelClock: noKernelClock });
  const outcome = await attempt(probeIcmp, target("127.0.0.1"), context);
  expect(told(outcome)).toBe("agent_error in agent");
  expect(outcome.failure?.message).toMatch(/^the sockets of Node\.js cannot ping/);
});

test.each([
  ["", "uri is required"],
  ["10.0.0.1:80", "uri must be a host without a port, for example db.example.com"],
  ["[::1]:80", "uri must be a host without a port, for example db.example.com"],
  ["ping:10.0.0.1:80", "uri must be a host without a port, for example db.example.com"],
  ["127.1", /^uri is "127\.1", which is neither a name nor an IPv4 address/],
  ["224.0.0.251", /^uri is a multicast address/],
  ["ff02::1", /^uri is a multicast address/],
  ["255.255.255.255", /^uri is the broadcast address/],
  ["a b", /^uri has an invalid label/],
])("the target %j is refused in words", (uri, expected) => {
  const definition = { ...kindTable.icmp.defaults, name: "a", periodicity: "1m", uri };
  const [first] = violationsOf(definition, "management").map(
    ({ field, message }) => `${field} ${message}`,
  );
  if (typeof expected === "string") expect(first).toBe(expected);
  else expect(first).toMatch(expected);
});

test("packets, interval and assertions have their limits", () => {
  const definition = {
    ...kindTable.icmp.defaults,
    name: "a",
    periodicity: "1m",
    uri: "::1",
    packets: 21,
    interval: 5,
    lossAssertions: [{ comparator: "lt", target: 101 }],
    latencyAssertions: [{ comparator: "near", target: 5 }],
  };
  expect(violationsOf(definition, "management")).toMatchObject([
    { field: "packets", message: "must be in 1 to 20, not 21" },
    { field: "interval", message: "must be in 10 to 1000, not 5" },
    { field: "loss_assertions[0].target", message: "must be in 0 to 100 percent, not 101" },
    { field: "latency_assertions[0].comparator" },
  ]);
});
