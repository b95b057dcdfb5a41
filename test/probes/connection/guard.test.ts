import { assert, boolean, constantFrom, integer, property, tuple } from "fast-check";
import { describe, expect, test } from "vitest";
import { kinds } from "#check/monitor";
import { TargetGuard } from "#probes/connection/guard";
import { foreseen } from "#network/target-denial";
import {
  type Destination,
  parseTargetRules,
  targetKinds,
  type TargetRule,
} from "#network/target-rules";

function rulesOf(text: string, source: string): readonly TargetRule[] {
  const rules = parseTargetRules(text.split(",").filter(Boolean), source);
  if (!rules.ok) throw new Error(rules.message);
  return rules.value;
}

const guardOf = (deny: string, allow = ""): TargetGuard =>
  new TargetGuard({ allow: rulesOf(allow, "ALLOW="), deny: rulesOf(deny, "DENY=") });

const to = (host: string, port = 443): Destination => ({ kind: "http", host, port });

/** Whether an address may be dialled for a host; a literal address is its own host. */
const passes = (guard: TargetGuard, address: string, host = address): boolean =>
  guard.screen(to(host), [address]).ok;

describe("a rule", () => {
  test.each([
    ["10.0.0.0/8", ["10.0.0.0", "10.255.255.255"], ["9.255.255.255", "11.0.0.0", "a00::"]],
    ["10.1.2.3/8", ["10.200.0.1"], ["11.1.2.3"]],
    ["192.0.2.7", ["192.0.2.7"], ["192.0.2.6", "192.0.2.8"]],
    ["0.0.0.0/0", ["1.2.3.4", "::ffff:1.2.3.4"], ["2001:db8::1"]],
    ["fd00::/8", ["fd00::1", "fdff:1:2:3:4:5:6:7"], ["fc00::1", "fe00::1"]],
    ["2001:DB8::1", ["2001:db8:0:0:0:0:0:1", "2001:0db8::0001"], ["2001:db8::2"]],
    ["::/0", ["2001:db8::1", "::1"], ["1.2.3.4"]],
    ["::ffff:10.0.0.0/104", ["10.9.9.9", "::ffff:a09:909"], ["11.0.0.1"]],
    ["fe80::/10", ["fe80::1%eth0", "fe80::%eth0.7", "fe80::1"], ["fec0::1%eth0"]],
    ["1:2:3:4:5:6:7::", ["1:2:3:4:5:6:7:0"], ["1:2:3:4:5:6:7:1"]],
  ])("%s covers its addresses in every form, and no other", (rule, inside, outside) => {
    for (const address of inside) expect(passes(guardOf(rule), address), address).toBe(false);
    for (const address of outside) expect(passes(guardOf(rule), address), address).toBe(true);
  });

  test.each([
    ["*.internal", ["db.internal", "a.b.internal", "DB.Internal."], ["internal", "internal.test"]],
    ["db?.corp", ["db1.corp", "dbx.corp"], ["db.corp", "db12.corp"]],
    ["Shop.Test.", ["shop.test", "SHOP.TEST"], ["a.shop.test", "shop.test.evil"]],
    ["*a*b*.test", ["xaxbx.test", "ab.test", "aab.test"], ["ba.test", "ab.tes", "ab.testing"]],
    ["*", ["anything.test", "localhost"], []],
  ])("%s matches the host as it is written, and no other", (rule, inside, outside) => {
    const guard = guardOf(rule);
    for (const host of inside) expect(guard.hostDenial(to(host))?.code, host).toBe("target_denied");
    for (const host of outside) expect(guard.hostDenial(to(host)), host).toBeNull();
  });

  test.each([
    "10.0.0.0/33",
    "fd00::/129",
    "10.0.0.0/",
    "10.0.0",
    "10.*",
    "256.1.1.1",
    "0x7f.1",
    "010.0.0.1",
    "[fd00::1]",
    "fe80::1%eth0",
    "db.internal:0",
    "db.internal:65536",
    "db.internal:port",
    "fd00::/8:443x",
    "icmp://db.internal:7",
    "HTTP://db.internal",
    "*.internal/8",
    "ftp://a.test",
    ".internal",
    "a..b",
    "bücher.test",
    "two words",
    "a".repeat(254),
  ])("%s is none: it is refused by name, and the lists have an end", (entry) => {
    expect(parseTargetRules(["10.0.0.0/8", entry], "")).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        `has the entry ${JSON.stringify(entry)}, which is not a CIDR`,
      ),
    });
    expect(parseTargetRules(Array<string>(1_001).fill("a"), "").ok).toBe(false);
  });

  test("of many stars is matched in no more than a moment", () => {
    const guard = guardOf(`${"*a".repeat(100)}*b`);
    expect(guard.hostDenial(to("a".repeat(253)))).toBeNull();
  });
});

