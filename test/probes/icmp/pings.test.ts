import { describe, expect, test } from "vitest";
import { inOwnNetwork } from "../../support/own-network.ts";
import { behindRouters, canRoute, within } from "../../support/routed-network.ts";

/** Pings each host in the agent's network, and prints a line of what was seen of each. */
const pinging = (
  hosts: readonly string[],
  { timeout = 2_000, packets = 2, waitsFor = "" } = {},
): string => `
  process.env.PROBE_SOCKETS = "raw";
  const { attempt, contextWith } = await import("./test/support/probing.ts");
  const { probeIcmp } = await import("#probes/icmp/icmp");
  const { roundTrips } = await import("#check/echoes");
  const { systemClock } = await import("#base/clock");
  const { startDeadline } = await import("#base/deadline");
  const { millis } = await import("#base/units");
  const context = { ...contextWith(), clock: systemClock };
  const check = async (host) => {
    using deadline = startDeadline(systemClock, millis(${timeout}));
    const target = { kind: "icmp", host, packets: ${packets}, interval: 10 };
    return await probeIcmp(target, deadline, context);
  };
  const lines = await Promise.all(${JSON.stringify(hosts)}.map(async (host) => {
    let seen = await check(host);
    // A check in which a busy machine paused the agent says nothing of the target: the next one counts.
    for (let tries = 1; tries < 10 && /^The agent was (paused|delayed)/.test(seen.failure?.message); tries += 1)
      seen = await check(host);
    const { failure, evidence, hopLimit, phases, total, own, errorBar } = seen;
    const times = roundTrips(seen);
    const sum = Object.values(phases).reduce((all, one) => all + (one ?? 0), own ?? 0);
    const isTimed = times.every((one) => one > 0 && one < 1e9) && sum === total;
    return [
      failure === null ? "passed" : failure.code + " in " + failure.phase + ": " + failure.message,
      times.length + " of " + seen.echoes.length,
      ...(isTimed ? [] : ["badly timed: " + JSON.stringify({ times, phases, own, total })]),
      ...(failure === null ? ["hop limit " + hopLimit, "from " + seen.address] : []),
      ...(failure === null && errorBar === 0 ? ["stamped"] : []),
      ...(seen.duplicates > 0 ? ["some twice"] : []),
      ...(evidence?.refusedBy ? [evidence.refusedBy.from] : []),
    ].join(", ");
  }));
  const { readFileSync } = await import("node:fs");
  if ("${waitsFor}" !== "") lines.push(readFileSync("${waitsFor}", "utf8").trim());
  console.log(lines.join("\\n"));
  process.exit(0);`;

/** As systemd and container engines set it: every group that there is here may ping. */
const everyoneMayPing = 'echo "0 0" > /proc/sys/net/ipv4/ping_group_range';

interface PingScene {
  readonly breakIt?: readonly string[];
  readonly timeout?: number;
  readonly packets?: number;
}

async function seen(hosts: readonly string[], scene: PingScene = {}): Promise<string> {
  const { breakIt = [], ...how } = scene;
  const { stdout } = await behindRouters(
    { breakIt: [everyoneMayPing, ...breakIt] },
    pinging(hosts, how),
  );
  return stdout.trim();
}

