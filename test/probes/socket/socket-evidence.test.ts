import { describe, expect, test } from "vitest";
import type { OutcomeOf } from "#check/outcome";
import { behindRouters, canRoute, type RoutedScene, within } from "../../support/routed-network.ts";

/** One attempt of a kind in the agent's network, with what came of it as JSON. */
const attemptOf = (target: object, timeout: number): string => `
  import { startDeadline } from "#base/deadline";
  import { systemClock } from "#base/clock";
  import { proberContext } from "#agent/prober/probe-context";
  import { probe } from "#probes/registry";
  const context = proberContext({ overrides: (await import("#check/overrides")).noOverrides,
    trust: { authorities: null, identity: null }, nameServers: [], ipFamily: "any", resolver: "stub",
    targetRules: { allow: [], deny: [] }, proxying: { proxy: null, exceptions: [] }, http2: true,
    kernelClock: true, evidence: "local", references: [], bodyBytesMax: 1000, userAgent: "picket/test", threads: 1,
  });
  using deadline = startDeadline(systemClock, ${timeout});
  const outcome = await probe(${JSON.stringify(target)}, deadline, context);
  console.log(JSON.stringify({ ...outcome, uid: process.getuid() }));
  process.exit(0);`;

async function outcomeOf(
  scene: Partial<RoutedScene>,
  target: object,
  timeout = 5_000,
): Promise<OutcomeOf<"tcp">> {
  const { stdout, output } = await behindRouters(scene, attemptOf(target, timeout));
  expect(output).toContain('"uid":65532');
  return JSON.parse(stdout);
}

const tcp = (port: number, host = "10.0.2.9"): object => ({ kind: "tcp", host, port });
const web = {
  kind: "http",
  url: "http://10.0.2.9/",
  method: "GET",
  headers: [],
  body: "",
  followRedirects: false,
};

describe.skipIf(!canRoute("iptables"))("behind two routers, as an unprivileged user", () => {
  const router = { from: "a router", sender: "10.0.0.1" };
  test.each([
    [
      "a port where nothing listens is the target's own refusal",
      [],
      { code: "connection_refused", message: "connection refused (10.0.2.9:81)" },
      { refusedBy: null, source: "10.0.0.2", tcp: { sinceHeard: null } },
    ],
    [
      "a router that forbids is named",
      ["ip -n r1 route add prohibit 10.0.2.9"],
      { message: "10.0.0.1, a router on the way, refuses 10.0.2.9:81" },
      { refusedBy: { ...router, type: 3, code: 13 } },
    ],
    [
      "a router without a route is named",
      ["ip -n r1 route delete 10.0.2.0/24"],
      {
        code: "network_unreachable",
        message: "10.0.0.1, a router on the way, has no route to 10.0.2.9:81",
      },
      { refusedBy: { ...router, type: 3, code: 0 } },
    ],
    [
      "a host that is gone is reported by the last router",
      ["ip -n target link set eth0 down"],
      {
        code: "host_unreachable",
        message: "10.0.1.2, a router on the way, cannot reach 10.0.2.9:81",
      },
      { refusedBy: { from: "a router", sender: "10.0.1.2", type: 3, code: 1 } },
    ],
    [
      "the target's own firewall is told from its closed port",
      [within("target", "iptables -A INPUT -p tcp --dport 81 -j REJECT")],
      {
        code: "connection_refused",
        message: "10.0.2.9 itself refuses 10.0.2.9:81: its firewall answers, by ICMP",
      },
      { refusedBy: { from: "the peer", sender: "10.0.2.9", type: 3, code: 3 } },
    ],
    [
      "this machine's own firewall is named as its own",
      ["iptables -A OUTPUT -p tcp --dport 81 -j REJECT"],
      { message: "this machine's own firewall refuses 10.0.2.9:81" },
      { refusedBy: { from: "this machine", sender: "10.0.0.2", type: 3, code: 3 } },
    ],
    [
      "a gateway that is gone lets nothing leave",
      ["ip -n r1 address flush dev near"],
      {
        code: "host_unreachable",
        message:
          "cannot reach 10.0.2.9:81: nothing left this machine, because the next hop does not answer",
      },
      { refusedBy: { from: "this machine", type: 3, code: 1 } },
    ],
    [
      "a link that is down has no address to send from",
      ["ip link set eth0 down"],
      { code: "network_unreachable" },
      { source: null, refusedBy: null },
    ],
  ])("%s", async (_fact, breakIt, failure, evidence) => {
    const outcome = await outcomeOf({ breakIt }, tcp(81));
    expect(outcome.failure).toMatchObject(failure);
    expect(outcome.evidence).toMatchObject({ address: "10.0.2.9", port: 81, ...evidence });
  });

  test("the same is read of IPv6", async () => {
    const breakIt = ["ip -n r1 -6 route add prohibit fd00:2::9"];
    const { failure, evidence } = await outcomeOf({ breakIt }, tcp(81, "fd00:2::9"));
    expect(failure?.message).toBe("fd00::1, a router on the way, refuses [fd00:2::9]:81");
    expect(evidence).toMatchObject({
      source: "fd00::2",
      refusedBy: { sender: "fd00::1", type: 1 },
    });
  });

  test("a timeout says whether anything left this machine", async () => {
    const dropped = [within("target", "iptables -A INPUT -p tcp --dport 81 -j DROP")];
    const left = await outcomeOf({ breakIt: dropped }, tcp(81), 1_500);
    expect(left.failure?.message).toBe(
      "Timeout after 1500 ms connecting to 10.0.2.9:81: none of our packets was answered",
    );
    const gone = ["ip -n r1 address flush dev near"];
    const none = await outcomeOf({ breakIt: gone }, tcp(81), 1_500);
    expect(none.failure?.message).toBe(
      "Timeout after 1500 ms connecting to 10.0.2.9:81: nothing left this machine, because the next hop does not answer",
    );
  });

  test("a request that the host has and the application does not answer is said to be so", async () => {
    const { failure, evidence } = await outcomeOf({}, web, 3_000);
    expect(failure?.message).toBe(
      "Timeout after 3000 ms waiting for the response of 10.0.2.9:80: the host received the request, but no answer came",
    );
    expect(evidence?.tcp).toMatchObject({ state: 1, unacknowledged: 0, pathMtu: 1500 });
  });

  test("a check that passes has no evidence, and one without node:ffi fails as before", async () => {
    expect(await outcomeOf({}, tcp(80))).toMatchObject({ failure: null, evidence: null });
    expect(await outcomeOf({}, tcp(81))).toMatchObject({ evidence: { refusedBy: null } });
  });
});
