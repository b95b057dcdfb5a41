import { describe, expect, test } from "vitest";
import { startDeadline } from "#base/deadline";
import { stubResolver } from "#probes/resolve/resolver";
import type { IpFamily, Resolution } from "#probes/resolve/resolving";
import { parseResolvConf, type SystemNames } from "#probes/resolve/system-names";
import { millis } from "#base/units";
import { turnClock } from "../../support/turn-clock.ts";
import { type DnsScript, dnsServer, misbehaviours, zone } from "../../servers/dns-server.ts";

const noNames: SystemNames = {
  hosts: () => [],
  resolvConf: () => ({ ...parseResolvConf(""), search: ["corp.test"], ndots: 1 }),
};

async function resolve(
  script: DnsScript,
  host: string,
  {
    family = "any",
    names = noNames,
    timeout = 5_000,
  }: { family?: IpFamily; names?: SystemNames; timeout?: number } = {},
): Promise<Resolution & { heard: readonly string[] }> {
  await using server = await dnsServer(script);
  using deadline = startDeadline(turnClock, millis(timeout));
  const resolver = stubResolver({ clock: turnClock, nameServers: [server], names });
  return { ...(await resolver.resolve(host, family, deadline)), heard: server.heard };
}

const records = zone([
  { type: "A", name: "db.corp.test", data: "10.0.0.1" },
  { type: "A", name: "both.test", data: "10.0.0.2" },
  { type: "AAAA", name: "both.test", data: "2001:db8::2" },
]);

