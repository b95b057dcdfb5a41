import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Cause, hidesTarget } from "#check/cause";
import { millis } from "#base/units";
import {
  type Failing,
  healthy,
  ownFirewall,
  quietTcp,
  refused,
  refusedByRouter,
  route,
  Scene,
  silentNames,
  timeout,
  unresolved,
} from "./scene.ts";

/** What is said of a fault: its scope and certainty, or that the target has it to itself. */
const said = (cause: Cause | null): string =>
  cause === null ? "target" : `${cause.scope} ${cause.certainty}`;

const far = ["10.9.1.1", "10.9.2.1", "10.9.3.1", "10.9.4.1"];
const near = ["10.0.0.11", "10.0.0.12", "10.0.0.13"];

/** Each of the targets fails once, from monitors of their own; the last of them is judged. */
function failAll(scene: Scene, addresses: readonly string[], how: Failing): Cause | null {
  let cause: Cause | null = null;
  for (const address of addresses) cause = scene.fails(`of ${address}`, address, how);
  return cause;
}

function passAll(scene: Scene, addresses: readonly string[]): void {
  for (const address of addresses) scene.passes(`of ${address}`, address);
}

describe("this machine, its link and its gateway are proven by a look, and hide the target", () => {
  test("1: a link that is switched off", () => {
    const scene = new Scene();
    passAll(scene, far);
    scene.look({ interfaces: [{ name: "eth0", link: "switched off" }], routes: [] });
    const cause = scene.fails("of 10.9.1.1", "10.9.1.1", {
      code: "network_unreachable",
      phase: "connect",
    });
    expect(said(cause)).toBe("link proven");
    expect(cause?.sentence).toBe("no interface of this machine has a link");
    expect(cause !== null && hidesTarget(cause)).toBe(true);
  });

  test("2: the gateway behind a carrier that is gone is silent, too, and that is not a second fault", () => {
    const scene = new Scene();
    const silentGateways = ["10.0.0.1"];
    scene.look({ interfaces: [{ name: "eth0", link: "no carrier" }], silentGateways });
    expect(said(failAll(scene, far, unresolved))).toBe("link proven");
    expect(scene.vantage.conditions.map((one) => one.dependency.scope)).toEqual(["link"]);
    // The cable is back, and the kernel has not looked for the gateway since.
    scene.look({ interfaces: [{ name: "eth0", link: "up" }] });
    expect(scene.vantage.conditions.map((one) => one.dependency.scope)).toEqual(["link"]);
    // An attempt that began before says nothing of it, and one that began since does.
    expect(said(scene.fails("one", "10.9.1.1", unresolved, 10))).toBe("link proven");
    expect(scene.vantage.conditions.map((one) => one.dependency.scope)).toEqual(["link"]);
    expect(said(scene.fails("one", "10.9.1.1", unresolved))).toBe("gateway proven");
  });

  test("2: a carrier that is gone, from the first failure on", () => {
    const scene = new Scene();
    scene.look({ interfaces: [{ name: "eth0", link: "no carrier" }] });
    const cause = scene.fails("one", "10.9.1.1", unresolved);
    expect(cause).toMatchObject({
      scope: "link",
      subject: "eth0",
      certainty: "proven",
      sentence: "eth0 has no carrier: its cable or switch is gone",
    });
  });

  test("3: of two interfaces, what goes out of the other is judged by itself", () => {
    const scene = new Scene({
      ...healthy,
      interfaces: [
        { name: "eth0", link: "up" },
        { name: "eth1", link: "no carrier" },
      ],
      routes: [...healthy.routes, route("10.5.0.0/16", "eth1", null)],
    });
    expect(said(scene.fails("one", "10.5.0.1"))).toBe("link proven");
    scene.passes("two", "10.9.1.1");
    expect(said(scene.fails("three", "10.9.2.1", refused))).toBe("target");
  });

  test("4: a gateway that the kernel looks for in vain, also with a single monitor", () => {
    const scene = new Scene();
    scene.look({ silentGateways: ["10.0.0.1"] });
    const cause = scene.fails("one", "10.9.1.1", unresolved);
    expect(said(cause)).toBe("gateway proven");
    expect(cause?.sentence).toBe("the gateway 10.0.0.1 does not answer on this network");
  });

  test("5: a gateway that the kernel believes in, and that passes nothing on", () => {
    const scene = new Scene();
    passAll(scene, far);
    scene.fails("of 10.9.1.1", "10.9.1.1");
    scene.look({ deadEnds: ["10.0.0.1"] });
    const cause = scene.fails("of 10.9.2.1", "10.9.2.1");
    expect(said(cause)).toBe("gateway proven");
    expect(cause?.sentence).toBe(
      "the gateway 10.0.0.1 passes nothing on: it and the router behind it are silent",
    );
    scene.passes("of 10.9.3.1", "10.9.3.1");
    scene.look({ deadEnds: [] });
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1"))).toBe("target");
  });

  test("6: a gateway that passes packets on is not at fault, however many fail", () => {
    const scene = new Scene();
    passAll(scene, far);
    failAll(scene, far.slice(1), timeout);
    scene.vantage.answered({ scope: "gateway", subject: "10.0.0.1" }, scene.now + 2);
    scene.vantage.answered({ scope: "link", subject: "eth0" }, scene.now + 2);
    scene.look({ deadEnds: [] });
    scene.now += 10;
    const cause = scene.fails("of 10.9.1.1", "10.9.1.1");
    expect(said(cause)).not.toMatch(/^(gateway|link)/);
    expect(scene.vantage.conditions).toEqual([]);
  });

  test("what needs no gateway is never hidden by one that is silent", () => {
    const scene = new Scene();
    scene.look({ silentGateways: ["10.0.0.1"] });
    scene.passes("near", "10.0.0.12");
    expect(said(scene.fails("far", "10.9.1.1", unresolved))).toBe("gateway proven");
    expect(said(scene.fails("of a dead host", "10.0.0.11", unresolved))).not.toContain("gateway");
    // The gateway itself may be a target.
    expect(said(scene.fails("of the gateway", "10.0.0.1", unresolved))).not.toContain("gateway");
  });

  test("21: its own firewall, for the targets that it refuses", () => {
    const scene = new Scene();
    const cause = scene.fails("one", "10.9.1.1", ownFirewall);
    expect(said(cause)).toBe("machine proven");
    expect(cause?.sentence).toBe("this machine's own firewall refuses 10.9.1.1:443");
    expect(said(scene.fails("two", "10.9.2.1", refused))).toBe("target");
  });

  test("21: a rule for many targets is one condition, whose sentence names one that it refuses, and each result its own", () => {
    const scene = new Scene();
    const causes = far.map((address) => scene.fails(`of ${address}`, address, ownFirewall));
    expect(causes.map((cause) => cause?.sentence)).toEqual(
      far.map((address) => `this machine's own firewall refuses ${address}:443`),
    );
    expect(new Set(causes.map((cause) => cause?.id)).size).toBe(1);
    const [first = "", second = ""] = far;
    const open = (): readonly (readonly [string, number])[] =>
      scene.vantage.conditions.map(({ sentence, affected }) => [sentence, affected.size]);
    expect(open()).toEqual([[`this machine's own firewall refuses ${first}:443`, far.length]]);
    scene.fails(`of ${second}`, second, ownFirewall);
    scene.passes(`of ${first}`, first);
    scene.fails(`of ${second}`, second, ownFirewall);
    expect(open()).toEqual([[`this machine's own firewall refuses ${second}:443`, far.length - 1]]);
  });

  test.each([
    "this machine has no free local port: widen net.ipv4.ip_local_port_range (10.9.1.1:80)",
    "the agent has no file descriptor left: raise LimitNOFILE= (asking 10.0.0.53 for shop.test)",
    "The agent had no memory left for the body of 10.9.1.1:80: give it more",
    "Fault in the agent: x is not a function",
  ])("22: what the agent lacks is one fault, whatever each check says of it: %s", (sentence) => {
    const scene = new Scene();
    const [one, two] = ["10.9.1.1:80", "10.9.2.1:81"].map((address) => {
      const message = sentence.replace("10.9.1.1:80", address);
      return scene.fails(address, address, { code: "agent_error", phase: "agent", message });
    });
    expect([said(one ?? null), one?.id]).toEqual(["machine proven", two?.id]);
    expect(scene.vantage.conditions).toHaveLength(1);
  });

  test("a pause is over once it is seen: it lasts only if a monitor meets another before it passes", () => {
    const scene = new Scene();
    const paused: Failing = {
      code: "agent_error",
      phase: "agent",
      message: "The agent was paused for 6120 ms during the check",
    };
    const states = (): readonly string[] => scene.vantage.conditions.map(({ state }) => state);
    for (const address of far)
      expect(said(scene.fails(`of ${address}`, address, paused))).toBe("machine proven");
    expect(states()).toEqual(["recovering"]);
    scene.now += 30_000;
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1", paused))).toBe("machine proven");
    expect(states()).toEqual(["impaired"]);
    passAll(scene, far);
    expect(states()).toEqual(["recovering"]);
    scene.now += 5_000;
    scene.look();
    expect(states()).toEqual([]);
  });

  test("a machine without a route to a target hides it, and one that has no link at all says that", () => {
    const unrouted: Failing = {
      code: "network_unreachable",
      phase: "connect",
      evidence: { source: null },
    };
    const scene = new Scene();
    const cause = scene.fails("one", "10.9.1.1", unrouted);
    expect([said(cause), cause?.sentence]).toEqual([
      "machine proven",
      "no route of this machine leads to 10.9.1.1",
    ]);
    const cut = new Scene();
    cut.look({ interfaces: [{ name: "eth0", link: "switched off" }], routes: [] });
    expect(said(cut.fails("one", "10.9.1.1", unrouted))).toBe("link proven");
  });

  test("a machine that holds back what it sends probably has a rule for it, until something comes through", () => {
    const scene = new Scene();
    scene.look({ heldBack: 3 });
    passAll(scene, far);
    expect(said(scene.fails("one", "10.9.1.1"))).toBe("target");
    scene.look({ heldBack: 5 });
    expect(said(scene.fails("one", "10.9.1.1"))).toBe("machine likely");
    passAll(scene, far);
    expect(said(scene.fails("one", "10.9.1.1"))).toBe("target");
  });

  test("23: a machine that is throttled may have read answers too late: likely", () => {
    const scene = new Scene();
    scene.look({ throttledShare: 0.4 });
    expect(said(scene.fails("one", "10.9.1.1"))).toBe("machine likely");
    const late: Failing = { code: "response_timeout", phase: "wait", evidence: { tcp: quietTcp } };
    expect(said(scene.fails("two", "10.9.2.1", late))).toBe("machine likely");
    expect(said(scene.fails("three", "10.9.3.1", refused))).toBe("target");
  });
});