describe("a rule about a kind or a port", () => {
  const is = (guard: TargetGuard, kind: Destination["kind"], port: number | null): boolean =>
    guard.screen({ kind, host: "10.0.0.1", port }, ["10.0.0.1"]).ok;

  test.each([
    ["10.0.0.0/8:22", "tcp", 22, "tcp", 443],
    ["tcp://10.0.0.0/8", "tcp", 443, "http", 443],
    ["tcp://10.0.0.1:22", "tcp", 22, "http", 22],
    ["[::ffff:10.0.0.0/104]:22", "tcp", 22, "tcp", 23],
    ["icmp://0.0.0.0/0", "icmp", null, "tcp", 443],
    ["10.0.0.1:443", "http", 443, "icmp", null],
    ["grpc://10.0.0.1", "grpc", 50_051, "dns", 53],
  ] as const)("%s is about %s at %s, and not about %s at %s", (rule, kind, port, other, at) => {
    expect(is(guardOf(rule), kind, port)).toBe(false);
    expect(is(guardOf(rule), other, at)).toBe(true);
    expect(is(guardOf("0.0.0.0/0", rule), kind, port)).toBe(true);
    expect(is(guardOf("0.0.0.0/0", rule), other, at)).toBe(false);
  });
  test("is about names in the same way", () => {
    const guard = guardOf("*", "http://*.shop.test:8443");
    expect(guard.hostDenial(to("a.shop.test", 8443))).toBeNull();
    expect(guard.hostDenial(to("a.shop.test", 443))).not.toBeNull();
    expect(guard.hostDenial({ ...to("a.shop.test", 8443), kind: "tcp" })).not.toBeNull();
  });
  test("knows every kind of check", () => expect(targetKinds.toSorted()).toEqual(kinds.toSorted()));
  test("counts at once when the rules are replaced, for what was judged before too", () => {
    const guard = guardOf("10.0.0.0/8");
    expect(passes(guard, "10.0.0.1")).toBe(false);
    guard.replace({ allow: [], deny: rulesOf("11.0.0.0/8:443", "DENY=") });
    expect(passes(guard, "10.0.0.1")).toBe(true);
    expect(passes(guard, "11.0.0.1")).toBe(false);
  });
});

describe("what can be said before a name is looked up", () => {
  const rules = (deny: string, allow: string) => ({
    allow: rulesOf(allow, ""),
    deny: rulesOf(deny, ""),
  });
  test.each([
    ["", "", "db.test", { is: "open" }],
    ["10.0.0.0/8", "", "10.0.0.1", { is: "denied", why: "by 10.0.0.0/8" }],
    ["10.0.0.0/8", "10.0.0.1:443", "10.0.0.1", { is: "open" }],
    ["*.test", "", "db.test", { is: "denied", why: "by *.test" }],
    ["0.0.0.0/0", "", "db.test", { is: "open" }],
    ["0.0.0.0/0,::/0", "", "db.test", { is: "denied", why: "by 0.0.0.0/0 and ::/0" }],
    ["0.0.0.0/0,::/0", "*.test", "db.test", { is: "open" }],
    ["0.0.0.0/0,::/0", "tcp://*.test", "db.test", { is: "denied", why: "by 0.0.0.0/0 and ::/0" }],
    ["0.0.0.0/0,::/0", "10.0.0.0/8", "db.test", { is: "depends", on: ["10.0.0.0/8"] }],
    [
      "",
      "",
      "169.254.169.254",
      { is: "denied", why: "as a link-local address, unless it is allowed itself" },
    ],
  ] as const)("with %j denied and %j allowed, of %s", (deny, allow, host, said) => {
    expect(foreseen(to(host), rules(deny, allow))).toEqual(said);
  });
});

