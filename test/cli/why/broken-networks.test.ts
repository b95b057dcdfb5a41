import { beforeAll, describe, expect, test } from "vitest";
import { orderLines, orderModule } from "../../support/network-orders.ts";
import { behindRouters, canRoute, within } from "../../support/routed-network.ts";
import { Authority } from "../../support/authority.ts";

/** A broken network, as far as one target shows it; all of them are broken at one time, each for its own address. */
interface Scene {
  readonly target: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Three seconds, or as long as the kernel looks for a neighbour. */
  readonly timeout?: "5s";
  /** Broken for all: so it is tried alone, after the others, between these orders. */
  readonly alone?: readonly [begin: string, end: string];
  /** Who is said to be at fault, how sure that is, and a part of why; or that it works, and a part of the steps. */
  readonly says: string;
  readonly because: RegExp;
}

const names = (...servers: readonly string[]): Readonly<Record<string, string>> => ({
  PICKET_DNS_SERVERS: servers.join(","),
});
const proxy = (port: number, host = "10.0.2.9"): Readonly<Record<string, string>> => ({
  PICKET_TARGET_PROXY: `http://${host}:${port}`,
});

const scenes: Readonly<Record<string, Scene>> = {
  "no route leads there": {
    target: "tcp://10.60.0.9:80",
    says: "me proven",
    because: /^no route of this machine leads to 10\.60\.0\.9$/,
  },
  "no route leads there over IPv6": {
    target: "tcp://[fd60::9]:80",
    says: "me proven",
    because: /^no route of this machine leads to fd60::9$/,
  },
  "a gateway that is not there": {
    target: "tcp://10.51.0.9:80",
    timeout: "5s",
    says: "me proven",
    because: /^the gateway 10\.0\.0\.77 does not answer on this network$/,
  },
  "a gateway that is dead, and in the kernel's table": {
    target: "tcp://10.52.0.9:80",
    says: "me or path or target possible",
    because: /; nothing came back through the gateway 10\.0\.0\.78$/,
  },
  "a default route to a host that is no router": {
    target: "tcp://10.53.0.9:80",
    says: "me or path or target possible",
    because: /; nothing came back through the gateway 10\.0\.0\.3$/,
  },
  "a gateway that answers, and passes nothing on": {
    target: "tcp://10.0.2.44:80",
    says: "me or path or target possible",
    because: /come as far as 10\.0\.0\.1, router 1 on the way/,
  },
  "an IPv6 gateway that is not there": {
    target: "tcp://[fd51::9]:80",
    timeout: "5s",
    says: "me likely",
    because: /^the gateway fd00::77 does not answer on this network$/,
  },
  "an IPv6 gateway that is dead, and in the kernel's table": {
    target: "tcp://[fd52::9]:80",
    says: "me or path or target possible",
    because: /; nothing came back through the gateway fd00::78$/,
  },
  "its own firewall refuses": {
    target: "tcp://10.0.2.31:80",
    says: "me proven",
    because: /^this machine's own firewall refuses 10\.0\.2\.31:80$/,
  },
  "its own firewall drops": {
    target: "tcp://10.0.2.30:80",
    alone: [
      "iptables -A OUTPUT -p tcp -d 10.0.2.30 -j DROP",
      "iptables -D OUTPUT -p tcp -d 10.0.2.30 -j DROP",
    ],
    says: "me likely",
    because: /^this machine drops what it sends before that leaves/,
  },
  "a name server that is silent": {
    target: "http://shop.test/",
    env: names("10.0.2.42"),
    says: "me proven",
    because: /^the name server 10\.0\.2\.42 does not answer$/,
  },
  "a name server that refuses everything": {
    target: "http://shop.test/",
    env: names("10.0.2.9:54"),
    says: "me proven",
    because: /^the name server 10\.0\.2\.9 answers every question with an error$/,
  },
  "a name server that fails everything": {
    target: "http://shop.test/",
    env: names("10.0.2.9:55"),
    says: "me proven",
    because: /^the name server 10\.0\.2\.9 answers every question with an error$/,
  },
  "name servers of which one is silent and one refuses": {
    target: "http://shop.test/",
    env: names("10.0.2.42", "10.0.2.9:54"),
    says: "me proven",
    because:
      /10\.0\.2\.42:53 does not answer, and the name server 10\.0\.2\.9:54 answers a question for picket\.invalid with an error$/,
  },
  "nothing listens at the name server": {
    target: "http://shop.test/",
    env: names("10.0.2.9:56"),
    says: "me proven",
    because: /^the name server 10\.0\.2\.9 does not answer$/,
  },
  "a name that does not exist": {
    target: "http://gone.invalid/",
    env: names("10.0.2.9"),
    says: "target likely",
    because: /have no address for this name/,
  },
  "a name whose zone is broken": {
    target: "http://broken.test/",
    env: names("10.0.2.9"),
    says: "target likely",
    because: /cannot resolve this name$/,
  },
  "a name whose zone is silent": {
    target: "http://slow.test/",
    env: names("10.0.2.9"),
    says: "me or target possible",
    because: /resolving|no answer/,
  },
  "a proxy that is silent": {
    target: "http://10.0.2.9/",
    env: proxy(3128, "10.0.2.42"),
    says: "me likely",
    because: /^the proxy cannot be reached: Timeout/,
  },
  "a proxy that is off": {
    target: "http://10.0.2.9/",
    env: proxy(3129),
    says: "me proven",
    because: /^the proxy 10\.0\.2\.9:3129 cannot be reached$/,
  },
  "a proxy that opens no way": {
    target: "http://10.0.2.9/",
    env: proxy(502),
    says: "me or path or target possible",
    because: /^the proxy answers, but opens no connection to the target$/,
  },
  "a proxy that says nothing": {
    target: "http://10.0.2.9/",
    env: proxy(81),
    says: "me or path or target possible",
    because: /the proxy received our request/,
  },
  "a proxy whose name does not exist": {
    target: "http://10.0.2.9/",
    env: { ...names("10.0.2.9"), PICKET_TARGET_PROXY: "http://gone.invalid:3128" },
    says: "me proven",
    because: /^the proxy gone\.invalid:3128 cannot be reached$/,
  },
  "a name server that refuses a DNS check's question, too": {
    target: "dns:shop.test",
    env: names("10.0.2.9:54"),
    says: "me proven",
    because: /^the name server 10\.0\.2\.9 answers every question with an error$/,
  },
  "a DNS check of a name whose zone is broken": {
    target: "dns:broken.test",
    env: names("10.0.2.9"),
    says: "target likely",
    because: /could not answer for broken\.test/,
  },
  "one name server of two that is silent": {
    target: "http://shop.test/",
    env: names("10.0.2.42", "10.0.2.9"),
    says: "works",
    because: /10\.0\.2\.42:53 does not answer/,
  },
  "a router without a route": {
    target: "tcp://10.0.99.9:80",
    says: "path likely",
    because: /^10\.0\.0\.1, a router on the way, has no route to 10\.0\.99\.9:80$/,
  },
  "a firewall on the way that refuses": {
    target: "tcp://10.0.2.41:80",
    says: "path likely",
    because: /^10\.0\.1\.2, a router on the way, refuses 10\.0\.2\.41:80$/,
  },
  "a firewall on the way that drops": {
    target: "tcp://10.0.2.46:80",
    says: "path or target possible",
    because: /come as far as 10\.0\.1\.2, router 2 on the way/,
  },
  "a loop of routers": {
    target: "tcp://10.0.98.9:80",
    says: "path likely",
    because: /reports a loop of routers on the way to 10\.0\.98\.9:80$/,
  },
  "a target that is switched off": {
    target: "tcp://10.0.2.40:80",
    timeout: "5s",
    says: "target likely",
    because: /^10\.0\.1\.2, the last router, finds no 10\.0\.2\.40 in its network: the host is off/,
  },
  "a target of this network that is switched off": {
    target: "tcp://10.0.0.40:80",
    timeout: "5s",
    says: "target likely",
    because: /^10\.0\.0\.40 is in this network and does not answer there: the host is off/,
  },
  "a target of this network that is dead, and in the kernel's table": {
    target: "tcp://10.0.0.41:80",
    says: "me or target possible",
    because: /none of our packets was answered$/,
  },
  "a target that is switched off, over IPv6": {
    target: "tcp://[fd00:2::40]:80",
    timeout: "5s",
    says: "target likely",
    because: /the last router, finds no fd00:2::40 in its network: the host is off/,
  },
  "a router without a route, over IPv6": {
    target: "tcp://[fd00:99::9]:80",
    says: "path likely",
    because: /a router on the way, has no route to \[fd00:99::9\]:80$/,
  },
  "a firewall on the way that refuses, over IPv6": {
    target: "tcp://[fd00:2::41]:80",
    says: "path likely",
    because: /a router on the way, refuses \[fd00:2::41\]:80$/,
  },
  "nothing listens, over IPv6": {
    target: "tcp://[fd00:2::9]:1",
    says: "target likely",
    because: /nothing listens at port 1$/,
  },
  "a target whose firewall drops": {
    target: "tcp://10.0.2.42:80",
    says: "path or target possible",
    because: /come as far as 10\.0\.1\.2, router 2 on the way/,
  },
  "a target whose firewall refuses": {
    target: "tcp://10.0.2.43:80",
    says: "target likely",
    because: /^10\.0\.2\.43 itself refuses 10\.0\.2\.43:80/,
  },
  "nothing listens": {
    target: "tcp://10.0.2.9:1",
    says: "target likely",
    because: /nothing listens at port 1$/,
  },
  "an application that hangs": {
    target: "http://10.0.2.9:81/",
    says: "target likely",
    because: /small packets change nothing, so it is the application that does not answer$/,
  },
  "a status that is no success": {
    target: "http://10.0.2.9:500/",
    says: "target likely",
    because: /500/,
  },
  "a connection that is reset": {
    target: "http://10.0.2.9:83/",
    says: "target likely",
    because: /./,
  },
  "a certificate that has expired, and clocks that agree": {
    target: "https://10.0.2.9:443/",
    says: "target likely",
    because: /has expired.*; this machine's clock says .*, and the target's says the same$/,
  },
  "a clock that is an hour ahead": {
    target: "https://10.0.2.9:444/",
    says: "me likely",
    because: /has expired.*, but this machine's clock says .*, which is 1 h ahead of the target's$/,
  },
  "a certificate that has expired, and no clock to compare": {
    target: "https://10.0.2.9:445/",
    says: "me or target possible",
    because: /has expired.*, and this machine's clock says \d{4}-\d\d-\d\dT/,
  },
  "a certificate for another name": {
    target: "https://10.0.2.30:447/",
    says: "me or path or target possible",
    because: /something which answers in its place/,
  },
  "no TLS at the port": {
    target: "https://10.0.2.9:80/",
    says: "target likely",
    because: /does not speak TLS/,
  },
  "a portal that sends to another host": {
    target: "http://10.0.2.9:82/",
    says: "works",
    because: /it is 10\.0\.2\.30's, to which 10\.0\.2\.9:82 redirects/,
  },
  "a root that nobody knows": {
    target: "https://10.0.2.9:446/",
    says: "me or path or target possible",
    because: /it is the target's, or that of something which answers in its place/,
  },
};

