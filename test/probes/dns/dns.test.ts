import { describe, expect, test } from "vitest";
import type { DnsTarget } from "#check/monitor";
import type { DnsOutcome } from "#check/outcome";
import { probeDns } from "#probes/dns/dns";
import { noKernelClock, openKernelClock } from "#probes/socket/kernel-clock";
import { parseResolvConf } from "#probes/resolve/system-names";
import {
  deliveries,
  type DnsScript,
  dnsServer,
  misbehaviours,
  reply,
  zone,
} from "../../servers/dns-server.ts";
import { nanos } from "#base/units";
import { attempt, contextWith, happened, sumOf } from "../../support/probing.ts";

const target = (
  server: { host: string; port: number },
  more: Partial<DnsTarget> = {},
): DnsTarget => ({
  kind: "dns",
  name: "a.test",
  types: ["A"],
  recordsNeeded: true,
  server: { host: server.host, port: server.port },
  ...more,
});

async function ask(
  script: DnsScript,
  more: Partial<DnsTarget> = {},
  timeout = 5_000,
): Promise<DnsOutcome> {
  await using server = await dnsServer(script);
  return await attempt(probeDns, target(server, more), contextWith(), timeout);
}

function expectContract(outcome: DnsOutcome): void {
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
}

const records = zone([
  { type: "A", name: "a.test", data: "10.0.0.1" },
  { type: "A", name: "a.test", data: "10.0.0.2" },
  { type: "AAAA", name: "a.test", data: "2001:db8::1" },
  { type: "MX", name: "a.test", data: { exchange: "mail.test", preference: 10 } },
  { type: "TXT", name: "a.test", data: ["v=spf1 ", "-all"] },
  { type: "NS", name: "a.test", data: "ns.test" },
  { type: "CNAME", name: "alias.test", data: "a.test" },
]);

