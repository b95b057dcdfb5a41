import { mkdtempSync, rmSync, writeFileSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { systemClock } from "#clock";
import { startDeadline } from "#deadline";
import { type IpFamily, type Resolution, stubResolver, systemResolver } from "#probes/resolver";
import { parseHosts, parseResolvConf, type SystemNames, systemNames } from "#probes/system-names";
import { millis } from "#units";
import { type DnsScript, dnsServer, misbehaviours, zone } from "../servers/dns-server.ts";
import { FakeClock } from "../support/fake-clock.ts";

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
  using deadline = startDeadline(systemClock, millis(timeout));
  const resolver = stubResolver({ clock: systemClock, nameServers: [server], names });
  return { ...(await resolver.resolve(host, family, deadline)), heard: server.heard };
}

const records = zone([
  { type: "A", name: "db.corp.test", data: "10.0.0.1" },
  { type: "A", name: "both.test", data: "10.0.0.2" },
  { type: "AAAA", name: "both.test", data: "2001:db8::2" },
]);

describe("the stub resolver", () => {
  test("gives addresses back as they are, and localhost without asking anybody", async () => {
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
  const failures = {
    nxdomain: "dns_nxdomain",
    nodata: "dns_nodata",
    servfail: "dns_servfail",
    refused: "dns_refused",
    cnameLoop: "dns_malformed",
  } as const;
  test.each(Object.entries(failures))("%s is told as %s", async (script, code) => {
    const resolution = await resolve(misbehaviours[script as keyof typeof failures], "a.test");
    expect(resolution.ok ? null : resolution.failure).toMatchObject({ code, phase: "dns" });
  });
  test("ends with the deadline when nobody answers", async () => {
    const resolution = await resolve(misbehaviours.silent, "a.test", { timeout: 150 });
    expect(resolution.ok ? null : resolution.failure).toMatchObject({
      code: "dns_timeout",
      message: "Timeout after 150 ms resolving a.test",
    });
  });
  test("is not held up by fifty names that never answer", async () => {
    await using server = await dnsServer((query, over) =>
      query.questions?.[0]?.name === "both.test" ? records(query, over) : [],
    );
    const resolver = stubResolver({ clock: systemClock, nameServers: [server], names: noNames });
    const hanging = new AbortController();
    const order: string[] = [];
    const all = Array.from({ length: 50 }, async (_, n) => {
      using deadline = startDeadline(systemClock, millis(10_000), hanging.signal);
      await resolver.resolve(`hangs-${n}.test.`, "4", deadline);
      order.push("hanging");
    });
    using deadline = startDeadline(systemClock, millis(5_000));
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

test("the system's resolver knows localhost, and leaves at the deadline", async () => {
  using deadline = startDeadline(systemClock, millis(5_000));
  expect(await systemResolver().resolve("localhost", "4", deadline)).toEqual({
    ok: true,
    addresses: ["127.0.0.1"],
  });
  using over = startDeadline(systemClock, millis(5_000), AbortSignal.abort());
  expect(await systemResolver().resolve("localhost", "4", over)).toMatchObject({ ok: false });
});

describe("the host's files", () => {
  test("hosts: comments, several names, several lines, lines that are none", () => {
    const hosts = parseHosts(
      "# all\r\n127.0.0.1 localhost  Host.Test # here\n::1\tlocalhost\nnot-an-address x\n\n10.0.0.1\n",
    );
    expect([...hosts]).toEqual([
      ["localhost", ["127.0.0.1", "::1"]],
      ["host.test", ["127.0.0.1"]],
    ]);
  });
  test("resolv.conf: servers, search, options within their bounds, and what it is without any", () => {
    const conf = parseResolvConf(
      "; c\nnameserver 10.0.0.53\nnameserver fe80::1%eth0\nnameserver nonsense\ndomain old.test\nsearch a.test b.test.\noptions ndots:3 timeout:99 attempts:0 rotate edns0\n",
    );
    expect(conf).toEqual({
      servers: [
        { host: "10.0.0.53", port: 53 },
        { host: "fe80::1%eth0", port: 53 },
      ],
      search: ["a.test", "b.test"],
      ndots: 3,
      timeout: 30_000,
      attempts: 1,
    });
    expect(parseResolvConf("")).toEqual({
      servers: [{ host: "127.0.0.1", port: 53 }],
      search: [],
      ndots: 1,
      timeout: 5_000,
      attempts: 2,
    });
  });
  test("are read again when they change, but not looked at for every name", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "picket-names-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const paths = { hosts: path.join(folder, "hosts"), resolvConf: path.join(folder, "missing") };
    writeFileSync(paths.hosts, "10.0.0.1 a.test\n");
    const clock = new FakeClock();
    const names = systemNames(clock, paths);
    expect(names.hosts("A.test")).toEqual(["10.0.0.1"]);
    expect(names.resolvConf().servers).toEqual([{ host: "127.0.0.1", port: 53 }]);
    writeFileSync(paths.hosts, "10.0.0.99 a.test\n");
    utimesSync(paths.hosts, 1, 1);
    expect(names.hosts("a.test")).toEqual(["10.0.0.1"]);
    await clock.advance(6_000);
    expect(names.hosts("a.test")).toEqual(["10.0.0.99"]);
  });
});