/** Addresses and rules that break the networks. */
const breakIt: readonly string[] = [
  "ip route del default",
  "ip -6 route del default",
  "ip route add 10.0.0.0/17 via 10.0.0.1",
  "ip -6 route add fd00:2::/64 via fd00:0::1",
  "ip route add 10.51.0.0/24 via 10.0.0.77",
  "ip route add 10.52.0.0/24 via 10.0.0.78",
  "ip neigh add 10.0.0.78 lladdr 02:00:00:00:00:78 dev eth0 nud permanent",
  // A host of the same network that has the address, and forwards nothing for it.
  "ip -n r1 address add 10.0.0.3/24 dev near",
  "ip route add 10.53.0.0/24 via 10.0.0.3",
  within("r1", "iptables -t raw -A PREROUTING -d 10.53.0.0/24 -j DROP"),
  "ip -6 route add fd51::/64 via fd00:0::77",
  "ip -6 route add fd52::/64 via fd00:0::78",
  "ip neigh add 10.0.0.41 lladdr 02:00:00:00:00:41 dev eth0 nud permanent",
  "ip -6 route add fd00:99::/64 via fd00:0::1",
  "ip -n r2 -6 route add prohibit fd00:2::41",
  "ip -6 neigh add fd00:0::78 lladdr 02:00:00:00:00:78 dev eth0 nud permanent",
  "iptables -A OUTPUT -p tcp -d 10.0.2.31 -j REJECT",
  "for one in 30 31 41 42 43 44 45 46; do ip -n target address add 10.0.2.$one/24 dev eth0; done",
  within("r1", "iptables -A FORWARD -d 10.0.2.44 -j DROP"),
  within("target", "iptables -A INPUT -d 10.0.2.42 -j DROP"),
  within("target", "iptables -A INPUT -d 10.0.2.43 -j REJECT"),
  "ip -n r2 route add prohibit 10.0.2.41",
  within("r2", "iptables -A FORWARD -d 10.0.2.46 -j DROP"),
  "ip -n r1 route add 10.0.98.0/24 via 10.0.1.2",
  "ip -n r2 route add 10.0.98.0/24 via 10.0.1.1",
  ...orderLines,
];