describe("answers", () => {
  test("of every type are read in the form of the wire", async () => {
    const outcome = await ask(records, { types: ["A", "AAAA", "MX", "TXT", "NS"] });
    expect(outcome.failure).toBeNull();
    expect(outcome.rcode).toBe("NOERROR");
    expect(outcome.transport).toBe("udp");
    expect(outcome.records).toEqual([
      { type: "A", value: "10.0.0.1" },
      { type: "A", value: "10.0.0.2" },
      { type: "AAAA", value: "2001:db8::1" },
      { type: "MX", value: "mail.test.:10" },
      { type: "TXT", value: "v=spf1 -all" },
      { type: "NS", value: "ns.test." },
    ]);
    expect(happened(outcome.phases)).toEqual(["write", "wait"]);
    expectContract(outcome);
  });
  test("behind a CNAME keep the alias next to the address", async () => {
    const outcome = await ask(records, { name: "alias.test", types: ["A", "CNAME"] });
    expect(outcome.records).toEqual([
      { type: "CNAME", value: "a.test." },
      { type: "A", value: "10.0.0.1" },
      { type: "A", value: "10.0.0.2" },
    ]);
  });
  test("come over TCP when they are truncated over UDP", async () => {
    const outcome = await ask((query, over) =>
      over === "udp" ? [reply(query, { truncated: true })] : misbehaviours.manyRecords(query, over),
    );
    expect(outcome.transport).toBe("tcp");
    expect(outcome.records).toHaveLength(60);
  });
  test("come without EDNS from a server that does not know it", async () => {
    expect((await ask(misbehaviours.formerrOnEdns)).records).toEqual([
      { type: "A", value: "10.0.0.1" },
    ]);
  });
  test("come from a server on IPv6, and from one given by name, whose look-up is the dns phase", async () => {
    await using v6 = await dnsServer(records, { host: "::1" });
    expect((await attempt(probeDns, target(v6))).server).toBe(`[::1]:${v6.port}`);
    await using named = await dnsServer(records);
    const outcome = await attempt(probeDns, target({ host: "localhost", port: named.port }));
    expect(outcome.failure).toBeNull();
    expect(happened(outcome.phases)).toEqual(["dns", "write", "wait"]);
  });
  test("come at the kernel's instant if it can be had, else at the event's, and say which", async () => {
    await using server = await dnsServer(records);
    const measuredBy = async (context?: ReturnType<typeof contextWith>): Promise<string | null> =>
      (await attempt(probeDns, target(server), context)).measuredBy;
    expect(await measuredBy()).toBe(openKernelClock().available ? "kernel" : "event");
    expect(await measuredBy(contextWith({ kernelClock: noKernelClock }))).toBe("event");
  });
  test("take more than no time, however near the server is", async () => {
    await using server = await dnsServer(records);
    const context = contextWith();
    for (let round = 0; round < 100; round += 1) {
      const outcome = await attempt(probeDns, target(server, { types: ["A", "MX"] }), context);
      expect(outcome.total).toBeGreaterThan(0);
      expectContract(outcome);
    }
  });
  test("that the kernel places before their question came while the clock was set, and are the event's", async () => {
    await using server = await dnsServer(records);
    const kernelClock = { ...openKernelClock(), sinceArrival: () => nanos(3e9) };
    const outcome = await attempt(probeDns, target(server), contextWith({ kernelClock }));
    expect(outcome.measuredBy).toBe("event");
    expect(outcome.total).toBeGreaterThan(0);
  });
  test("of one type make up for another that has none", async () => {
    const outcome = await ask(
      zone([{ type: "MX", name: "a.test", data: { exchange: "m.test", preference: 1 } }]),
      { types: ["A", "MX"] },
    );
    expect(outcome.failure).toBeNull();
    expect(outcome.records).toEqual([{ type: "MX", value: "m.test.:1" }]);
  });
  test("come from the system's servers when no other is named", async () => {
    await using server = await dnsServer(records);
    const context = contextWith({
      systemNames: {
        hosts: () => [],
        resolvConf: () => ({ ...parseResolvConf(""), servers: [server], search: ["corp.test"] }),
      },
    });
    const outcome = await attempt(probeDns, { ...target(server), server: null }, context);
    expect(outcome.failure).toBeNull();
    // The name of a check is absolute: search domains are not for it.
    expect(server.heard).toEqual(["udp A a.test"]);
  });
  test("are taken from the next server when the first cannot answer", async () => {
    for (const script of [misbehaviours.servfail, misbehaviours.refused, misbehaviours.referral]) {
      await using first = await dnsServer(script);
      await using second = await dnsServer(records);
      const context = contextWith({ nameServers: [first, second] });
      const outcome = await attempt(probeDns, { ...target(first), server: null }, context);
      expect(outcome.server).toBe(`127.0.0.1:${second.port}`);
      expect(outcome.failure).toBeNull();
    }
  });
});