describe.skipIf(!canRoute("iptables", "ip6tables"))("a ping, as an unprivileged user", () => {
  test("is answered over both families, timed by the kernel's stamps", async () => {
    expect(await seen(["10.0.2.9", "fd00:2::9", "10.0.0.1", "127.0.0.1", "0.0.0.0"])).toBe(
      [
        "passed, 2 of 2, hop limit 62, from 10.0.2.9, stamped",
        "passed, 2 of 2, hop limit 62, from fd00:2::9, stamped",
        "passed, 2 of 2, hop limit 64, from 10.0.0.1, stamped",
        "passed, 2 of 2, hop limit 64, from 127.0.0.1, stamped",
        "passed, 2 of 2, hop limit 64, from 0.0.0.0, stamped",
      ].join("\n"),
    );
  });

  test("that no one answers is a timeout", async () => {
    const silent = within("target", "iptables -A INPUT -p icmp -j DROP");
    expect(await seen(["10.0.2.9"], { breakIt: [silent], timeout: 300 })).toBe(
      "icmp_timeout in connect: Timeout after 300 ms: no reply from 10.0.2.9 to 2 echo requests, 0 of 2",
    );
  });

  test("names the router that has no route, over both families", async () => {
    const breakIt = ["ip -n r1 route del 10.0.2.0/24", "ip -n r1 -6 route del fd00:2::/64"];
    expect(await seen(["10.0.2.9", "fd00:2::9"], { breakIt })).toBe(
      [
        "icmp_net_unreachable in connect: 10.0.0.1, a router on the way, has no route to 10.0.2.9, 0 of 2, a router",
        "icmp_net_unreachable in connect: fd00::1, a router on the way, has no route to fd00:2::9, 0 of 2, a router",
      ].join("\n"),
    );
  });

  test("names the router that finds no such host", async () => {
    expect(await seen(["10.0.2.77"], { timeout: 8_000, packets: 1 })).toBe(
      "icmp_host_unreachable in connect: 10.0.1.2, a router on the way, cannot reach 10.0.2.77, 0 of 1, a router",
    );
  });

  test("to a neighbour that is not there is this machine's own finding", async () => {
    expect(await seen(["10.0.0.77"], { timeout: 8_000, packets: 1 })).toBe(
      "icmp_host_unreachable in connect: this machine cannot reach 10.0.0.77, 0 of 1, this machine",
    );
  });

  test("names whoever forbids it: a router, the host or this machine", async () => {
    const reject = "-j REJECT --reject-with icmp-admin-prohibited";
    const breakIt = [
      within("r1", `iptables -A FORWARD -p icmp -d 10.0.2.9 ${reject}`),
      within(
        "target",
        "ip6tables -A INPUT -p icmpv6 --icmpv6-type 128 -j REJECT --reject-with icmp6-adm-prohibited",
      ),
      "iptables -A OUTPUT -p icmp -d 10.0.1.2 -j DROP",
    ];
    expect(await seen(["10.0.2.9", "fd00:2::9", "10.0.1.2"], { breakIt })).toBe(
      [
        "icmp_prohibited in connect: 10.0.0.1, a router on the way, forbids the ping to 10.0.2.9, 0 of 2, a router",
        "icmp_prohibited in connect: fd00:2::9 itself forbids the ping to fd00:2::9, 0 of 2, the peer",
        "icmp_prohibited in connect: this machine's own firewall refuses 10.0.1.2, 0 of 0",
      ].join("\n"),
    );
  });

  test("is never cut in pieces: a link that is too narrow for it is named", async () => {
    const breakIt = ["ip -n r1 link set far mtu 68"];
    expect(await seen(["10.0.2.9"], { breakIt })).toBe(
      "icmp_host_unreachable in connect: 10.0.0.1, a router on the way, passes no packet as long as a ping on to 10.0.2.9, 0 of 2, a router",
    );
  });

  test("into a loop of routers is reported by the one where it ends", async () => {
    const loop = "ip -n r2 route add 10.0.2.9/32 via 10.0.1.1";
    expect(await seen(["10.0.2.9"], { breakIt: [loop] })).toMatch(
      /^icmp_ttl_exceeded in connect: 10\.0\.[\d.]+, a router on the way, reports a loop of routers on the way to 10\.0\.2\.9, 0 of 2, a router$/,
    );
  });

  test("without a route is this machine's, and a broadcast address is not a target", async () => {
    const breakIt = ["ip route del default"];
    expect(await seen(["10.9.9.9", "10.0.0.255"], { breakIt })).toBe(
      [
        "network_unreachable in connect: no route to the network (10.9.9.9), 0 of 0",
        "address_unusable in connect: 10.0.0.255 is a broadcast address: many hosts would answer, so no answer is the target's, 0 of 0",
      ].join("\n"),
    );
  });

  test("that loses some of its echoes passes, and says how many", async () => {
    const everySecond =
      "iptables -A INPUT -p icmp -m statistic --mode nth --every 2 --packet 1 -j DROP";
    const breakIt = [within("target", everySecond)];
    expect(await seen(["10.0.2.9"], { breakIt, timeout: 300, packets: 4 })).toBe(
      "passed, 2 of 4, hop limit 62, from 10.0.2.9, stamped",
    );
  });

  test("counts a reply once that comes twice", async () => {
    const breakIt = [
      within(
        "r1",
        "iptables -t mangle -A PREROUTING -i far -p icmp --icmp-type echo-reply -j TEE --gateway 10.0.0.2",
      ),
    ];
    expect(await seen(["10.0.2.9"], { breakIt, packets: 3 })).toBe(
      "passed, 3 of 3, hop limit 62, from 10.0.2.9, stamped, some twice",
    );
  });

  test("is not sent by whoever may not, and the sentence says what to set", async () => {
    const { stdout } = await behindRouters({}, pinging(["10.0.2.9"]));
    expect(stdout.trim()).toBe(
      "agent_error in agent: this process may not ping: let its group do so by the sysctl net.ipv4.ping_group_range, or give it CAP_NET_RAW, 0 of 0",
    );
  });

  test("is sent over a raw socket by whoever has CAP_NET_RAW and is in no such group", async () => {
    const { stdout } = await inOwnNetwork(["ip link set lo up"], pinging(["127.0.0.1", "::1"]));
    expect(stdout.trim()).toBe(
      [
        "passed, 2 of 2, hop limit 64, from 127.0.0.1, stamped",
        "passed, 2 of 2, hop limit 64, from ::1, stamped",
      ].join("\n"),
    );
  });

  test("accepts no reply that is forged, whichever id and number it has", async () => {
    const silent = within("target", "sh -c 'echo 1 > /proc/sys/net/ipv4/icmp_echo_ignore_all'");
    const forger = `FORGER='${forging(1 << 17)}'; export FORGER; mkfifo /run/forged`;
    const forge = within("target", '"$0" --input-type=module -e "$FORGER" > /run/forged &');
    const { stdout } = await behindRouters(
      { breakIt: [everyoneMayPing, silent, forger, forge] },
      pinging(["10.0.2.9"], { timeout: 2_000, packets: 20, waitsFor: "/run/forged" }),
    );
    expect(stdout.trim()).toMatch(/^icmp_timeout in connect: .*, 0 of 20\n131072$/);
  });
});

/** Sends replies from the target's own address: each id of 65,536 again and again, with other bytes than were sent. */
const forging = (count: number): string => `
  const { openKernelCalls } = await import("#probes/raw/kernel-calls");
  const calls = openKernelCalls();
  const socket = calls.echoSocket("10.0.0.2", "raw");
  if (calls.connect(socket, "10.0.0.2", 1) < 0) throw new Error("the forger cannot send");
  const packet = calls.outbox;
  packet.fill(0, 0, 64);
  packet.fill("picket.", 24, 64);
  let sent = 0;
  for (let forged = 0; forged < ${count}; forged += 1) {
    packet.writeUInt16BE(0, 2);
    packet.writeUInt16BE(forged & 0xffff, 4);
    packet.writeUInt16BE((forged * 31) & 0xffff, 6);
    let sum = 0;
    for (let at = 0; at < 64; at += 2) sum += packet.readUInt16BE(at);
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
    packet.writeUInt16BE(~sum & 0xffff, 2);
    if (calls.send(socket, 64, false) === 64) sent += 1;
  }
  console.log(sent);`;
