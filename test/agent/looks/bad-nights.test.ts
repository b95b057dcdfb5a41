import { beforeAll, describe, expect, test } from "vitest";
import { agentAtNight } from "../../support/agent-at-night.ts";
import { orderLines } from "../../support/network-orders.ts";
import { behindRouters, canRoute, within } from "../../support/routed-network.ts";

/** What was said of each monitor after one check: `hidden`, `ok`, or why it failed with what its cause is. */
type Round = Readonly<Record<string, string>>;

/** Three hosts of one network, of which one has two monitors, and one of another network behind the same routers. */
const hosts: readonly string[] = [
  "for one in 10 11; do ip -n target address add 10.0.2.$one/24 dev eth0; done",
  "ip -n target address add fd00:2::10/64 dev eth0 nodad",
  "ip -n target address add 10.0.3.9/32 dev lo",
  "ip -n r1 route add 10.0.3.0/24 via 10.0.1.2",
  "ip -n r2 route add 10.0.3.0/24 via 10.0.2.9",
  "printf 'nameserver 10.0.2.9\\nnameserver fd00:2::9\\n' > /run/resolv.conf",
  "mount --bind /run/resolv.conf /etc/resolv.conf",
];

const target = `
  const servers = [80, 81].map((port) => createServer((socket) => socket.on("error", () => {}).resume()).listen(port, "::"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  // Name servers: every name has the address 10.0.2.9.
  for (const [address, type] of [["10.0.2.9", "udp4"], ["fd00:2::9", "udp6"]]) {
    const socket = createSocket(type);
    socket.on("message", (query, peer) => {
      let end = 12;
      while (query[end] !== 0) end += query[end] + 1;
      const isA = query.readUInt16BE(end + 1) === 1;
      const head = Buffer.from([query[0], query[1], 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
      const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 2, 9]);
      const parts = [head, query.subarray(12, end + 5), isA ? record : Buffer.alloc(0)];
      socket.send(Buffer.concat(parts), peer.port, peer.address);
    });
    socket.bind(53, address);
    await once(socket, "listening");
  }
  ready();`;

const drop = (network: string, chain: string, rule: string, how: "-A" | "-D" = "-A"): string =>
  within(network, `iptables ${how} ${chain} ${rule} -j DROP`);
const host = "-d 10.0.2.10";
const net = "-d 10.0.2.0/24";
const names = "-p udp --dport 53";
const ownRule = (how: "-A" | "-D"): string => `iptables ${how} OUTPUT -p tcp -d 10.0.0.0/8 -j DROP`;
/** Every third connection's first packet. */
const third = "-p tcp --syn -m statistic --mode nth --every 3 --packet 0";

/**
 * The part of the shipped unit's filters that looks at oneself can run into: no process has sockets of the kernel's own
 * families. A program of seccomp(2) says so, for every thread.
 */
const unitFilter = `
  // What the shipped unit lets no process have: sockets of the kernel's own families, in every thread.
  const { dlopen, getRawPointer } = process.getBuiltinModule("node:ffi");
  const { functions } = dlopen(null, {
    prctl: { arguments: ["i32", "u64", "u64", "u64", "u64"], return: "i32" },
    syscall: { arguments: ["i64", "u64", "u64", "u64"], return: "i64" },
  });
  const steps = Buffer.from(new ArrayBuffer(64));
  const socketCall = process.arch === "x64" ? 41 : 198;
  // Load the call's number; is it socket? Load its family; is it AF_NETLINK or AF_PACKET? EAFNOSUPPORT, or allowed.
  [[0x20, 0, 0, 0], [0x15, 0, 4, socketCall], [0x20, 0, 0, 16], [0x15, 1, 0, 16], [0x15, 0, 1, 17], [0x06, 0, 0, 0x50061], [0x06, 0, 0, 0x7fff0000]]
    .forEach(([code, yes, no, k], index) => {
      steps.writeUInt16LE(code, index * 8); steps.writeUInt8(yes, index * 8 + 2); steps.writeUInt8(no, index * 8 + 3); steps.writeUInt32LE(k, index * 8 + 4);
    });
  const filter = Buffer.from(new ArrayBuffer(16));
  filter.writeUInt16LE(7, 0);
  filter.writeBigUInt64LE(getRawPointer(steps), 8);
  functions.prctl(38, 1n, 0n, 0n, 0n);
  const filtered = functions.syscall(process.arch === "x64" ? 317n : 277n, 1n, 1n, getRawPointer(filter));
`;