describe("name servers, proxies and families keep the target's error, and lead its message", () => {
  test("8: the only name server is silent; monitors by address are untouched", () => {
    const scene = new Scene();
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "silent" }] });
    const cause = scene.fails("one", "shop.test", silentNames);
    expect(said(cause)).toBe("resolver proven");
    expect(cause?.sentence).toBe("the name server 10.0.0.53 does not answer");
    expect(cause !== null && hidesTarget(cause)).toBe(false);
    scene.passes("two", "10.9.1.1");
    expect(said(scene.fails("three", "10.9.2.1", refused))).toBe("target");
  });

  test("9: one of two is silent and checks pass: a warning, and no failure", () => {
    const scene = new Scene();
    const resolvers = [
      { server: "10.0.0.53", is: "silent" },
      { server: "10.0.0.54", is: "well" },
    ] as const;
    scene.passes("one", "shop.test");
    scene.look({ resolvers });
    expect(scene.vantage.conditions).toEqual([]);
    const [warning] = scene.vantage.warnings;
    expect(warning).toMatchObject({ scope: "resolver", subject: "10.0.0.53", affected: 0 });
    expect(warning?.sentence).toBe("the name server 10.0.0.53 does not answer, and the others do");
    // It is the same one for as long as it lasts.
    scene.look({ resolvers });
    expect(scene.vantage.warnings).toEqual([warning]);
    scene.look({ resolvers: resolvers.map((one) => ({ ...one, is: "well" as const })) });
    expect(scene.vantage.warnings).toEqual([]);
  });

  test("9: one of two is silent and names take too long: the message names that one", () => {
    const scene = new Scene();
    const both = [
      { server: "10.0.0.53", is: "silent" },
      { server: "10.0.0.54", is: "well" },
    ] as const;
    scene.look({ resolvers: both });
    const names = ["shop.test", "blog.test", "news.test"];
    const cause = failAll(scene, names, silentNames);
    expect(said(cause)).toBe("resolver likely");
    expect(cause?.sentence).toBe(
      "the name server 10.0.0.53 does not answer, and the others answer too late",
    );
    scene.look({ resolvers: both.map((one) => ({ ...one, is: "well" as const })) });
    expect(said(failAll(scene, names, silentNames))).not.toContain("resolver");
  });

  test("8: name servers that answer every question with an error are broken themselves", () => {
    const scene = new Scene();
    const servfail: Failing = { code: "dns_servfail", phase: "dns" };
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "failing" }] });
    const cause = scene.fails("one", "shop.test", servfail);
    expect([said(cause), cause?.sentence]).toEqual([
      "resolver proven",
      "the name server 10.0.0.53 answers every question with an error",
    ]);
  });

  test("8: a name server by which names resolve while it refuses ours is not a cause, then and later", () => {
    const scene = new Scene();
    const refuses: Failing = { code: "dns_refused", phase: "dns" };
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "failing" }] });
    scene.fails("one", "shop.test", refuses);
    scene.passes("two", "own.test");
    expect(said(scene.fails("one", "shop.test", refuses))).toBe("target");
  });

  test("8: a name server that answers only a zone of its own is not a cause for as long as that resolves", () => {
    const scene = new Scene();
    const refuses: Failing = { code: "dns_refused", phase: "dns" };
    const causes: string[] = [];
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "failing" }] });
    for (let round = 0; round < 4; round += 1) {
      scene.passes("two", "own.test");
      causes.push(said(scene.fails("one", "shop.test", refuses)));
    }
    expect(causes).toEqual(["target", "target", "target", "target"]);
    // Then it fails its zone, too.
    expect(said(scene.fails("two", "own.test", refuses))).toBe("resolver proven");
  });

  test.each([
    ["is seen to be well", true],
    ["is not asked", false],
  ])("8: a name server that breaks again is proven again, if it %s between", (_, isAsked) => {
    const scene = new Scene();
    const servfail: Failing = { code: "dns_servfail", phase: "dns" };
    const failing = [{ server: "10.0.0.53", is: "failing" }] as const;
    for (let outage = 0; outage < 3; outage += 1) {
      scene.look({ resolvers: failing });
      expect(said(scene.fails("one", "shop.test", servfail))).toBe("resolver proven");
      scene.passes("one", "shop.test");
      if (isAsked) scene.look({ resolvers: [{ server: "10.0.0.53", is: "well" }] });
      scene.now += 60_000;
      scene.look();
      expect(scene.vantage.conditions).toEqual([]);
    }
  });

  test("9: of two name servers, one that has only errors stays a warning while names resolve by the other", () => {
    const scene = new Scene();
    scene.look({
      resolvers: [
        { server: "10.0.0.53", is: "failing" },
        { server: "10.0.0.54", is: "well" },
      ],
    });
    scene.passes("one", "shop.test");
    scene.look();
    expect(scene.vantage.warnings.map(({ sentence }) => sentence)).toEqual([
      "the name server 10.0.0.53 answers a question for picket.invalid with an error, and the others do not",
    ]);
    scene.look({
      resolvers: [
        { server: "10.0.0.53", is: "failing" },
        { server: "10.0.0.54", is: "silent" },
      ],
    });
    expect(said(scene.fails("one", "shop.test", { code: "dns_servfail", phase: "dns" }))).toBe(
      "resolver proven",
    );
  });

  test("8: an error for our question alone proves nothing of a name server that is silent to the checks", () => {
    const scene = new Scene();
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "failing" }] });
    expect(said(scene.fails("one", "shop.test", silentNames))).not.toContain("proven");
    const cause = failAll(scene, ["shop.test", "blog.test", "news.test"], silentNames);
    expect([said(cause), cause?.sentence]).toEqual([
      "resolver likely",
      "the name server 10.0.0.53 answers a question for picket.invalid with an error",
    ]);
  });

  test("10: SERVFAIL for one name is that name's", () => {
    const scene = new Scene();
    passAll(scene, ["shop.test", "blog.test"]);
    const servfail: Failing = { code: "dns_servfail", phase: "dns" };
    expect(said(scene.fails("one", "bad.test", servfail))).toBe("target");
    expect(said(scene.fails("two", "bad.test", servfail))).toBe("name likely");
  });

  test("11: one name that resolves clears the name servers at once", () => {
    const scene = new Scene();
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "silent" }] });
    expect(said(scene.fails("one", "shop.test", silentNames))).toBe("resolver proven");
    scene.passes("two", "blog.test");
    scene.look({ resolvers: [{ server: "10.0.0.53", is: "well" }] });
    expect(said(scene.fails("three", "news.test", { code: "dns_nxdomain", phase: "dns" }))).toBe(
      "target",
    );
  });

  test("12: a proxy that refuses; direct monitors are good", () => {
    const scene = new Scene(healthy, "http://10.0.0.8:3128");
    scene.passes("direct", "10.0.0.12");
    const cause = scene.fails("one", "10.9.1.1", { ...refused, evidence: { peer: "proxy" } });
    expect(said(cause)).toBe("proxy proven");
    expect(cause?.sentence).toBe("the proxy 10.0.0.8:3128 cannot be reached");
  });

  test("13: a proxy that answers 502 for one target", () => {
    const scene = new Scene(healthy, "http://10.0.0.8:3128");
    passAll(scene, ["10.9.2.1", "10.9.3.1"]);
    const bad: Failing = { code: "proxy_refused", phase: "proxy" };
    expect(said(scene.fails("one", "10.9.1.1", bad))).toBe("target");
    passAll(scene, ["10.9.2.1"]);
    expect(said(scene.fails("one", "10.9.1.1", bad))).toBe("target");
  });

  test("14: every IPv6 fails, every IPv4 is good", () => {
    const scene = new Scene({
      ...healthy,
      routes: [...healthy.routes, route("::/0", "eth0", "fe80::1")],
    });
    const six = ["2001:db8:1::1", "2001:db8:2::1", "2001:db8:3::1"];
    passAll(scene, six);
    passAll(scene, far);
    for (const address of six) {
      expect(said(scene.fails(`of ${address}`, address))).not.toContain("proven");
      scene.passes("of IPv4", "10.9.1.1");
    }
    expect(said(scene.fails("of 2001:db8:1::1", "2001:db8:1::1"))).toBe("family likely");
  });
});

