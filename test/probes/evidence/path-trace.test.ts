import { describe, expect, test } from "vitest";
import type { PathTrace } from "#check/evidence";
import { behindRouters, canRoute, within } from "../../support/routed-network.ts";

/** Traces in the agent's network, each with how long it took; then how many descriptors are open. */
const tracing = (
  places: readonly (readonly [address: string, port: number])[],
  { clock = "systemClock", hops = 16 } = {},
): string => `
  import { readdirSync, readFileSync } from "node:fs";
  import { openKernelClock } from "#probes/socket/kernel-clock";
  import { openPathTracer } from "#probes/evidence/path-trace";
  import { systemClock } from "#base/clock";
  openKernelClock();
  const { signal } = new AbortController();
  const places = ${JSON.stringify(places)}.map(([address, port]) => ({ address, port }));
  // What the runtime opens for the first timer stays open, and the kernel begins to stamp a moment after it shall.
  const first = openPathTracer(systemClock);
  for (let looks = 0, path = null; looks < 500 && !path?.hops.some(({ roundTrip }) => roundTrip !== null); looks += 1)
    path = await first(places[0], 2, signal);
  const before = readdirSync("/proc/self/fd").length;
  const trace = openPathTracer(${clock});
  const found = [];
  for (const place of places) {
    const begun = systemClock.monotonic();
    const path = await trace(place, ${hops}, signal);
    found.push({ ...path, took: systemClock.monotonic() - begun });
  }
  const left = readdirSync("/proc/self/fd").length - before;
  console.log(JSON.stringify({ uid: process.getuid(), found, left }));
  process.exit(0);`;

interface TimedTrace extends PathTrace {
  readonly took: number;
}

/** In a line, so that a failure's first line says what differed. */
const lineOf = ({ hops, packets, reached, took }: TimedTrace): string =>
  [
    ...hops.map(({ address, ended, icmp, roundTrip }) => {
      const isPossible = roundTrip !== null && roundTrip > 0 && roundTrip < took;
      const timed = isPossible ? "timed" : `${roundTrip} ns of ${took}`;
      const message = icmp === null ? [] : [icmp, roundTrip === null ? "untimed" : timed];
      return [ended, address ?? "unknown", ...message].join(" ");
    }),
    reached ? "reached" : "not reached",
    `${packets} packets`,
  ].join(", ");

describe.skipIf(!canRoute("iptables"))("a trace, as an unprivileged user", () => {
  test("finds the routers up to a target that answers, accepts, or is silent, over both families", async () => {
    const drop = within("target", "iptables -A INPUT -p tcp --dport 81 -j DROP");
    const { stdout, output } = await behindRouters(
      { breakIt: [drop] },
      tracing([
        ["10.0.2.9", 80],
        ["10.0.2.9", 82],
        ["10.0.2.9", 81],
        ["fd00:2::9", 80],
      ]),
    );
    expect(output).toContain('"uid":65532');
    const { found, left }: { found: TimedTrace[]; left: number } = JSON.parse(stdout);
    const routers = "hop 10.0.0.1 11/0 timed, hop 10.0.1.2 11/0 timed";
    expect(found.map(lineOf).join("\n")).toBe(
      [
        `${routers}, target 10.0.2.9, reached, 4 packets`,
        `${routers}, target 10.0.2.9, reached, 4 packets`,
        `${routers}, not reached, 16 packets`,
        "hop fd00::1 3/0 timed, hop fd00:1::2 3/0 timed, target fd00:2::9, reached, 4 packets",
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
      tracing([["10.0.2.9", 80]]),
    );
    const { found }: { found: TimedTrace[] } = JSON.parse(stdout);
    expect(found.map(lineOf)).toEqual([
      "silence unknown, refusal 10.0.1.2 3/13 timed, not reached, 4 packets",
    ]);
  });
  test("gives no round trip while the wall clock is set", async () => {
    // So slow that a thread that loses the processor between two clocks does not make up for it.
    const clock = "{ ...systemClock, monotonic: () => systemClock.monotonic() / 100 }";
    const { stdout } = await behindRouters({}, tracing([["10.0.2.9", 80]], { clock }));
    const { found }: { found: TimedTrace[] } = JSON.parse(stdout);
    expect(found.map(lineOf)).toEqual([
      "hop 10.0.0.1 11/0 untimed, hop 10.0.1.2 11/0 untimed, target 10.0.2.9, reached, 4 packets",
    ]);
  });
  test("takes no silence for an answer, however late the thread looks", async () => {
    // It looks when the kernel has given up, and has no connection that begins any more: after three seconds.
    const late = `{ ...systemClock, sleep: async () => {
      do await systemClock.sleep(50); while (/ 02 /.test(readFileSync("/proc/net/tcp", "utf8")));
    } }`;
    const { stdout } = await behindRouters(
      { breakIt: [within("r1", "iptables -t mangle -A PREROUTING -p tcp --dport 81 -j DROP")] },
      tracing(
        [
          ["10.0.2.9", 80],
          ["10.0.2.9", 81],
        ],
        { clock: late, hops: 2 },
      ),
    );
    const { found }: { found: TimedTrace[] } = JSON.parse(stdout);
    expect(found.map(lineOf)).toEqual([
      "hop 10.0.0.1 11/0 timed, hop 10.0.1.2 11/0 timed, not reached, 2 packets",
      "not reached, 2 packets",
    ]);
  });
});
