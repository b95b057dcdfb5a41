import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { QueryType } from "#check/assertion";
import type { DnsOutcome } from "#check/outcome";
import { sumOf } from "../support/probing.ts";
import { isInstalled } from "../support/installed.ts";
import { type Authority, authorities, type NameServer, startAuthority } from "./name-server.ts";

/** Our probe against authoritative name servers that other people wrote, all of which know the same zone. */

const long = (letter: string): string => letter.repeat(255);
const sixty = Array.from({ length: 60 }, (_, n) => `198.18.0.${n + 1}`);
const chainLength = 24;

const lines = [
  "@ MX 10 mail",
  "@ MX 20 backup.other.test.",
  "mail A 10.0.0.25",
  "a A 10.0.0.1",
  "a AAAA 2001:db8::1",
  "c CNAME b",
  "b CNAME a",
  "lost CNAME nowhere",
  "away CNAME a.other.test.",
  "loop CNAME pool",
  "pool CNAME loop",
  "self CNAME self",
  ...Array.from({ length: chainLength }, (_, n) => `chain${n} CNAME chain${n + 1}`),
  `chain${chainLength} A 10.0.0.2`,
  "leaf.empty A 10.0.0.3",
  "*.wild A 10.0.0.4",
  "moved DNAME wild",
  `far DNAME ${"x".repeat(60)}.${"y".repeat(60)}.${"z".repeat(60)}`,
  "_sip._tcp A 10.0.0.5",
  `${"w".repeat(63)} A 10.0.0.6`,
  "dotted CNAME x\\.y",
  "x\\.y A 10.0.0.7",
  "sub NS ns.sub",
  "ns.sub A 10.0.0.8",
  "nomail MX 0 .",
  'text TXT "v=spf1 " "include:other.test " "-all"',
  `strings TXT "${long("k")}" "${long("l")}"`,
  'odd TXT "" "a\\"b\\\\c" "\\195\\164" "\\255"',
  ...sixty.map((address) => `many A ${address}`),
  ...Array.from({ length: 20 }, (_, n) => `big TXT "${"y".repeat(200)}${n}"`),
];

type Case = readonly [
  name: string,
  types: readonly QueryType[],
  code: string | null,
  values: readonly string[],
];

/** What every one of them answers. */
const cases: Readonly<Record<string, Case>> = {
  "an address of each family": ["a", ["A", "AAAA"], null, ["10.0.0.1", "2001:db8::1"]],
  "mail and name servers": [
    "@",
    ["MX", "NS"],
    null,
    ["backup.other.test.:20", "mail.lab.test.:10", "ns.lab.test."],
  ],
  "a name in another case": ["A", ["A"], null, ["10.0.0.1"]],
  "a name under a wildcard": ["any.wild", ["A"], null, ["10.0.0.4"]],
  "a name under a DNAME": ["k.moved", ["A"], null, ["k.wild.lab.test.", "10.0.0.4"]],
  "a name with underscores": ["_sip._tcp", ["A"], null, ["10.0.0.5"]],
  "the longest label": ["w".repeat(63), ["A"], null, ["10.0.0.6"]],
  "a label with a dot inside": ["dotted", ["A"], null, ["x.y.lab.test.", "10.0.0.7"]],
  "an alias that is asked for itself": ["c", ["CNAME"], null, ["b.lab.test."]],
  "mail alone, of a name that has nothing else": ["nomail", ["MX"], null, [".:0"]],
  "mail and addresses, of a name with mail only": ["nomail", ["A", "MX"], null, [".:0"]],
  "strings, joined without a space": ["text", ["TXT"], null, ["v=spf1 include:other.test -all"]],
  "strings of 255 bytes": ["strings", ["TXT"], null, [long("k") + long("l")]],
  "quotes, UTF-8 and bytes that are none": ["odd", ["TXT"], null, ['a"b\\c\u00e4\ufffd']],
  "60 addresses": ["many", ["A"], null, sixty],
  NXDOMAIN: ["none", ["A"], "dns_nxdomain", []],
  "NXDOMAIN of one type, though not asked first": ["none", ["MX", "A"], "dns_nxdomain", []],
  NODATA: ["mail", ["AAAA"], "dns_nodata", []],
  "NODATA of a name that is only part of another": ["empty", ["A"], "dns_nodata", []],
  "REFUSED for a zone that is another's": ["a.other.test.", ["A"], "dns_refused", []],
  "an alias whose end does not exist": ["lost", ["A"], "dns_nxdomain", ["nowhere.lab.test."]],
  // It is not asked further: that is a resolver's work.
  "an alias into another's zone": ["away", ["A"], "dns_nodata", ["a.other.test."]],
  "a referral to another server": ["www.sub", ["A"], "dns_nodata", []],
  "aliases in a circle": ["loop", ["A"], "dns_malformed", []],
  "an alias of itself": ["self", ["A"], "dns_malformed", []],
  "an alias in a circle, asked for itself": ["loop", ["CNAME"], null, ["pool.lab.test."]],
};