describe("an allow", () => {
  test("beats a deny, of addresses and of hosts", () => {
    const guard = guardOf("10.0.0.0/8,*.internal", "10.0.0.5,10.9.0.0/16,ok.internal");
    expect(passes(guard, "10.0.0.5")).toBe(true);
    expect(passes(guard, "::ffff:10.0.0.5")).toBe(true);
    expect(passes(guard, "10.9.1.1")).toBe(true);
    expect(passes(guard, "10.0.0.6")).toBe(false);
    expect(guard.hostDenial(to("ok.internal"))).toBeNull();
    expect(guard.hostDenial(to("no.internal"))).not.toBeNull();
  });
  test("of a host lets its addresses through if a rule denies them", () => {
    const guard = guardOf("10.0.0.0/8", "db.corp");
    expect(passes(guard, "10.0.0.6", "DB.corp.")).toBe(true);
    expect(passes(guard, "10.0.0.6", "web.corp")).toBe(false);
  });
  test("of addresses does not undo the deny of a name, which is not even looked up", () => {
    const guard = guardOf("*", "10.0.0.0/8");
    expect(guard.hostDenial(to("db.corp"))?.message).toBe("db.corp is denied by DENY=*");
    expect(guard.hostDenial(to("10.0.0.1"))).toBeNull();
    expect(passes(guard, "10.0.0.1")).toBe(true);
    expect(passes(guard, "11.0.0.1")).toBe(false);
  });
  test("of all IPv6 lets no IPv4 address through in the clothes of IPv6", () => {
    const guard = guardOf("10.0.0.0/8", "::/0");
    expect(passes(guard, "::ffff:10.0.0.1")).toBe(false);
    expect(passes(guard, "fd00::1")).toBe(true);
  });
});

describe("without any rule", () => {
  const guard = guardOf("");
  test.each(["10.0.0.1", "172.16.0.1", "192.168.0.1", "127.0.0.1", "::1", "fd00::1", "8.8.8.8"])(
    "%s is allowed: that is what an agent is for",
    (address) => expect(passes(guard, address)).toBe(true),
  );
  test.each([
    "169.254.169.254",
    "169.254.170.2",
    "169.254.0.0",
    "169.254.255.255",
    "fe80::1",
    "fe80::a9fe:a9fe%eth0",
    "febf:ffff::1",
    "::ffff:169.254.169.254",
    "::ffff:a9fe:a9fe",
    "0:0:0:0:0:ffff:a9fe:aa02",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::a9fe:a9fe",
    "::ffff:0:169.254.169.254",
    "2002:a9fe:a9fe::1",
    "::169.254.169.254",
  ])("%s is denied as link-local", (address) => {
    const screened = guard.screen(to("meta.test"), [address]);
    expect(screened).toMatchObject({
      ok: false,
      failure: {
        code: "target_denied",
        phase: "policy",
        message: `${address} (meta.test) is denied as a link-local address, unless it is allowed itself`,
      },
    });
  });
  test.each([
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "FD00:0EC2:0:0:0:0:0:254",
    "fd00:ec2::254%eth0",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:42::42",
    "64:ff9b::168.63.129.16",
  ])("%s is denied as cloud metadata", (address) => {
    const screened = guard.screen(to(address), [address]);
    expect(screened.ok ? "" : screened.failure.message).toBe(
      `${address} is denied as a cloud metadata address, unless it is allowed itself`,
    );
  });
  test.each([
    "169.253.255.255",
    "169.255.0.0",
    "fe7f::1",
    "fec0::1",
    "168.63.129.17",
    "fd00:ec2::255",
    "64:ff9b::169.253.0.1",
  ])("%s, next to those, is allowed", (address) => expect(passes(guard, address)).toBe(true));
  test("what is not an address is never dialled, for the runtime would look it up once more", () => {
    for (const text of ["localhost", "2130706433", "0x7f.1", "127.1", "010.0.0.1", ""])
      expect(guard.screen(to("a.test"), [text])).toMatchObject({ ok: false, denied: [text] });
  });
});