interface Peers {
  readonly expired: string;
  readonly foreign: string;
  readonly good: string;
}

/** Servers that misbehave by port, and three name servers of which one works. */
const targetWith = ({ expired, foreign, good }: Peers): string => `
  import { createServer as createHttpsServer } from "node:https";
  const quiet = (socket) => socket.on("error", () => {}).resume();
  const listening = (server, port) => new Promise((resolve) => server.listen(port, "::", resolve));
  const dated = (ahead) => (request, response) => {
    response.sendDate = false;
    if (ahead !== null) response.setHeader("Date", new Date(Date.now() + ahead).toUTCString());
    response.end();
  };
  const of = (text, ahead) => createHttpsServer(JSON.parse(text), dated(ahead)).on("tlsClientError", () => {});
  await Promise.all([
    listening(createHttpServer(dated(0)), 80),
    listening(createServer(quiet), 81),
    listening(createHttpServer((request, response) => response.writeHead(302, { Location: "http://10.0.2.30/" }).end()), 82),
    listening(of(${JSON.stringify(good)}, 0), 447),
    listening(createServer((socket) => socket.on("error", () => {}).on("data", () => socket.resetAndDestroy())), 83),
    listening(createHttpServer((request, response) => response.writeHead(500).end()), 500),
    listening(createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 502 Bad Gateway\\r\\n\\r\\n"))), 502),
    listening(of(${JSON.stringify(expired)}, 0), 443),
    listening(of(${JSON.stringify(expired)}, -3_600_000), 444),
    listening(of(${JSON.stringify(expired)}, null), 445),
    listening(of(${JSON.stringify(foreign)}, 0), 446),
  ]);
  const codes = { 53: 0, 54: 5, 55: 2 };
  for (const [port, always] of Object.entries(codes)) {
    const socket = createSocket("udp4");
    socket.on("message", (query, peer) => {
      let end = 12;
      while (query[end] !== 0) end += query[end] + 1;
      const name = query.toString("latin1", 12, end);
      if (name.includes("slow")) return;
      const isA = query.readUInt16BE(end + 1) === 1;
      const code = always !== 0 ? always : name.includes("broken") ? 2 : name.includes("invalid") ? 3 : 0;
      const head = Buffer.from([query[0], query[1], 0x81, 0x80 + code, 0, 1, 0, code === 0 && isA ? 1 : 0, 0, 0, 0, 0]);
      const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 10, 0, 2, 9]);
      const parts = [head, query.subarray(12, end + 5), code === 0 && isA ? record : Buffer.alloc(0)];
      socket.send(Buffer.concat(parts), peer.port, peer.address);
    });
    socket.bind(Number(port), "10.0.2.9");
    await once(socket, "listening");
  }
  ready();`;