describe("the stub resolver", () => {
  test("gives addresses back as they are, and localhost without a query", async () => {
    expect(await resolve(records, "10.1.2.3")).toMatchObject({
      addresses: ["10.1.2.3"],
      heard: [],
    });
    expect(await resolve(records, "localhost")).toMatchObject({ ok: true, heard: [] });
    expect(await resolve(records, "any.localhost", { family: "4" })).toMatchObject({
      addresses: ["127.0.0.1"],
      heard: [],
    });
  });
  test("gives localhost as this machine, whatever the hosts file says of it", async () => {
    const names = { ...noNames, hosts: () => ["192.0.2.66"] };
    expect(await resolve(records, "LocalHost.", { family: "4", names })).toMatchObject({
      addresses: ["127.0.0.1"],
    });
    expect(await resolve(records, "localhost", { family: "6", names })).toMatchObject({
      addresses: ["::1"],
    });
  });
  test("asks A and AAAA, or the family that is wanted", async () => {
    const both = await resolve(records, "both.test");
    expect(both.ok && both.addresses.toSorted()).toEqual(["10.0.0.2", "2001:db8::2"]);
    expect(await resolve(records, "both.test", { family: "6" })).toMatchObject({
      addresses: ["2001:db8::2"],
      heard: ["udp AAAA both.test"],
    });
  });
  test("goes through the search domains as ndots says", async () => {
    expect(await resolve(records, "db", { family: "4" })).toMatchObject({
      addresses: ["10.0.0.1"],
      heard: ["udp A db.corp.test"],
    });
    const dotted = await resolve(misbehaviours.nxdomain, "a.b", { family: "4" });
    expect(dotted.heard).toEqual(["udp A a.b", "udp A a.b.corp.test"]);
    expect((await resolve(misbehaviours.nxdomain, "a.b.", { family: "4" })).heard).toEqual([
      "udp A a.b",
    ]);
  });
  test("prefers the hosts file", async () => {
    const names = { ...noNames, hosts: (name: string) => (name === "db" ? ["192.0.2.7"] : []) };
    expect(await resolve(records, "db", { names })).toMatchObject({
      addresses: ["192.0.2.7"],
      heard: [],
    });
  });
  test("asks the servers if the hosts file has only the other family", async () => {
    const names = { ...noNames, hosts: () => ["192.0.2.7"] };
    expect(await resolve(records, "both.test", { names, family: "6" })).toMatchObject({
      addresses: ["2001:db8::2"],
    });
  });
  test("gives an address back as it is, also one of the family that is not wanted", async () => {
    expect(await resolve(records, "::1", { family: "4" })).toMatchObject({ addresses: ["::1"] });
  });
  test("asks no server for a name that cannot be one", async () => {
    for (const host of [`${"a".repeat(64)}.test`, "a..test", `${"long.".repeat(60)}test`]) {
      const resolution = await resolve(records, host);
      expect(resolution).toMatchObject({ ok: false, heard: [] });
      expect(resolution.ok ? null : resolution.failure).toMatchObject({
        code: "dns_nxdomain",
        message: `name does not exist: ${host} (it is not a possible name)`,
      });
    }
  });
  test("speaks of the name as it was given, and of the server that was asked", async () => {
    const resolution = await resolve(misbehaviours.nxdomain, "db", { family: "4" });
    expect(resolution.heard).toEqual(["udp A db.corp.test", "udp A db"]);
    expect(resolution.ok ? null : resolution.failure.message).toMatch(
      /^name does not exist: db \(NXDOMAIN from 127\.0\.0\.1:\d+\)$/,
    );
  });
  test("calls a name absent only when no candidate met with an error", async () => {
    const resolution = await resolve(
      (query, over) =>
        misbehaviours[query.questions?.[0]?.name === "db" ? "nxdomain" : "servfail"](query, over),
      "db",
    );
    expect(resolution.ok ? null : resolution.failure.code).toBe("dns_servfail");
  });
  test("does not ask silent servers for every search domain", async () => {
    const gone = await dnsServer(records);
    await gone[Symbol.asyncDispose]();
    const resolver = stubResolver({ clock: turnClock, nameServers: [gone], names: noNames });
    using deadline = startDeadline(turnClock, millis(5_000));
    expect(await resolver.resolve("db", "4", deadline)).toMatchObject({
      failure: {
        code: "dns_unreachable",
        message: `cannot resolve db.corp.test: 127.0.0.1:${gone.port} cannot be reached (nothing listens there)`,
      },
    });
  });
  test("takes the addresses of one family when the other's answer does not come", async () => {
    const onlyA: DnsScript = (query, over) =>
      query.questions?.[0]?.type === "A" ? records(query, over) : [];
    expect(await resolve(onlyA, "both.test")).toMatchObject({ addresses: ["10.0.0.2"] });
  });
  test("gives at most sixteen addresses", async () => {
    const resolution = await resolve(misbehaviours.manyRecords, "a.test", { family: "4" });
    expect(resolution.ok && resolution.addresses).toHaveLength(16);
  });
  const failures = {
    nxdomain: "dns_nxdomain",
    nodata: "dns_nodata",
    servfail: "dns_servfail",
    refused: "dns_refused",
    cnameLoop: "dns_malformed",
  } as const;
  test.each(Object.entries(failures))("%s is reported as %s", async (script, code) => {
    const resolution = await resolve(misbehaviours[script as keyof typeof failures], "a.test");
    expect(resolution.ok ? null : resolution.failure).toMatchObject({ code, phase: "dns" });
  });
  test("ends with the deadline when no server answers", async () => {
    const resolution = await resolve(misbehaviours.silent, "a.test", { timeout: 150 });
    expect(resolution.ok ? null : resolution.failure).toMatchObject({
      code: "dns_timeout",
      message: expect.stringMatching(
        /^Timeout after 150 ms resolving a\.test \(no answer from 127\.0\.0\.1:\d+\)$/,
      ),
    });
  });
  test("is not held up by fifty names that never answer", async () => {
    await using server = await dnsServer((query, over) =>
      query.questions?.[0]?.name === "both.test" ? records(query, over) : [],
    );
    const resolver = stubResolver({ clock: turnClock, nameServers: [server], names: noNames });
    const hanging = new AbortController();
    const order: string[] = [];
    const all = Array.from({ length: 50 }, async (_, n) => {
      using deadline = startDeadline(turnClock, millis(10_000), hanging.signal);
      await resolver.resolve(`hangs-${n}.test.`, "4", deadline);
      order.push("hanging");
    });
    using deadline = startDeadline(turnClock, millis(5_000));
    expect(await resolver.resolve("both.test", "4", deadline)).toEqual({
      ok: true,
      addresses: ["10.0.0.2"],
    });
    order.push("healthy");
    hanging.abort();
    await Promise.all(all);
    expect(order[0]).toBe("healthy");
  });
});
