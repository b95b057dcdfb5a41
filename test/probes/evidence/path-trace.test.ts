import { describe, expect, test } from "vitest";
import { ownNetworks } from "../../support/own-network.ts";
import { behindRouters, within } from "../../support/routed-network.ts";

/** Traces in the agent's network; then how many descriptors are open, and how many packets the first router saw. */
const tracing = (...places: readonly (readonly [address: string, port: number])[]): string => `
  import { readdirSync } from "node:fs";
  import { openPathTracer } from "#probes/evidence/path-trace";
  import { systemClock } from "#clock";
  const trace = openPathTracer(systemClock);
  // What the runtime opens for the first timer stays open.
  await trace("127.0.0.1", 9, new AbortController().signal);
  const before = readdirSync("/proc/self/fd").length;
  const found = [];
  for (const [address, port] of ${JSON.stringify(places)})
    found.push(await trace(address, port, new AbortController().signal));
  const left = readdirSync("/proc/self/fd").length - before;
  console.log(JSON.stringify({ uid: process.getuid(), found, left }));
  process.exit(0);`;

const hops = (...addresses: readonly string[]): object[] =>
  addresses.map((address, index) => ({ ttl: index + 1, address, ended: "hop" }));
const routers = hops("10.0.0.1", "10.0.1.2");
const farRouters = hops("fd00::1", "fd00:1::2");

describe.skipIf(!ownNetworks)("a trace, as an unprivileged user", () => {
  test("finds the routers up to a target that answers, accepts, or is silent, over both families", async () => {
    const drop = within("target", "iptables -A INPUT -p tcp --dport 81 -j DROP");
    const { stdout, output } = await behindRouters(
      { breakIt: [drop] },
      tracing(["10.0.2.9", 80], ["10.0.2.9", 82], ["10.0.2.9", 81], ["fd00:2::9", 80]),
    );
    expect(output).toContain('"uid":65532');
    const { found, left } = JSON.parse(stdout);
    const target = { ttl: 3, address: "10.0.2.9", ended: "target" };
    expect(found).toEqual([
      { hops: [...routers, target], packets: 4, reached: true },
      { hops: [...routers, target], packets: 4, reached: true },
      { hops: routers, packets: 16, reached: false },
      {
        hops: [...farRouters, { ttl: 3, address: "fd00:2::9", ended: "target" }],
        packets: 4,
        reached: true,
      },
    ]);
    expect(left).toBe(0);
  });
  test("names the router that refuses, and passes over one that is silent", async () => {
    const { stdout } = await behindRouters(
      {
        breakIt: [
          "ip -n r2 route add prohibit 10.0.2.9",
          within("r1", "iptables -A OUTPUT -p icmp -j DROP"),
        ],
      },
      tracing(["10.0.2.9", 80]),
    );
    expect(JSON.parse(stdout).found[0]).toMatchObject({
      hops: [
        { ttl: 1, address: null, ended: "silence" },
        { ttl: 2, address: "10.0.1.2", ended: "refusal" },
      ],
      reached: false,
    });
  });
});
