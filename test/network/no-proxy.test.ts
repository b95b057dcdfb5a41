import { describe, expect, test } from "vitest";
import { isException, parseNoProxy } from "#network/no-proxy";

const excepted = (list: string, host: string, port = 443): boolean => {
  const exceptions = parseNoProxy(list);
  if (!exceptions.ok) throw new Error(exceptions.message);
  return isException(host, port, exceptions.value);
};

describe("NO_PROXY", () => {
  test.each<[list: string, excepted: readonly string[], proxied: readonly string[]]>([
    ["", [], ["a.test", "10.0.0.1", "::1"]],
    ["*", ["a.test", "10.0.0.1", "::1"], []],
    ["a.test", ["a.test", "A.TEST", "a.test.", "x.a.test", "y.x.a.test"], ["ba.test", "a.test.b"]],
    [".a.test", ["a.test", "x.a.test"], ["ba.test"]],
    ["*.a.test", ["a.test", "x.a.test"], ["ba.test"]],
    ["a.test.", ["a.test", "x.a.test"], ["ba.test"]],
    ["A.Test", ["a.test"], []],
    ["localhost", ["localhost"], ["127.0.0.1", "::1", "notlocalhost"]],
    ["bücher.test", ["xn--bcher-kva.test"], ["bcher.test"]],
    ["10.0.0.1", ["10.0.0.1", "::ffff:10.0.0.1"], ["10.0.0.10", "110.0.0.1", "x.10.0.0.1.test"]],
    ["10.0.0.0/8", ["10.0.0.1", "10.255.255.255"], ["11.0.0.0", "a.test", "a00::1"]],
    ["0.0.0.0/0", ["1.2.3.4"], ["::1", "a.test"]],
    ["fd00::1", ["fd00::1", "fd00:0:0::1"], ["fd00::11"]],
    ["[fd00::1]", ["fd00::1"], ["fd00::2"]],
    ["fd00::/8", ["fd12::1", "fd12::1%eth0"], ["fc12::1", "253.0.0.1"]],
    ["::ffff:10.0.0.0/104", ["10.1.2.3"], ["11.1.2.3"]],
    ["a.test b.test, ,c.test,", ["a.test", "b.test", "c.test"], ["d.test"]],
  ])("%j", (list, direct, proxied) => {
    for (const host of direct) expect(excepted(list, host), host).toBe(true);
    for (const host of proxied) expect(excepted(list, host), host).toBe(false);
  });

  test.each([
    ["a.test:8443", "x.a.test"],
    ["10.0.0.1:8443", "10.0.0.1"],
    ["10.0.0.0/8:8443", "10.0.0.1"],
    ["[fd00::1]:8443", "fd00::1"],
    ["[fd00::]/8:8443", "fd00::1"],
    ["*:8443", "a.test"],
  ])("%s holds for that port alone", (list, host) => {
    expect(excepted(list, host, 8443)).toBe(true);
    expect(excepted(list, host, 443)).toBe(false);
  });

  test.each([
    "http://a.test",
    "a..b",
    "10.0.0.0/33",
    "fd00::/129",
    "a.test:0",
    "a:99999",
    "a*b",
    ":80",
  ])("%s is not an entry", (entry) => {
    const parsed = parseNoProxy(`a.test,${entry}`);
    expect(parsed).toEqual({ ok: false, message: "has an invalid entry (number 2)" });
  });
});