describe("what failures share is likely, and stays an error", () => {
  test("7: a router beyond which all is silent; targets before it are good", () => {
    const scene = new Scene();
    passAll(scene, near);
    const cause = failAll(scene, ["10.9.1.1", "10.9.2.1", "10.9.3.1"], refusedByRouter("10.0.1.2"));
    expect(said(cause)).toBe("path likely");
    expect(cause?.sentence).toBe("nothing beyond the router 10.0.1.2 answers");
  });

  test("7: hosts that the last router looks for in vain are off, and that router is well", () => {
    const scene = new Scene();
    const off: Failing = { ...refusedByRouter("10.0.1.2"), elapsed: 3_080 };
    passAll(scene, near);
    expect(said(failAll(scene, ["10.7.1.1", "10.8.1.1", "10.9.1.1"], off))).toBe("target");
  });

  test("7: hosts that are silent have the furthest router in common that all of them lie behind", () => {
    const scene = new Scene();
    const behind = ["10.9.1.1", "10.9.2.1", "10.9.3.1"];
    for (const address of behind) scene.routers.set(address, ["10.0.1.2", "10.0.0.1"]);
    scene.routers.set("10.8.1.1", ["10.0.4.2", "10.0.0.1"]);
    passAll(scene, [...behind, "10.8.1.1", ...near]);
    let cause: Cause | null = null;
    for (const address of behind) {
      cause = scene.fails(`of ${address}`, address);
      passAll(scene, ["10.8.1.1", ...near]);
    }
    expect(said(cause)).toBe("path likely");
    expect(cause).toMatchObject({
      sentence: "nothing beyond the router 10.0.1.2 answers (by routes seen up to 1 min before)",
      affected: 3,
    });
    passAll(scene, ["10.9.3.1"]);
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1"))).toBe("target");
  });

  test("7: silence behind a router says how old the routes are, and does so in one sentence for all", () => {
    const scene = new Scene();
    const behind = ["10.9.1.1", "10.9.2.1", "10.9.3.1", "10.9.4.1"];
    for (const address of behind) scene.routers.set(address, ["10.0.1.2", "10.0.0.1"]);
    passAll(scene, [...behind, ...near]);
    const sentences = behind.map((address) => {
      scene.now += 11 * 60_000 + 30_000;
      passAll(scene, near);
      scene.period = 60 * 60_000;
      return scene.fails(`of ${address}`, address)?.sentence;
    });
    const said = "nothing beyond the router 10.0.1.2 answers (by routes seen up to 35 min before)";
    expect(sentences.slice(2)).toEqual([said, said]);
    passAll(scene, ["10.9.3.1"]);
    scene.routesSeenAt = scene.now;
    const again = behind.map((address) => scene.fails(`of ${address}`, address)?.sentence);
    expect(again.at(-1)).toBe(said.replace("35 min", "1 min"));
  });

  test("7: a router that refuses by itself is blamed by no route, however well that is known", () => {
    const scene = new Scene();
    const behind = ["10.9.1.1", "10.9.2.1", "10.9.3.1"];
    for (const address of behind) scene.routers.set(address, ["10.0.1.2", "10.0.0.1"]);
    passAll(scene, near);
    const cause = failAll(scene, behind, refusedByRouter("10.0.1.2"));
    expect(cause?.sentence).toBe("nothing beyond the router 10.0.1.2 answers");
  });

  test("15: five monitors of one host", () => {
    const scene = new Scene();
    passAll(scene, far);
    let cause: Cause | null = null;
    for (const port of [80, 81, 82, 83, 84]) {
      cause = scene.fails(`of ${port}`, `10.9.9.9:${port}`);
      scene.passes("other", "10.9.1.1");
    }
    expect(said(cause)).toBe("host likely");
    expect(cause).toMatchObject({ subject: "10.9.9.9", affected: 5 });
  });

  test("16: three hosts of one /24", () => {
    const scene = new Scene();
    passAll(scene, far);
    let cause: Cause | null = null;
    for (const host of ["10.7.7.1", "10.7.7.2", "10.7.7.3"]) {
      cause = scene.fails(host, host);
      scene.passes("other", "10.9.1.1");
    }
    expect(said(cause)).toBe("prefix likely");
    expect(cause?.subject).toBe("10.7.7.0/24");
  });

  test("16: a fault that widened is not narrow again because monitors were taken away, until something comes through", () => {
    const scene = new Scene();
    const behind = ["10.7.7.1", "10.7.7.2", "10.7.7.3"];
    passAll(scene, [...behind, ...far]);
    expect(said(failAll(scene, behind, timeout))).toBe("prefix likely");
    const wide = failAll(scene, far, timeout);
    expect(said(wide)).toBe("gateway likely");
    scene.vantage.forgetOthers((monitor) => monitor.startsWith("of 10.7.7."));
    expect(failAll(scene, behind, timeout)).toMatchObject({ id: wide?.id, scope: "gateway" });
    passAll(scene, far);
    expect(said(failAll(scene, behind, timeout))).toBe("prefix likely");
  });

  test("16: behind a gateway that nothing ever came through, no network is blamed for its silence", () => {
    const scene = new Scene();
    const behind = ["10.7.7.1", "10.7.7.2", "10.7.7.3"];
    passAll(scene, behind);
    scene.look({
      routes: [route("0.0.0.0/0", "eth0", "10.0.0.3"), route("10.0.0.0/24", "eth0", null)],
    });
    expect(failAll(scene, behind, timeout)).toMatchObject({
      scope: "gateway",
      subject: "10.0.0.3",
      certainty: "likely",
    });
  });

  test("17: two hosts that have nothing in common", () => {
    const scene = new Scene();
    passAll(scene, far);
    expect(said(scene.fails("one", "10.7.1.1"))).toBe("target");
    scene.passes("other", "10.9.1.1");
    expect(said(scene.fails("two", "10.8.1.1"))).toBe("target");
  });

  test("18: answers that are wrong are never this machine's fault, but may be their proxy's", () => {
    const wrong: Failing = { code: "unexpected_status", phase: "receive" };
    expect(said(failAll(new Scene(), far, wrong))).toBe("target");
    const proxied = new Scene(healthy, "http://10.0.0.8:3128");
    expect(said(failAll(proxied, far, wrong))).toBe("proxy likely");
  });

  test("19: certificates of one authority; with a wrong clock, it is this machine", () => {
    const expired: Failing = { code: "tls_expired", phase: "tls", issuer: "CN=Inner" };
    expect(said(failAll(new Scene(), far, expired))).toBe("authority likely");
    const wrong = new Scene();
    wrong.look({ clockSkew: 3_600_000 });
    const cause = failAll(wrong, far, expired);
    expect(said(cause)).toBe("machine proven");
    expect(cause?.sentence).toBe("this machine's clock is 1 h ahead of the service's");
  });

  const hour = 3_600_000;
  const old = { code: "tls_expired", phase: "tls", issuer: "CN=Inner" } as const;
  const early = { ...old, code: "tls_not_yet_valid" } as const;
  test.each<[string, string, Failing, number]>([
    [
      "machine proven",
      "expired half an hour ago, and an hour ahead",
      { ...old, ends: -hour / 2 },
      hour,
    ],
    ["target", "expired two hours ago, and an hour ahead", { ...old, ends: -2 * hour }, hour],
    ["target", "expired half an hour ago, and an hour behind", { ...old, ends: -hour / 2 }, -hour],
    ["machine proven", "valid itself, and an hour ahead", { ...old, ends: hour }, hour],
    ["target", "valid itself, and an hour behind", { ...old, ends: hour }, -hour],
    [
      "machine proven",
      "valid in half an hour, and an hour behind",
      { ...early, begins: hour / 2 },
      -hour,
    ],
    ["target", "valid in two hours, and an hour behind", { ...early, begins: 2 * hour }, -hour],
    ["target", "valid in half an hour, and an hour ahead", { ...early, begins: hour / 2 }, hour],
    ["machine proven", "unknown, and an hour ahead", { code: old.code, phase: "tls" }, hour],
    ["target", "unknown, and an hour behind", { code: old.code, phase: "tls" }, -hour],
  ])("19: it is the %s if the certificate and the clock are: %s", (whose, _, how, clockSkew) => {
    const scene = new Scene();
    scene.look({ clockSkew });
    expect(said(scene.fails("one", "10.9.1.1", how))).toBe(whose);
  });

  test("20: one certificate that has expired is its site's", () => {
    const scene = new Scene();
    passAll(scene, far);
    const expired: Failing = { code: "tls_expired", phase: "tls", issuer: "CN=Inner" };
    expect(said(scene.fails("one", "10.9.1.1", expired))).toBe("target");
  });

  test("29: everything fails while the gateway answers: something beyond it is likely", () => {
    const scene = new Scene();
    passAll(scene, far);
    const unasked = failAll(scene, far, timeout);
    expect(said(unasked)).toBe("gateway likely");
    expect(unasked !== null && hidesTarget(unasked)).toBe(false);
    for (const one of [
      { scope: "gateway", subject: "10.0.0.1" },
      { scope: "link", subject: "eth0" },
    ] as const)
      scene.vantage.answered(one, scene.now);
    const cause = failAll(scene, far, timeout);
    expect(said(cause)).toBe("path likely");
    expect(cause?.sentence).toBe("nothing beyond the router 10.0.0.1 answers");
  });

  test("25: a host that had the request when the gateway died says nothing of its application", () => {
    const scene = new Scene();
    passAll(scene, far);
    scene.now += 1_000;
    const hanging: Failing = {
      code: "response_timeout",
      phase: "wait",
      evidence: { tcp: { ...quietTcp, sinceHeard: 5_000 } },
    };
    scene.now += 5_000;
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1", hanging, 5_100))).toBe("target");
    scene.look({ deadEnds: ["10.0.0.1"] });
    expect(said(scene.fails("of 10.9.2.1", "10.9.2.1", hanging, 5_100))).toBe("gateway proven");
    scene.passes("of 10.9.3.1", "10.9.3.1");
    scene.look({ deadEnds: [] });
    scene.now += 10_000;
    expect(said(scene.fails("of 10.9.2.1", "10.9.2.1", hanging, 5_100))).toBe("target");
  });

  test("30: a third of the checks is lost, of hosts that answer in between: possible, with the machine's counters", () => {
    const hosts = Array.from({ length: 6 }, (_, index) => `10.${20 + index}.1.1`);
    const scene = new Scene();
    scene.look({ resentShare: 0.12, faultyInterfaces: ["eth0"] });
    const causes: (Cause | null)[] = [];
    for (let round = 0; round < 12; round += 1) {
      const [lost = "", ...others] = [...hosts.slice(round % 6), ...hosts.slice(0, round % 6)];
      passAll(scene, others.slice(0, 2));
      causes.push(scene.fails(`of ${lost}`, lost));
    }
    expect(causes.slice(0, 9).map(said)).toEqual(Array.from({ length: 9 }, () => "target"));
    const cause = causes.at(-1) ?? null;
    expect(said(cause)).toBe("path possible");
    expect(cause?.sentence).toBe(
      "packets may be lost on the way, because 10 of the last 30 checks got no answer from 6 hosts that answered other checks; this machine sends 12 % of its TCP segments again; errors are counted at eth0",
    );
    expect(cause !== null && hidesTarget(cause)).toBe(false);
    expect(said(scene.fails("refusing", "10.9.1.1", refused))).toBe("target");
  });

  test("30: of targets that fail by themselves nothing is said, however many", () => {
    const scene = new Scene();
    for (let round = 0; round < 12; round += 1) {
      const cause = scene.fails(`m${round}`, `10.${20 + round}.1.1`);
      expect(said(cause)).toBe("target");
      passAll(scene, ["10.9.1.1", "10.9.2.1"]);
    }
  });

  test("30: an outage that is over is not loss of packets", () => {
    const scene = new Scene();
    for (let round = 0; round < 5; round += 1) passAll(scene, far);
    failAll(scene, far, timeout);
    failAll(scene, far, timeout);
    passAll(scene, far);
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1"))).toBe("target");
  });
});

