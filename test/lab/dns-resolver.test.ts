import { spawnSync } from "node:child_process";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { probeDns } from "#probes/dns/dns";
import { stubResolver } from "#probes/resolve/resolver";
import { millis } from "#base/units";
import { closedPort } from "../servers/scripted.ts";
import { attempt, patience, sumOf } from "../support/probing.ts";
import { isInstalled } from "../support/installed.ts";
import { type NameServer, startAuthority, startResolver } from "./name-server.ts";

/** Our probe and our own look-up behind unbound, which asks nsd and knot, and believes only what is proven. */

const chainLength = 8;
const plainZone = [
  "@ MX 10 mail",
  "a A 10.0.0.1",
  "a AAAA 2001:db8::1",
  "c CNAME a",
  "lost CNAME nowhere",
  "across CNAME a.signed.test.",
  "loop CNAME pool",
  "pool CNAME loop",
  ...Array.from({ length: chainLength }, (_, n) => `chain${n} CNAME chain${n + 1}`),
  `chain${chainLength} A 10.0.0.2`,
  ...Array.from({ length: 60 }, (_, n) => `many A 198.18.0.${n + 1}`),
  ...Array.from({ length: 20 }, (_, n) => `big TXT "${"y".repeat(200)}${n}"`),
];

/** The digest of a key that no one has (RFC 4034 §5.1), so that nothing under the name can be proven. */
const nobodysKey = `DS 1 13 2 ${"ab".repeat(32)}`;

async function startAll(stack: AsyncDisposableStack): Promise<NameServer> {
  const nsd = stack.use(
    await startAuthority("nsd", [
      { name: "lab.test", lines: plainZone },
      { name: "bogus.test", lines: ["a A 10.0.0.8"] },
    ]),
  );
  const knot = stack.use(
    await startAuthority("knotd", [{ name: "signed.test", lines: ["a A 10.0.0.9"] }]),
  );
  const anchors = [...keysOf(knot, "signed.test"), `bogus.test. ${nobodysKey}`];
  const zones = {
    "lab.test": nsd.port,
    "signed.test": knot.port,
    "bogus.test": nsd.port,
    "foreign.test": nsd.port,
    "gone.test": await closedPort(),
  };
  return stack.use(
    await startResolver(zones, [
      ...anchors.map((anchor) => `trust-anchor: "${anchor}"`),
      `local-zone: "forbidden.test." refuse`,
      `local-zone: "silent.test." deny`,
    ]),
  );
}

/** What a parent zone would say of the keys with which knot signs. */
function keysOf({ folder }: NameServer, zone: string): readonly string[] {
  const file = path.join(folder, "daemon.conf");
  const { stdout, stderr } = spawnSync("keymgr", ["-c", file, zone, "ds"], {
    encoding: "utf8",
  });
  if (stdout.trim() === "") throw new Error(`keymgr says nothing of ${zone}: ${stderr}`);
  return stdout.trim().split("\n");
}

describe("behind unbound", () => {
  const isMissing = !isInstalled("unbound", "nsd", "knotd", "keymgr");
  const stack = new AsyncDisposableStack();
  let server: NameServer | null = null;
  const running = (): NameServer => {
    if (server === null) throw new Error("unbound does not run");
    return server;
  };
  beforeAll(async () => {
    if (!isMissing) server = await startAll(stack);
  });
  afterAll(() => stack.disposeAsync());

  const addresses: Readonly<Record<string, readonly [name: string, values: readonly string[]]>> = {
    "a name": ["a.lab.test", ["10.0.0.1"]],
    "a name whose signature is right": ["a.signed.test", ["10.0.0.9"]],
    "an alias": ["c.lab.test", ["a.lab.test.", "10.0.0.1"]],
    "an alias into another server's zone": ["across.lab.test", ["a.signed.test.", "10.0.0.9"]],
    "a chain of 8 aliases": [
      "chain0.lab.test",
      [...Array.from({ length: chainLength }, (_, n) => `chain${n + 1}.lab.test.`), "10.0.0.2"],
    ],
  };
  test.skipIf(isMissing).each(Object.entries(addresses))(
    "%s leads to its address",
    async (_title, [name, values]) => {
      const { ask, askOverIpv6, askOverTcp } = running();
      for (const way of [ask, askOverIpv6, askOverTcp]) {
        const outcome = await way(name, "A");
        expect(outcome.failure).toBeNull();
        expect(outcome.records.map(({ value }) => value)).toEqual(values);
        expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
      }
    },
  );

  const failures: Readonly<Record<string, readonly [name: string, code: string]>> = {
    "a name that does not exist": ["none.lab.test", "dns_nxdomain"],
    "a name that is proven not to exist": ["none.signed.test", "dns_nxdomain"],
    "an alias whose end does not exist": ["lost.lab.test", "dns_nxdomain"],
    "a name without an address": ["lab.test", "dns_nodata"],
    "a name whose signature is missing": ["a.bogus.test", "dns_servfail"],
    "a zone whose own server refuses": ["a.foreign.test", "dns_servfail"],
    "aliases in a circle": ["loop.lab.test", "dns_servfail"],
    "a zone that it may not tell of": ["a.forbidden.test", "dns_refused"],
  };
  test.skipIf(isMissing).each(Object.entries(failures))(
    "%s is recognized",
    async (_title, [name, code]) => {
      const { ask, askOverTcp } = running();
      for (const way of [ask, askOverTcp]) {
        const outcome = await way(name, "A");
        expect(outcome.failure).toMatchObject({ code, phase: "wait" });
        expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
      }
    },
  );

  test.skipIf(isMissing)("60 addresses fit over UDP, and 20 long texts come over TCP", async () => {
    const many = await running().ask("many.lab.test", "A");
    expect([many.records.length, many.transport]).toEqual([60, "udp"]);
    const big = await running().ask("big.lab.test", "TXT");
    expect([big.records.length, big.transport]).toEqual([20, "tcp"]);
  });

  // unbound goes on trying for longer than any check waits; the other it does not answer on purpose.
  test.skipIf(isMissing).each(["a.gone.test", "a.silent.test"])(
    "the silence about %s ends with our deadline",
    async (name) => {
      const { port } = running();
      const target = {
        kind: "dns",
        name,
        types: ["A"],
        recordsNeeded: true,
        server: { host: "::1", port },
      } as const;
      const outcome = await attempt(probeDns, target, undefined, 300);
      expect(outcome.failure).toMatchObject({
        code: "dns_timeout",
        message: `Timeout after 300 ms resolving ${name} (no answer from [::1]:${port})`,
      });
      expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
    },
  );

  test.skipIf(isMissing)("our look-up of a target's name finds what the probe finds", async () => {
    const resolver = stubResolver({
      clock: systemClock,
      nameServers: [{ host: "127.0.0.1", port: running().port }],
    });
    const find = async (name: string): Promise<unknown> => {
      using deadline = startDeadline(systemClock, millis(patience));
      const found = await resolver.resolve(name, "any", deadline);
      return found.ok ? found.addresses.toSorted() : found.failure.code;
    };
    expect(await find("c.lab.test")).toEqual(["10.0.0.1", "2001:db8::1"]);
    expect(await find("across.lab.test.")).toEqual(["10.0.0.9"]);
    expect(await find("none.lab.test.")).toBe("dns_nxdomain");
    expect(await find("lab.test.")).toBe("dns_nodata");
    expect(await find("a.bogus.test.")).toBe("dns_servfail");
  });
});