describe("IPv6 that carries an IPv4 address", () => {
  const guard = guardOf("10.0.0.0/8,0.0.0.0/8");
  test.each([
    ["a translator's well-known prefix", "64:ff9b::10.1.2.3", "64:ff9b::11.1.2.3"],
    ["a translator's local prefix", "64:ff9b:1::10.1.2.3", "64:ff9b:1::11.1.2.3"],
    // RFC 6052 §2.4: the prefixes that a translator may have, each with the same address.
    ["a prefix of 32", "64:ff9b:a01:203::", "64:ff9b:b01:203::"],
    ["a prefix of 40", "64:ff9b:100:a01:3:200::", "64:ff9b:110:b01:3:200::"],
    ["a prefix of 48", "64:ff9b:1:a01:2:300::", "64:ff9b:1:b01:2:300::"],
    ["a prefix of 56", "64:ff9b:1:10a:1:203::", "64:ff9b:1:10b:1:203::"],
    ["a prefix of 64", "64:ff9b:1:1:a:102:300::", "64:ff9b:1:1:b:102:300::"],
    ["a prefix of 96", "64:ff9b:1:1:1:1:a01:203", "64:ff9b:1:1:1:1:b01:203"],
    ["the translated form", "::ffff:0:10.1.2.3", "::ffff:1:10.1.2.3"],
    ["6to4", "2002:a01:203::9", "2002:b01:203::a01:203"],
    ["a client of Teredo", "2001::f5fe:fdfc", "2001::f4fe:fdfc"],
    ["a server of Teredo", "2001:0:a01:203::", "2001:0:b01:203::"],
    ["the IPv4-compatible form", "::10.1.2.3", "1::10.1.2.3"],
  ])("is denied as both, and allowed as what is dialled: %s", (_name, inside, outside) => {
    expect(passes(guard, inside)).toBe(false);
    expect(passes(guard, outside)).toBe(true);
    expect(passes(guardOf("10.0.0.0/8", "10.1.2.3"), inside)).toBe(false);
    expect(passes(guardOf("10.0.0.0/8", inside), inside)).toBe(true);
  });
  test("is not the loopback address", () => expect(passes(guard, "::1")).toBe(true));
});

describe("what is denied by default", () => {
  test.each([
    ["0.0.0.0/0", false],
    ["169.254.0.0/16", false],
    ["169.254.169.254/31", false],
    ["*.test", false],
    ["meta.test", false],
    ["meta.test,0.0.0.0/0,::/0", false],
    ["100.100.100.200", false],
    ["169.254.169.254", true],
    ["169.254.169.254/32", true],
    ["::ffff:169.254.169.254", true],
  ])("is allowed by its very address, and by no name: %s, %s", (allow, allowed) => {
    for (const deny of ["", "169.254.0.0/16", "0.0.0.0/0,::/0"])
      expect(passes(guardOf(deny, allow), "169.254.169.254", "meta.test"), deny).toBe(allowed);
  });
  test("stays denied in the clothes of IPv6 if only the IPv4 address is allowed", () => {
    const guard = guardOf("", "169.254.169.254");
    expect(passes(guard, "64:ff9b::169.254.169.254")).toBe(false);
    const translated = guardOf("", "64:ff9b::169.254.169.254");
    expect(passes(translated, "64:ff9b::169.254.169.254")).toBe(true);
    expect(passes(translated, "169.254.169.254")).toBe(false);
  });
});