describe("a target that is down is not excused", () => {
  test("25: if the host has the request, it is the application", () => {
    const scene = new Scene();
    const hanging: Failing = {
      code: "response_timeout",
      phase: "wait",
      evidence: { tcp: quietTcp },
    };
    expect(said(scene.fails("one", "10.9.1.1", hanging))).toBe("target");
  });

  test("26: the only one fails, and the name servers answer", () => {
    expect(said(new Scene().fails("one", "10.9.1.1"))).toBe("target");
  });

  test("27: the only one fails, and nothing else is known: possible, and still an error", () => {
    const scene = new Scene();
    scene.look({ resolvers: [] });
    const cause = scene.fails("one", "10.9.1.1");
    expect(said(cause)).toBe("link possible");
    expect(cause !== null && hidesTarget(cause)).toBe(false);
  });

  test("28: if all targets are good there is nothing to say, whatever the service does", () => {
    const scene = new Scene();
    passAll(scene, far);
    scene.look();
    expect(scene.vantage.conditions).toEqual([]);
  });

  test("a success after the first failure clears what it went through, whatever a look says", () => {
    const scene = new Scene();
    expect(said(scene.fails("one", "10.9.1.1", timeout))).toBe("target");
    scene.passes("two", "10.9.2.1");
    scene.look({ silentGateways: ["10.0.0.1"] });
    expect(scene.vantage.conditions).toEqual([]);
  });

  test("a host of this network that is off is not its gateway's, and not its link's", () => {
    const scene = new Scene();
    passAll(scene, near);
    expect(said(scene.fails("of 10.0.0.11", "10.0.0.11", unresolved))).toBe("target");
  });
});

