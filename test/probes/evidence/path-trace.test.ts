import { describe, expect, test } from "vitest";
import type { PathTrace } from "#check/evidence";
import { ownNetworks } from "../../support/own-network.ts";
import { behindRouters, within } from "../../support/routed-network.ts";

/** Traces in the agent's network; then how many descriptors are open, and how many packets the first router saw. */
const tracing = (...places: readonly (readonly [address: string, port: number])[]): string => `
  import { readdirSync } from "node:fs";
  import { openPathTracer } from "#probes/evidence/path-trace";
  import { systemClock } from "#clock";
  const trace = openPathTracer(systemClock);
  // What the runtime opens for the first timer stays open.
  await trace({ address: "127.0.0.1", port: 9 }, 1, new AbortController().signal);
  const before = readdirSync("/proc/self/fd").length;
  const found = [];
  for (const [address, port] of ${JSON.stringify(places)})
    found.push(await trace({ address, port }, 16, new AbortController().signal));
  const left = readdirSync("/proc/self/fd").length - before;
  console.log(JSON.stringify({ uid: process.getuid(), found, left }));
  process.exit(0);`;

/** In a line, so that a failure's first line says what differed. */
const lineOf = ({ hops, packets, reached }: PathTrace): string =>
  [
    ...hops.map(({ address, ended }) => `${ended} ${address ?? "unknown"}`),
    reached ? "reached" : "not reached",
    `${packets} packets`,
  ].join(", ");

describe.skipIf(!ownNetworks)("a trace, as an unprivileged user", () => {
  test("finds the routers up to a target that answers, accepts, or is silent, over both families", async () => {
    const drop = within("target", "iptables -A INPUT -p tcp --dport 81 -j DROP");
    const { stdout, output } = await behindRouters(
      { breakIt: [drop] },
      tracing(["10.0.2.9", 80], ["10.0.2.9", 82], ["10.0.2.9", 81], ["fd00:2::9", 80]),
    );
    expect(output).toContain('"uid":65532');
    const { found, left }: { found: PathTrace[]; left: number } = JSON.parse(stdout);
    const routers = "hop 10.0.0.1, hop 10.0.1.2";
    expect(found.map(lineOf).join("\n")).toBe(
      [
        `${routers}, target 10.0.2.9, reached, 4 packets`,
        `${routers}, target 10.0.2.9, reached, 4 packets`,
        `${routers}, not reached, 16 packets`,
        "hop fd00::1, hop fd00:1::2, target fd00:2::9, reached, 4 packets",
      ].join("\n"),
    );
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
    const { found }: { found: PathTrace[] } = JSON.parse(stdout);
    expect(found.map(lineOf)).toEqual([
      "silence unknown, refusal 10.0.1.2, not reached, 4 packets",
    ]);
  });
});
