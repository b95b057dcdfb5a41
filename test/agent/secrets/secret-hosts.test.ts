import { describe, expect, test } from "vitest";
import { mayReceive, parseSecretHost, type SecretReceiver } from "#agent/secrets/secret-hosts";

const safe = (host: string, port = 443): SecretReceiver => ({ host, port, verified: true });
const plain = (host: string, port = 80): SecretReceiver => ({ host, port, verified: false });

function isLet(entry: string, receiver: SecretReceiver): boolean {
  const parsed = parseSecretHost(entry);
  if (!parsed.ok) throw new Error(parsed.message);
  return mayReceive([parsed.value], receiver);
}

describe("a host that a secret may go to", () => {
  test.each<readonly [entry: string, receiver: SecretReceiver, expected: boolean]>([
    ["api.test", safe("api.test"), true],
    ["api.test", safe("API.test.", 8443), true],
    ["api.test", safe("other.test"), false],
    ["api.test", safe("evil-api.test"), false],
    ["api.test", plain("api.test"), false],
    ["https://api.test", plain("api.test"), false],
    ["http://api.test", plain("api.test"), true],
    ["http://api.test", safe("api.test"), true],
    ["grpc://api.test:50051", plain("api.test", 50_051), true],
    ["grpc://api.test:50051", plain("api.test", 50_052), false],
    ["api.test:8443", safe("api.test", 8443), true],
    ["api.test:8443", safe("api.test"), false],
    ["*.internal", safe("a.b.internal"), true],
    ["*.internal", safe("internal"), false],
    ["*.internal", safe("internal.evil.test"), false],
    ["10.0.0.0/8", safe("10.1.2.3"), true],
    ["10.0.0.0/8", safe("11.1.2.3"), false],
    ["10.0.0.0/8", safe("ten.test"), false],
    ["*", safe("10.1.2.3"), false],
    ["http://10.0.0.7:8080", plain("10.0.0.7", 8080), true],
    ["fd00::1", safe("fd00::1"), true],
    ["[fd00::1]:8443", safe("fd00::1", 8443), true],
    ["[fd00::1]:8443", safe("fd00::1"), false],
    ["https://api.test/", safe("api.test"), true],
  ])("%s lets %o in: %s", (entry, receiver, expected) => {
    expect(isLet(entry, receiver)).toBe(expected);
  });

  test.each([
    "",
    "api.test:0",
    "api.test:99999",
    "ftp://api.test",
    "api.test/path",
    "a b",
    "1.2.3",
  ])("is refused by its own text if it is %j", (entry) => {
    const parsed = parseSecretHost(entry);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.message).toContain(JSON.stringify(entry));
  });
});