/** Where each has its own answer, and the probe says what it was. */
const differing: Readonly<
  Record<string, readonly [name: string, says: Readonly<Record<Authority, string | null>>]>
> = {
  // Knot breaks off after a few, nsd sends them all, bind9 gives up.
  "a chain of 24 aliases": ["chain0", { knotd: "dns_nodata", nsd: null, named: "dns_servfail" }],
  // RFC 6672 §2.2 has YXDOMAIN for it.
  "a DNAME that makes the name too long": [
    `a.${"q".repeat(60)}.far`,
    { knotd: "dns_nxdomain", nsd: "dns_rcode", named: "dns_rcode" },
  ],
};

const absolute = (name: string): string => {
  if (name === "@") return "lab.test";
  return name.endsWith(".") ? name.slice(0, -1) : `${name}.lab.test`;
};

function expectContract(outcome: DnsOutcome): void {
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
  expect(outcome.failure?.phase ?? "wait").toBe("wait");
}

const valuesOf = ({ records }: DnsOutcome): readonly string[] => records.map(({ value }) => value);

describe.each(authorities)("%s", (program) => {
  const isMissing = !isInstalled(program);
  let server: NameServer | null = null;
  const running = (): NameServer => {
    if (server === null) throw new Error(`${program} does not run`);
    return server;
  };
  beforeAll(async () => {
    if (!isMissing) server = await startAuthority(program, [{ name: "lab.test", lines }]);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  test.skipIf(isMissing).each(Object.entries(cases))(
    "%s: the same over IPv4, over IPv6 and over TCP alone",
    async (_title, [name, types, code, values]) => {
      const { ask, askOverIpv6, askOverTcp, port } = running();
      const outcomes = await Promise.all(
        [ask, askOverIpv6, askOverTcp].map((way) => way(absolute(name), ...types)),
      );
      for (const outcome of outcomes) {
        expect(outcome.failure?.code ?? null).toBe(code);
        // Their order is the server's to choose; bind9 chooses another each time.
        expect(valuesOf(outcome).toSorted()).toEqual(values.toSorted());
        expectContract(outcome);
      }
      expect(outcomes.map((outcome) => outcome.server)).toEqual([
        `127.0.0.1:${port}`,
        `[::1]:${port}`,
        `127.0.0.1:${port}`,
      ]);
    },
  );
  test.skipIf(isMissing).each(Object.entries(differing))(
    "%s is answered in this one's own way",
    async (_title, [name, says]) => {
      const outcome = await running().ask(absolute(name), "A");
      expect(outcome.failure?.code ?? null).toBe(says[program]);
      expectContract(outcome);
    },
  );
  test.skipIf(isMissing)(
    "a chain of aliases is reported in its order, once for all types",
    async () => {
      expect(valuesOf(await running().ask("c.lab.test", "A", "AAAA"))).toEqual([
        "b.lab.test.",
        "a.lab.test.",
        "10.0.0.1",
        "2001:db8::1",
      ]);
    },
  );
  test.skipIf(isMissing)(
    "what is another server's to say is not taken for what does not exist",
    async () => {
      const { ask } = running();
      const messageOf = async (name: string): Promise<string | undefined> =>
        (await ask(`${name}.lab.test`, "A")).failure?.message.replace(/:.*/, "");
      expect(await messageOf("empty")).toBe("name has no record of the types asked");
      expect(await messageOf("www.sub")).toBe("name server only refers to others");
      expect(await messageOf("away")).toBe(
        "name leads to a.other.test., and the answer ends there without a record of the types asked",
      );
    },
  );
  test.skipIf(isMissing)("what does not fit over UDP comes over TCP", async () => {
    const { ask } = running();
    const outcomes = [
      await ask("a.lab.test", "A"),
      await ask("many.lab.test", "A"),
      await ask("big.lab.test", "TXT"),
    ];
    expect(outcomes.map(({ records }) => records.length)).toEqual([1, 60, 20]);
    // bind9 was told to truncate at 512 bytes, which 60 addresses do not fit; the others use what we announce.
    const many = program === "named" ? "tcp" : "udp";
    expect(outcomes.map(({ transport }) => transport)).toEqual(["udp", many, "tcp"]);
    for (const outcome of outcomes) expectContract(outcome);
  });
});