const nights = `${agentAtNight}
  import { networkInterfaces } from "node:os";
  import { parseNoProxy } from "#network/no-proxy";
  const ends = ["10.0.2.9:80", "10.0.2.10:80", "10.0.2.10:81", "10.0.2.11:80", "10.0.3.9:80"];
  const said = {};
  const all = await agent();
  said.well = await all.recovered(ends);
  await all.look();
  for (const family of [4, 6]) {
    const ids = family === 4 ? ends : ["[fd00:2::9]:80", "[fd00:2::10]:80"];
    if (family === 6) { await all(ids); await all.look(); }
    order(forwarding(family, 0));
    // No check waits for the kernel: it would never notice.
    said["gateway believed in " + family] = await all(ids, 400);
    order(forwarding(family, 1));
    said["gateway believed in, back " + family] = await all.recovered(ids);
  }
  order(${JSON.stringify(ownRule("-A"))});
  said["own firewall drops"] = await all(ends, 2500);
  order(${JSON.stringify(ownRule("-D"))});
  said["own firewall drops no more"] = await all.recovered(ends);
  // Before the links flap: a router's addresses of IPv6 go with its link.
  const named = ["shop.test:80", "blog.test:80"];
  said["name servers"] = await all.recovered(named);
  order(${JSON.stringify(drop("target", "INPUT", names))});
  said["one name server of two"] = await all(named, 3000);
  const silent = await all.silent(named, 3000);
  order(${JSON.stringify(drop("target", "INPUT", names).replace("iptables", "ip6tables"))});
  said["no name server"] = await all(named, 3000);
  order(${JSON.stringify(drop("target", "INPUT", names, "-D"))});
  said["name server back"] = await all.recovered(named, 3000);
  for (let flap = 1; flap <= 10; flap += 1) {
    order("ip -n r1 link set near down");
    said["link out " + flap] = await all(ends, 200);
    order("ip -n r1 link set near up");
    // A carrier that is back carries nothing for its first second.
    said["link returns " + flap] = await all(ends);
    said["link back " + flap] = await all.recovered(ends);
  }
  order("ip -n r1 address flush dev near");
  // What the kernel does by itself within 45 s: it forgets an answer that it had.
  order("ip neigh flush dev eth0");
  said.gateway = await all(ends);
  order("ip -n r1 address add 10.0.0.1/24 dev near");
  said["gateway back"] = await all.recovered(ends);
  order(${JSON.stringify(drop("target", "INPUT", host))});
  await all(ends);
  said.host = await all(ends);
  order(${JSON.stringify(drop("target", "INPUT", host, "-D"))});
  await all(ends);
  order(${JSON.stringify(drop("r1", "FORWARD", net))});
  await all(ends);
  said.prefix = await all(ends);
  order(${JSON.stringify(drop("r1", "FORWARD", net, "-D"))});
  const lossy = await agent();
  order(${JSON.stringify(drop("r1", "FORWARD", third))});
  for (let round = 1; round <= 10; round += 1) said["loss " + round] = await lossy(ends, 300);
  order(${JSON.stringify(drop("r1", "FORWARD", third, "-D"))});
  said.proxy = await (await agent({ proxying: { proxy: { scheme: "http", host: "10.0.2.9", port: 3128, authorization: null, credentials: null }, exceptions: parseNoProxy("10.0.3.9").value } }))(ends);
  said["one that refuses"] = await (await agent())(["10.0.2.9:82"]);
  order(${JSON.stringify(drop("target", "INPUT", host))});
  said["one that is silent"] = await (await agent())(["10.0.2.10:80"]);
  order(${JSON.stringify(drop("target", "INPUT", host, "-D"))});
  ${unitFilter}
  let forbidden = "";
  try { networkInterfaces(); } catch (error) { forbidden = error.code; }
  const under = await agent();
  said["filters: well"] = await under.recovered(ends);
  await under.look();
  order(forwarding(4, 0));
  said["filters: gateway believed in"] = await under(ends, 400);
  order(forwarding(4, 1));
  said["filters: gateway back"] = await under.recovered(ends);
  order("ip -n r1 link set near down");
  said["filters: link out"] = await under(ends, 200);
  const filters = { filtered: Number(filtered), forbidden };
  console.log(JSON.stringify({ uid: process.getuid(), said, silent, filters }));
  process.exit(0);`;

