import { beforeAll, describe, expect, test } from "vitest";
import { agentAtNight } from "../../support/agent-at-night.ts";
import { orderLines } from "../../support/network-orders.ts";
import { behindRouters, canRoute, within } from "../../support/routed-network.ts";

/** One monitor at 10.0.2.9, and two references: one in its network, one in another behind the same routers. */
const hosts: readonly string[] = [
  "ip -n target address add 10.0.2.11/24 dev eth0",
  "ip -n target address add 10.0.3.9/32 dev lo",
  "ip -n r1 route add 10.0.3.0/24 via 10.0.1.2",
  "ip -n r2 route add 10.0.3.0/24 via 10.0.2.9",
  "mount --bind /dev/null /etc/resolv.conf",
];

const target = `
  createServer((socket) => socket.on("error", () => {}).resume()).listen(80, "::", ready);`;

const drops = (network: string, chain: string, rule: string): Record<"begin" | "end", string> => ({
  begin: within(network, `iptables -A ${chain} ${rule} -j DROP`),
  end: within(network, `iptables -D ${chain} ${rule} -j DROP`),
});
const onlyTarget = drops("target", "INPUT", "-d 10.0.2.9");
const beyondRouter = drops("r1", "FORWARD", "-s 10.0.0.0/24");

/** On a busy machine a reference may answer too late: then a round is repeated, and what it said must not be wrong. */
const nights = `${agentAtNight}
  const references = [{ host: "10.0.2.11", port: 80 }, { host: "10.0.3.9", port: 80 }];
  const said = {};
  const watcher = await agent({ references });
  const only = ["10.0.2.9:80"];
  const night = async (name, expected) => {
    said[name] = [];
    for (let round = 0; round < 20; round += 1) {
      const { "10.0.2.9:80": words } = await watcher(only, 700);
      if (said[name].at(-1) !== words) said[name].push(words);
      if (expected.test(words)) return;
    }
  };
  await night("well", /^ok$/);
  await watcher.look();
  order(${JSON.stringify(onlyTarget.begin)});
  await night("target", /^connect_timeout; Timeout/);
  order(${JSON.stringify(onlyTarget.end)});
  await night("target back", /^ok$/);
  order(${JSON.stringify(beyondRouter.begin)});
  await night("path", /neither do this agent's references/);
  order(${JSON.stringify(beyondRouter.end)});
  await night("path back", /^ok$/);
  order(forwarding(4, 0));
  await night("gateway", /^hidden: the gateway/);
  order(forwarding(4, 1));
  await night("gateway back", /^ok$/);
  order(${JSON.stringify(beyondRouter.begin)});
  said.without = Object.values(await (await agent())(only, 700));
  console.log(JSON.stringify({ uid: process.getuid(), said }));
  process.exit(0);`;

describe.skipIf(!canRoute("iptables", "timeout"))(
  "the night of an agent with one monitor and two references",
  () => {
    let said: Readonly<Record<string, readonly string[]>> = {};
    let uid = 0;
    beforeAll(async () => {
      const { stdout } = await behindRouters(
        { target, breakIt: [...hosts, ...orderLines] },
        nights,
      );
      ({ uid, said } = JSON.parse(stdout));
    }, 300_000);
    /** The last is what was waited for. */
    const lastOf = (night: string): string => said[night]?.at(-1) ?? "nothing was said";

    test("begins with all well, as an unprivileged user", () => {
      expect([uid, ...(said["well"] ?? [])]).toEqual([65532, "ok"]);
    });
    test("a target that is down next to references that answer is at fault, and this place never is", () => {
      expect(lastOf("target")).toMatch(/^connect_timeout; Timeout after/);
      expect(
        (said["target"] ?? []).filter((words) => /hidden: the|likely|proven/.test(words)),
      ).toEqual([]);
    });
    test("if all references are silent and the gateway passes packets on, the network behind it is probably at fault", () => {
      expect(lastOf("path")).toMatch(
        /^connect_timeout; likely path 10\.0\.0\.1; probably nothing beyond the router 10\.0\.0\.1 answers, and neither do this agent's references: Timeout/,
      );
    });
    test("if all references are silent and the gateway is dead, that is proven with a single monitor, and is not a target's error", () => {
      expect(lastOf("gateway")).toBe(
        "hidden: the gateway 10.0.0.1 passes nothing on: it and the router behind it are silent",
      );
      expect(lastOf("gateway back")).toBe("ok");
    });
    test("without references nothing more is known than that this place may be at fault", () => {
      expect(lastOf("without")).toMatch(
        /^connect_timeout; possible link eth0; this agent itself may/,
      );
    });
  },
);