describe("failures are distinguished", () => {
  const cases: Record<string, [DnsScript, string, string | null]> = {
    NXDOMAIN: [misbehaviours.nxdomain, "dns_nxdomain", "NXDOMAIN"],
    NODATA: [misbehaviours.nodata, "dns_nodata", "NOERROR"],
    SERVFAIL: [misbehaviours.servfail, "dns_servfail", "SERVFAIL"],
    REFUSED: [misbehaviours.refused, "dns_refused", "REFUSED"],
    "another code": [misbehaviours.notauth, "dns_rcode", "NOTAUTH"],
    "a message shorter than its header": [misbehaviours.shorterThanHeader, "dns_malformed", null],
    "a count that lies": [misbehaviours.lyingCount, "dns_malformed", null],
    "aliases that lead nowhere": [misbehaviours.danglingCname, "dns_nodata", "NOERROR"],
    "an address of two bytes": [misbehaviours.shortAddress, "dns_malformed", null],
    "a length that lies": [misbehaviours.lyingLength, "dns_malformed", null],
    "names that point to themselves": [misbehaviours.compressionLoop, "dns_malformed", null],
    "aliases that form a loop": [misbehaviours.cnameLoop, "dns_malformed", null],
    "truncation over TCP too": [misbehaviours.truncatedEverywhere, "dns_truncated", null],
  };
  test.each(Object.entries(cases))("%s", async (_name, [script, code, rcode]) => {
    const outcome = await ask(script);
    expect(outcome.failure).toMatchObject({ code, phase: "wait" });
    expect(outcome.rcode).toBe(rcode);
    expect(outcome.server).toMatch(/^127\.0\.0\.1:\d+$/);
    expectContract(outcome);
  });

  const ignored = ["silent", "wrongId", "wrongQuestion", "notAnAnswer", "garbage"] as const;
  test.each(ignored)("%s is ignored until the deadline", async (name) => {
    const outcome = await ask(misbehaviours[name], {}, 200);
    expect(outcome.failure).toMatchObject({ code: "dns_timeout", phase: "wait" });
    expect(outcome.failure?.message).toMatch(/^Timeout after 200 ms /);
    expect(outcome.rcode).toBeNull();
    expectContract(outcome);
  });

  test("a closed port is dns_unreachable", async () => {
    const closed = await dnsServer(records, { tcp: false });
    await closed[Symbol.asyncDispose]();
    expect((await attempt(probeDns, target(closed))).failure?.code).toBe("dns_unreachable");
  });
  const failingTcp = {
    refused: { tcp: false },
    "closed in the middle of the answer": { deliver: deliveries.halfThenClose },
    reset: { deliver: deliveries.reset },
  };
  test.each(Object.entries(failingTcp))(
    "truncation with TCP %s is dns_truncated, and says so",
    async (_how, peer) => {
      await using server = await dnsServer(misbehaviours.truncatedEverywhere, peer);
      const outcome = await attempt(probeDns, target(server));
      expect(outcome.failure).toMatchObject({ code: "dns_truncated", phase: "wait" });
      expect(outcome.failure?.message).toMatch(/ is truncated, and TCP failed \(/);
      expect(outcome.transport).toBeNull();
      expect(outcome.server).toBe(`127.0.0.1:${server.port}`);
      expectContract(outcome);
    },
  );

  test("of an alias it is said where it leads, and not that the name has no record", async () => {
    const outcome = await ask(misbehaviours.danglingCname);
    expect(outcome.failure?.message).toMatch(
      /^name leads to nowhere\.test\., and the answer ends there without a record of the types asked: a\.test /,
    );
  });
  test("of a referral it is said that it is one, and not that the name has no record", async () => {
    const outcome = await ask(misbehaviours.referral);
    expect(outcome.failure).toMatchObject({
      code: "dns_nodata",
      message: expect.stringMatching(/^name server only refers to others: a\.test /),
    });
  });
  test("no record is not a failure if none is needed, once a server says so of the name", async () => {
    const unneeded = { types: ["TXT"], recordsNeeded: false } as const;
    expect((await ask(misbehaviours.nodata, unneeded)).failure).toBeNull();
    for (const [script, code] of [
      [misbehaviours.nxdomain, "dns_nxdomain"],
      [misbehaviours.servfail, "dns_servfail"],
      [misbehaviours.referral, "dns_nodata"],
    ] as const)
      expect((await ask(script, unneeded)).failure?.code).toBe(code);
  });
  test("an alias that leads nowhere is not a failure if the alias was asked for", async () => {
    const outcome = await ask(misbehaviours.danglingCname, { types: ["A", "CNAME"] });
    expect(outcome.failure).toBeNull();
    expect(outcome.records).toEqual([{ type: "CNAME", value: "nowhere.test." }]);
  });
  test("a query that could not be sent failed in writing, and is not called waited for", async () => {
    const outcome = await attempt(probeDns, target({ host: "255.255.255.255", port: 53 }));
    expect(outcome.failure).toMatchObject({ code: "dns_unreachable", phase: "write" });
    expect(happened(outcome.phases)).toEqual(["write"]);
    expectContract(outcome);
  });
  test("a server's name that does not resolve fails in the dns phase, with no server asked", async () => {
    const outcome = await attempt(probeDns, target({ host: "ns.nowhere", port: 53 }));
    expect(outcome.failure).toMatchObject({ code: "dns_nxdomain", phase: "dns" });
    expect(happened(outcome.phases)).toEqual(["dns"]);
    expect(outcome.server).toBeNull();
    expectContract(outcome);
  });
  test("an error of one type is not hidden by another's success", async () => {
    const outcome = await ask(
      (query) =>
        query.questions?.[0]?.type === "A"
          ? records(query, "udp")
          : misbehaviours.nxdomain(query, "udp"),
      { types: ["A", "MX"] },
    );
    expect(outcome.failure?.code).toBe("dns_nxdomain");
  });
});
