import { describe, expect, test } from "vitest";
import { httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { kindTable } from "#check/kinds/kind-table";
import { kinds } from "#check/monitor";
import { keptSignature, signatureFault, signedMonitor } from "#signing/monitor-signature";
import { statementOfDefinition } from "#signing/monitor-statement";
import { newSigningKey } from "#signing/private-key";
import { signatureCharsMax } from "#limits/signing-limits";

const { key } = newSigningKey("test");
const signed = { locations: ["office", "berlin"], signedAt: 1_764_000_000_000 };

const tcp: MonitorDefinition = {
  ...tcpDefaults,
  name: "db",
  periodicity: "1m",
  uri: "db.test:5432",
};
const http: MonitorDefinition = {
  ...httpDefaults,
  name: "shop",
  periodicity: "30s",
  url: "https://shop.test/ü?a=1",
  headers: [{ key: "X-Token", value: "{{secret:shop}}" }],
  statusCodeAssertions: [{ comparator: "eq", target: 200 }],
  otel: { endpoint: "https://otlp.test", headers: [] },
};

describe("the bytes that are signed", () => {
  // Agents and services of later versions have to make the same of these: signatures would not hold otherwise.
  test("are these, in every version", () => {
    expect(statementOfDefinition(tcp, signed).toString()).toBe(
      '{"kind":"tcp","locations":["berlin","office"],"monitor":{"name":"db","periodicity":"1m","retry":"3","timeout":"45000","uri":"db.test:5432"},"signedAt":"1764000000000"}',
    );
    expect(statementOfDefinition(http, signed).toString()).toBe(
      '{"kind":"http","locations":["berlin","office"],"monitor":{"followRedirects":true,"headers":[{"key":"X-Token","value":"{{secret:shop}}"}],"method":"GET","name":"shop","otelConfig":{"endpoint":"https://otlp.test"},"periodicity":"30s","retry":"3","statusCodeAssertions":[{"comparator":"NUMBER_COMPARATOR_EQUAL","target":"200"}],"timeout":"45000","url":"https://shop.test/ü?a=1"},"signedAt":"1764000000000"}',
    );
    const ofOthers = (["dns", "icmp", "grpc"] as const).map((kind) =>
      statementOfDefinition({ ...kindTable[kind].defaults, name: "x" }, signed).toString(),
    );
    expect(ofOthers).toEqual([
      '{"kind":"dns","locations":["berlin","office"],"monitor":{"name":"x","retry":"3","timeout":"45000"},"signedAt":"1764000000000"}',
      '{"kind":"icmp","locations":["berlin","office"],"monitor":{"interval":"100","name":"x","packets":"3","retry":"3","timeout":"45000"},"signedAt":"1764000000000"}',
      '{"kind":"grpc","locations":["berlin","office"],"monitor":{"name":"x","retry":"3","timeout":"45000","tlsMode":"tls"},"signedAt":"1764000000000"}',
    ]);
  });
});

describe("a signature", () => {
  const whole = { ...http, signature: signedMonitor(http, signed, key) };

  test("is of the monitor, also of each other kind", () => {
    expect(signatureFault(whole)).toBeNull();
    for (const kind of kinds) {
      const one = { ...kindTable[kind].defaults, name: "x" };
      expect(
        signatureFault({ ...one, signature: signedMonitor(one, signed, key) }),
        kind,
      ).toBeNull();
    }
  });
  test.each([
    ["its target", { url: "https://shop.test/v" }],
    ["its name", { name: "shop2" }],
    ["its interval", { periodicity: "1m" }],
    ["its timeout", { timeout: 44_999 }],
    ["its threshold", { degradedAt: 100 }],
    ["its retries", { retry: 2 }],
    ["its headers", { headers: [{ key: "X-Token", value: "{{secret:other}}" }] }],
    ["its method", { method: "POST" }],
    ["its body", { body: "x" }],
    ["its redirects", { followRedirects: false }],
    ["its assertions", { statusCodeAssertions: [] }],
    ["its collector", { otel: null }],
  ] as const)("is of it no more when %s changes", (_name, change) => {
    expect(signatureFault({ ...whole, ...change })).toMatch(
      /sign it again with picket apply --sign$/,
    );
  });
  test.each([
    ["whether it is active", { active: true }],
    ["its labels", { labels: { team: "shop" } }],
    ["its note", { description: "call Ann" }],
  ] as const)("stays when %s changes, which no agent runs", (_name, change) => {
    expect(signatureFault({ ...whole, ...change })).toBeNull();
  });
  test.each([
    ["", null],
    ["x", "is not one that picket apply --sign makes"],
    ["v1.1.e30.AAAA", "names no locations"],
    ["v1.1.WzFd.AAAA", "names no locations"],
    ["v1.1.WyJhIl0.AAAA", "is cut off"],
    [
      `v1.1.${"A".repeat(signatureCharsMax)}.AAAA`,
      `is longer than ${signatureCharsMax} characters`,
    ],
  ])("that reads %j is judged as such", (signature, fault) => {
    expect(signatureFault({ ...http, signature })).toBe(fault);
  });

  test("stays when the same is signed again or applied without a key, and gives way to another", () => {
    const again = { ...http, signature: signedMonitor(http, { ...signed, signedAt: 2 }, key) };
    const stranger = newSigningKey("").key;
    const byOther = { ...http, signature: signedMonitor(http, signed, stranger) };
    const elsewhere = {
      ...http,
      signature: signedMonitor(http, { ...signed, locations: ["rome"] }, key),
    };
    expect(keptSignature(again, whole)).toEqual(whole);
    expect(keptSignature(http, whole)).toEqual(whole);
    expect(keptSignature(byOther, whole)).toBe(byOther);
    expect(keptSignature(elsewhere, whole)).toBe(elsewhere);
    const changed = { ...http, url: "https://shop.test/changed" };
    expect(keptSignature(changed, whole)).toBe(changed);
  });
});