/** The command for every scene at one time, and then for those that have the machine to themselves. */
const script = (trusted: string): string => `${orderModule}
  import { writeFileSync } from "node:fs";
  import { runWhy } from "#cli/why/why-command";
  const scenes = Object.entries(${JSON.stringify(scenes)});
  writeFileSync("/run/ca.pem", ${JSON.stringify(trusted)});
  const said = {};
  const ask = async ([name, scene], tries = 5) => {
    const { target, env = {}, timeout = "3s" } = scene;
    let text = "";
    const stdout = { write: (more) => { text += more; } };
    const io = { stdout, stderr: stdout, env: { PICKET_CA_FILE: "/run/ca.pem", ...env }, interactive: false, signal: new AbortController().signal };
    const code = await runWhy([target, "--timeout", timeout, "--json"], io);
    const { works, suspects, certainty, because, steps } = JSON.parse(text);
    said[name] = { code, blame: works ? "works" : suspects.join(" or ") + " " + certainty, because: works ? JSON.stringify(steps) : because };
    // On a busy machine a check may have no verdict for its own pause: it is made again, once a router answers as it did.
    if (tries > 0 && /The agent was (paused|delayed)/.test(text)) again.push([[name, scene], tries - 1]);
  };
  const again = [];
  // Loads the program once.
  await ask(scenes[0]);
  // A few at a time: more of them would delay each other.
  const waiting = scenes.filter(([, { alone }]) => alone === undefined).toSorted(([, a], [, b]) => (b.timeout ?? "").localeCompare(a.timeout ?? ""));
  await Promise.all(Array.from({ length: 10 }, async () => {
    for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) await ask(scene);
  }));
  for (let next = again.shift(); next !== undefined; next = again.shift()) await ask(...next);
  for (const scene of scenes.filter(([, { alone }]) => alone !== undefined)) {
    order(scene[1].alone[0]);
    await ask(scene);
    for (let next = again.shift(); next !== undefined; next = again.shift()) await ask(...next);
    order(scene[1].alone[1]);
  }
  console.log(JSON.stringify({ uid: process.getuid(), said }));
  process.exit(0);`;

describe.skipIf(!canRoute("iptables", "timeout"))("picket why in a broken network", () => {
  let uid = 0;
  let said: Readonly<Record<string, unknown>> = {};
  beforeAll(async () => {
    const authority = await Authority.create();
    const issue = { altNames: ["10.0.2.9"] };
    const expired = { ...issue, validTo: new Date(Date.now() - 1_800_000) };
    const target = targetWith({
      good: JSON.stringify(await authority.issue(issue)),
      expired: JSON.stringify(await authority.issue(expired)),
      foreign: JSON.stringify(await (await Authority.create("Another")).issue(issue)),
    });
    const { stdout } = await behindRouters({ target, breakIt }, script(authority.cert));
    ({ uid, said } = JSON.parse(stdout));
  }, 300_000);

  test.each(Object.entries(scenes))("%s", (name, scene) => {
    expect(uid).toBe(65532);
    expect(said[name]).toEqual({
      code: scene.says === "works" ? 0 : 1,
      blame: scene.says,
      because: expect.stringMatching(scene.because),
    });
  });
});
