import { describe, expect, test } from "vitest";
import { inOwnNetwork } from "../../support/own-network.ts";
import { canRoute, sceneLines, within } from "../../support/routed-network.ts";

/**
 * Asks in the agent's network as its root, whom no group lets ping; each line of asks leaves at once. A namespace of users
 * shows a group that it does not know as 65534.
 */
const asking = (
  lines: readonly (readonly (readonly [address: string, sourcePort: number, ttl: number])[])[],
): string => `
  import { readFileSync } from "node:fs";
  import { openFlowAsk, canSendFlow } from "#probes/evidence/flow-trace";
  import { systemClock } from "#base/clock";
  const ask = openFlowAsk(systemClock);
  const { signal } = new AbortController();
  const [first, last] = readFileSync("/proc/sys/net/ipv4/ping_group_range", "utf8").split(/\\s+/).map(Number);
  const said = [first > last || first === 65534 ? "no group may ping" : "a group may ping", canSendFlow("icmp", "10.0.2.9")];
  for (const line of ${JSON.stringify(lines)}) {
    const hops = await Promise.all(line.map(([address, sourcePort, ttl]) =>
      ask({ protocol: "icmp", address, port: 0, sourcePort }, ttl, 300, signal)));
    said.push(hops.map((hop) => hop.ended + " " + hop.address).join(", "));
  }
  console.log(said.join("\\n"));
  process.exit(0);`;

const seen = async (
  breakIt: readonly string[],
  lines: Parameters<typeof asking>[0],
): Promise<string> => {
  const { stdout, output } = await inOwnNetwork(sceneLines({ breakIt }), asking(lines));
  return stdout === "" ? output : stdout.trim();
};

describe.skipIf(!canRoute("iptables", "ip6tables"))(
  "a trace of pings with CAP_NET_RAW alone",
  () => {
    test("finds the routers and the target over both families", async () => {
      const hops = (address: string): readonly (readonly [string, number, number])[] =>
        [1, 2, 3].map((ttl) => [address, 61_000 + ttl, ttl]);
      expect(await seen([], [hops("10.0.2.9"), hops("fd00:2::9")])).toBe(
        [
          "no group may ping\ntrue",
          "hop 10.0.0.1, hop 10.0.1.2, target 10.0.2.9",
          "hop fd00::1, hop fd00:1::2, target fd00:2::9",
        ].join("\n"),
      );
    });

    test("takes no answer to another ping of the same target for its own", async () => {
      const breakIt = ["iptables", "ip6tables"].map((filter) =>
        within(
          "r1",
          `${filter} -A OUTPUT -p ${filter === "iptables" ? "icmp" : "icmpv6 --icmpv6-type 3"} -j DROP`,
        ),
      );
      const asks = (address: string): readonly (readonly [string, number, number])[] => [
        [address, 61_000, 1],
        [address, 61_001, 2],
        [address, 61_002, 3],
      ];
      expect(await seen(breakIt, [asks("10.0.2.9"), asks("fd00:2::9")])).toBe(
        [
          "no group may ping\ntrue",
          "silence null, hop 10.0.1.2, target 10.0.2.9",
          "silence null, hop fd00:1::2, target fd00:2::9",
        ].join("\n"),
      );
    });

    test("takes no late answer to another packet of its flow for that to the next", async () => {
      const silent = within("r1", "iptables -A OUTPUT -p icmp -j DROP");
      const together = [
        ["10.0.2.9", 61_000, 1],
        ["10.0.2.9", 61_000, 2],
      ] as const;
      expect(await seen([silent], [together])).toBe(
        "no group may ping\ntrue\nsilence null, hop 10.0.1.2",
      );
    });
  },
);