describe("the verdict", () => {
  test("parts the addresses of one name, and keeps their order", () => {
    expect(
      guardOf("10.0.0.0/8").screen(to("db.corp"), ["10.0.0.1", "192.0.2.1", "10.0.0.2", "::1"]),
    ).toEqual({ ok: true, addresses: ["192.0.2.1", "::1"], denied: ["10.0.0.1", "10.0.0.2"] });
  });
  test("names the address, the host it came from, and the rule as the operator wrote it", () => {
    const guard = guardOf("10.0.0.0/8,192.0.2.1");
    const messageOf = (host: string, addresses: readonly string[]): string => {
      const screened = guard.screen(to(host), addresses);
      return screened.ok ? "" : screened.failure.message;
    };
    expect(messageOf("192.0.2.1", ["192.0.2.1"])).toBe("192.0.2.1 is denied by DENY=192.0.2.1");
    expect(messageOf("db.corp", ["10.0.0.1"])).toBe(
      "10.0.0.1 (db.corp) is denied by DENY=10.0.0.0/8",
    );
    expect(messageOf("db.corp", ["10.0.0.1", "192.0.2.1"])).toBe(
      "10.0.0.1 (db.corp) is denied by DENY=10.0.0.0/8; none of 2 addresses is allowed",
    );
  });
  test("of one host at an address is not another's, also the second time", () => {
    const guard = guardOf("internal.test");
    for (let time = 0; time < 2; time += 1) {
      expect(passes(guard, "10.0.0.1", "internal.test")).toBe(false);
      expect(passes(guard, "10.0.0.1", "public.test")).toBe(true);
    }
  });
  test("takes the unspecified address for this machine, as the system does", () => {
    for (const address of ["0.0.0.0", "::ffff:0.0.0.0", "::ffff:0:0"])
      expect(passes(guardOf("127.0.0.0/8"), address), address).toBe(false);
    expect(passes(guardOf("::1"), "::")).toBe(false);
    expect(passes(guardOf("0.0.0.0"), "0.0.0.0")).toBe(false);
    expect(passes(guardOf("0.0.0.0"), "127.0.0.1")).toBe(true);
  });
});

test("no spelling of a denied IPv4 address as IPv6 passes, and none of an allowed one is stopped", () => {
  const any = integer({ min: 0, max: 2 ** 32 - 1 });
  const blocks = tuple(any, integer({ min: 0, max: 32 }));
  const spelling = constantFrom("dotted", "hex", "long", "padded", "zoned");
  assert(
    property(blocks, any, spelling, boolean(), ([base, prefix], noise, how, upper) => {
      const guard = guardOf(`${dotted(base)}/${prefix}`);
      const mask = prefix === 0 ? 0 : (-1 << (32 - prefix)) >>> 0;
      const address = ((base & mask) | (noise & ~mask)) >>> 0;
      const text = upper ? mapped(address, how).toUpperCase() : mapped(address, how);
      expect(passes(guard, text), text).toBe(false);
      if (prefix === 0) return;
      // The last bit of the prefix turned over: the block beside this one.
      const beside = (address ^ (1 << (32 - prefix))) >>> 0;
      const isOurs = beside === 0 || isDeniedByDefault(dotted(beside));
      expect(passes(guard, mapped(beside, how)) || isOurs, dotted(beside)).toBe(true);
    }),
  );
});

const dotted = (address: number): string =>
  [24, 16, 8, 0].map((shift) => (address >>> shift) & 0xff).join(".");

const isDeniedByDefault = (address: string): boolean =>
  address.startsWith("169.254.") ||
  ["100.100.100.200", "168.63.129.16", "192.0.0.192"].includes(address);

function mapped(address: number, how: "dotted" | "hex" | "long" | "padded" | "zoned"): string {
  const [high, low] = [(address >>> 16).toString(16), (address & 0xffff).toString(16)];
  switch (how) {
    case "dotted":
      return `::ffff:${dotted(address)}`;
    case "hex":
      return `::ffff:${high}:${low}`;
    case "long":
      return `0:0:0:0:0:ffff:${dotted(address)}`;
    case "padded":
      return `0000::0:ffff:${high.padStart(4, "0")}:${low.padStart(4, "0")}`;
    case "zoned":
      return `::ffff:${high}:${low}%lo`;
  }
}
