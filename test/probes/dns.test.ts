import packet from "dns-packet";
import { array, assert, nat, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import type { DnsTarget } from "#monitor";
import type { DnsOutcome } from "#outcome";
import { probeDns } from "#probes/dns";
import { encodeQuery, readAnswer } from "#probes/dns-message";
import {
  type DnsScript,
  type DnsServer,
  dnsServer,
  misbehaviours,
  reply,
  zone,
} from "../servers/dns-server.ts";
import { attempt, contextWith, happened, sumOf } from "../support/probing.ts";

const target = (
  server: { host: string; port: number },
  more: Partial<DnsTarget> = {},
): DnsTarget => ({
  kind: "dns",
  name: "a.test",
  types: ["A"],
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
  expect(sumOf(outcome.phases)).toBe(outcome.total);
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
  test("behind a CNAME keep the alias beside the address", async () => {
    const outcome = await ask(records, { name: "alias.test", types: ["A", "CNAME"] });
    expect(outcome.records).toEqual([
      { type: "CNAME", value: "a.test." },
      { type: "A", value: "10.0.0.1" },
      { type: "A", value: "10.0.0.2" },
    ]);
  });
  test("come over TCP when they are truncated over UDP", async () => {
    const many = Array.from(
      { length: 60 },
      (_, n) => ({ type: "A", name: "a.test", data: `198.18.0.${n + 1}` }) as const,
    );
    const outcome = await ask((query, over) => [
      over === "udp" ? reply(query, { truncated: true }) : reply(query, { answers: many }),
    ]);
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
  test("of one type make up for another that has none", async () => {
    const outcome = await ask(
      zone([{ type: "MX", name: "a.test", data: { exchange: "m.test", preference: 1 } }]),
      { types: ["A", "MX"] },
    );
    expect(outcome.failure).toBeNull();
    expect(outcome.records).toEqual([{ type: "MX", value: "m.test.:1" }]);
  });
  test("are taken from the next server when the first cannot answer", async () => {
    for (const script of [misbehaviours.servfail, misbehaviours.refused]) {
      await using first = await dnsServer(script);
      await using second = await dnsServer(records);
      const context = contextWith({ nameServers: [first, second] });
      const outcome = await attempt(probeDns, { ...target(first), server: null }, context);
      expect(outcome.server).toBe(`127.0.0.1:${second.port}`);
      expect(outcome.failure).toBeNull();
    }
  });
});

describe("failures are told apart", () => {
  const cases: Record<string, [DnsScript, string, string | null]> = {
    NXDOMAIN: [misbehaviours.nxdomain, "dns_nxdomain", "NXDOMAIN"],
    NODATA: [misbehaviours.nodata, "dns_nodata", "NOERROR"],
    SERVFAIL: [misbehaviours.servfail, "dns_servfail", "SERVFAIL"],
    REFUSED: [misbehaviours.refused, "dns_refused", "REFUSED"],
    "another code": [misbehaviours.notauth, "dns_rcode", "RCODE_9"],
    "a message shorter than its header": [misbehaviours.shorterThanHeader, "dns_malformed", null],
    "a count that lies": [misbehaviours.lyingCount, "dns_malformed", null],
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

  test("a closed port is dns_unreachable, and truncation with TCP refused is dns_truncated", async () => {
    const closed = await dnsServer(records, { tcp: false });
    await closed[Symbol.asyncDispose]();
    expect((await attempt(probeDns, target(closed))).failure?.code).toBe("dns_unreachable");
    await using noTcp: DnsServer = await dnsServer(misbehaviours.truncatedEverywhere, {
      tcp: false,
    });
    expect((await attempt(probeDns, target(noTcp))).failure?.code).toBe("dns_truncated");
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

describe("bytes from the network", () => {
  const question = { name: "a.test", type: "A" } as const;
  const asked = (name: string): packet.DecodedPacket =>
    packet.decode(encodeQuery(7, { name, type: "A" }, false));
  const good = reply(asked(question.name), {
    answers: [
      { type: "CNAME", name: "a.test", data: "b.test" },
      { type: "A", name: "b.test", data: "10.0.0.1" },
    ],
  });
  test("never make the reader throw, however they are changed", () => {
    assert(
      property(
        array(tuple(nat(good.length - 1), nat(255)), { maxLength: 12 }),
        nat(good.length),
        (changes, length) => {
          const bytes = Buffer.from(good.subarray(0, length));
          for (const [at, value] of changes) if (at > 1 && at < bytes.length) bytes[at] = value;
          expect(["answer", "truncated", "foreign", "malformed"]).toContain(
            readAnswer(bytes, 7, question).is,
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });
  test("are compared with the question whatever their case", () => {
    const upper = reply(asked("A.TeSt"));
    expect(readAnswer(upper, 7, question)).toEqual({
      is: "answer",
      answer: { rcode: "NOERROR", records: [] },
    });
  });
});