describe.skipIf(!canRoute("iptables", "ip6tables", "timeout"))(
  "a bad night, as an unprivileged user behind two routers",
  () => {
    let uid = 0;
    let silent: readonly string[] = [];
    let filters: unknown = null;
    let said: Readonly<Record<string, Round>> = {};
    const wordsOf = (night: string): readonly string[] => [
      ...new Set(Object.values(said[night] ?? {})),
    ];
    /** On a busy machine a short check may have no verdict for its own pause. */
    const isHidden = (night: string, sentence: string): void => {
      expect(wordsOf(night)).not.toEqual([]);
      for (const words of wordsOf(night))
        if (!/^hidden: The agent was (paused|delayed)/.test(words))
          expect(words).toBe(`hidden: ${sentence}`);
    };
    beforeAll(async () => {
      const { stdout } = await behindRouters(
        { target, breakIt: [...hosts, ...orderLines] },
        nights,
      );
      ({ uid, said, silent, filters } = JSON.parse(stdout));
    }, 300_000);

    test("begins with all well", () => {
      expect(uid).toBe(65532);
      expect(wordsOf("well")).toEqual(["ok"]);
    });
    test("a gateway that the kernel believes in and that passes nothing on is not a target's error, over both families", () => {
      for (const [family, gateway] of [
        [4, "10.0.0.1"],
        [6, "fd00::1"],
      ]) {
        isHidden(
          `gateway believed in ${family}`,
          `the gateway ${gateway} passes nothing on: it and the router behind it are silent`,
        );
        expect(wordsOf(`gateway believed in, back ${family}`)).toEqual(["ok"]);
      }
    });
    test("the own firewall that drops is not proof against the gateway, and is what probably drops", () => {
      expect(wordsOf("own firewall drops").filter((words) => /gateway/.test(words))).toEqual([]);
      for (const words of wordsOf("own firewall drops"))
        expect(words).toMatch(
          /^(connect_timeout; likely machine firewall; probably this machine drops what it sends|hidden: The agent was)/,
        );
      expect(wordsOf("own firewall drops no more")).toEqual(["ok"]);
    });
    test("a link that flaps ten times is not a target's error, and each time all is well again", () => {
      for (let flap = 1; flap <= 10; flap += 1) {
        for (const words of wordsOf(`link returns ${flap}`))
          expect(words).toMatch(/^(ok|hidden: )/);
        isHidden(`link out ${flap}`, "eth0 has no carrier: its cable or switch is gone");
        expect(wordsOf(`link back ${flap}`)).toEqual(["ok"]);
      }
    });
    test("a gateway that dies is not a target's error, and comes back", () => {
      isHidden("gateway", "the gateway 10.0.0.1 does not answer on this network");
      expect(wordsOf("gateway back")).toEqual(["ok"]);
    });
    test("one of two name servers that dies fails no check and is named, and both are proven", () => {
      expect(wordsOf("name servers")).toEqual(["ok"]);
      expect(wordsOf("one name server of two")).toEqual(["ok"]);
      expect(silent).toEqual(["the name server 10.0.2.9:53 does not answer, and the others do"]);
      for (const words of wordsOf("no name server"))
        expect(words).toMatch(
          /^dns_timeout; proven resolver 10\.0\.2\.9, fd00:2::9; the name servers 10\.0\.2\.9, fd00:2::9 do not answer/,
        );
      expect(wordsOf("name server back")).toEqual(["ok"]);
    });
    test("a host of two monitors is what both fail by, and no other does", () => {
      const { "10.0.2.10:80": one, "10.0.2.10:81": other, ...rest } = said["host"] ?? {};
      expect(new Set(Object.values(rest))).toEqual(new Set(["ok"]));
      for (const words of [one, other])
        expect(words).toMatch(/^connect_timeout; likely host 10\.0\.2\.10; Timeout after/);
    });
    test("a network behind one router leads the message, and the others are well", () => {
      const { "10.0.3.9:80": elsewhere, ...rest } = said["prefix"] ?? {};
      expect(elsewhere).toBe("ok");
      for (const words of Object.values(rest))
        expect(words).toMatch(
          /^connect_timeout; likely prefix 10\.0\.2\.0\/24; probably nothing in 10\.0\.2\.0\/24 answers; 3 more monitors are affected: Timeout/,
        );
    });
    test("a way that loses every third packet is possible, and its errors stay errors", () => {
      const words = Array.from({ length: 10 }, (_, index) => wordsOf(`loss ${index + 1}`)).flat();
      expect(
        words.filter((one) => one.startsWith("hidden: ") && !/paused|delayed/.test(one)),
      ).toEqual([]);
      expect(words.join("\n")).toMatch(
        /^connect_timeout; possible path packet loss; packets may be lost on the way, because \d+ of the last 30 checks got no answer from [34] hosts that answered other checks/m,
      );
    });
    test("a proxy that is gone is proven for what goes by it, and what does not is well", () => {
      const { "10.0.3.9:80": straight, ...rest } = said["proxy"] ?? {};
      expect(straight).toBe("ok");
      for (const words of Object.values(rest))
        expect(words).toMatch(/proven proxy 10\.0\.2\.9:3128; /);
    });
    test("under the unit's filters a gateway and a link are seen as well", () => {
      expect(filters).toEqual({ filtered: 0, forbidden: "ERR_SYSTEM_ERROR" });
      expect(wordsOf("filters: well")).toEqual(["ok"]);
      isHidden(
        "filters: gateway believed in",
        "the gateway 10.0.0.1 passes nothing on: it and the router behind it are silent",
      );
      expect(wordsOf("filters: gateway back")).toEqual(["ok"]);
      isHidden("filters: link out", "eth0 has no carrier: its cable or switch is gone");
    });
    test("one target that is down is never excused, also when it is the only one", () => {
      expect(wordsOf("one that refuses")).toEqual([
        "connection_refused; connection refused (10.0.2.9:82)",
      ]);
      expect(wordsOf("one that is silent")[0]).toMatch(
        /^connect_timeout; possible link eth0; this agent itself may be cut off/,
      );
    });
  },
);