describe("the end of a condition", () => {
  const broken = (): Scene => {
    const scene = new Scene();
    scene.look({ silentGateways: ["10.0.0.1"] });
    failAll(scene, far, unresolved);
    return scene;
  };

  test("31: two good looks five seconds apart close it, and one target is judged alone meanwhile", () => {
    const scene = broken();
    expect(scene.vantage.conditions).toMatchObject([{ state: "impaired" }]);
    scene.now += millis(60_000);
    scene.look({ silentGateways: [] });
    expect(scene.vantage.conditions).toMatchObject([{ state: "recovering" }]);
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1", refused))).toBe("target");
    scene.now += 5_000;
    scene.look();
    expect(scene.vantage.conditions).toEqual([]);
  });

  test("an attempt that began before it recovered is still hidden", () => {
    const scene = broken();
    scene.look({ silentGateways: [] });
    scene.passes("of 10.9.2.1", "10.9.2.1");
    scene.now += 2_000;
    expect(said(scene.fails("of 10.9.1.1", "10.9.1.1", timeout, 10_000))).toBe("gateway proven");
    expect(said(scene.fails("of 10.9.3.1", "10.9.3.1", timeout))).toBe("target");
  });

  test("one that breaks again keeps its name and its beginning", () => {
    const scene = broken();
    const [before] = scene.vantage.conditions;
    scene.look({ silentGateways: [] });
    scene.now += 1_000;
    scene.look({ silentGateways: ["10.0.0.1"] });
    scene.fails("of 10.9.1.1", "10.9.1.1", unresolved);
    expect(scene.vantage.conditions).toMatchObject([
      { id: before?.id, since: before?.since, state: "impaired" },
    ]);
  });
});

test("whatever fails, nothing that came through since the first failure is blamed", () => {
  const chance = chanceFrom(7);
  const scene = new Scene();
  for (let step = 0; step < 3_000; step += 1) {
    const address = `10.${20 + Math.floor(chance() * 6)}.1.${1 + Math.floor(chance() * 3)}`;
    scene.look({ silentGateways: chance() < 0.3 ? ["10.0.0.1"] : [] });
    if (chance() < 0.5) {
      scene.passes(`of ${address}`, address);
      const open = scene.vantage.conditions.filter(({ state }) => state === "impaired");
      expect(open).toEqual([]);
    } else scene.fails(`of ${address}`, address, chance() < 0.5 ? timeout : unresolved);
  }
});

test("whatever fails, passes or is taken away, a fault that was called wide never narrows while it explains what fails", () => {
  const step = fc.record({
    address: fc.constantFrom(
      ...["1", "2", "3"].map((host) => `10.7.7.${host}`),
      ...far.slice(0, 2),
    ),
    what: fc.constantFrom("fails", "fails", "fails", "is taken away", "is taken away", "passes"),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
      const scene = new Scene();
      const failing = new Set<string>();
      /** Of those: since something last came through the gateway. */
      const since = new Set<string>();
      let isCalled = false;
      const later: string[] = [];
      for (const { address, what } of steps) {
        if (what === "fails") {
          failing.add(address);
          since.add(address);
          const scope = scene.fails(address, address)?.scope;
          const isShared = since.size >= 3 && since.size >= 0.9 * failing.size;
          if (isCalled && isShared) later.push(scope ?? "none");
          isCalled ||= scope === "gateway";
          continue;
        }
        failing.delete(address);
        since.delete(address);
        if (what === "is taken away") scene.vantage.forgetOthers((monitor) => monitor !== address);
        else {
          scene.passes(address, address);
          since.clear();
          isCalled = false;
        }
      }
      expect(later.filter((scope) => scope !== "gateway")).toEqual([]);
    }),
    { seed: 7, numRuns: 300 },
  );
});

function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
