import { describe, expect, test } from "vitest";
import { proxyingOf, readServiceProxy } from "#config/service-proxy";
import { parseNoProxy } from "#network/no-proxy";

type Env = Readonly<Record<string, string>>;

/** The host and port of the proxy for the service, or `direct`, or what is wrong. */
function proxyFor(env: Env, url = "https://service.test", picketNoProxy = ""): string {
  const exceptions = parseNoProxy(picketNoProxy);
  if (!exceptions.ok) throw new Error(exceptions.message);
  const { proxy, errors } = readServiceProxy(env, url, exceptions.value);
  if (errors.length > 0) return errors.join();
  const { proxy: found } = proxyingOf(proxy, []);
  return found === null ? "direct" : `${found.host}:${found.port}`;
}

const upper = { HTTPS_PROXY: "http://upper:1", HTTP_PROXY: "http://plain-upper:1" };
const lower = { https_proxy: "http://lower:2", http_proxy: "http://plain-lower:2" };

describe("the proxy for the service", () => {
  test.each<[string, Env, string, string]>([
    ["is none where nothing names one", {}, "https://service.test", "direct"],
    ["is HTTPS_PROXY", upper, "https://service.test", "upper:1"],
    ["is https_proxy before it", { ...upper, ...lower }, "https://service.test", "lower:2"],
    ["is http_proxy for http", { ...upper, ...lower }, "http://service.test", "plain-lower:2"],
    ["is never HTTP_PROXY, which a request can set", upper, "http://service.test", "direct"],
    [
      "is PICKET_SERVICE_PROXY before all",
      { ...upper, ...lower, PICKET_SERVICE_PROXY: "https://own" },
      "https://service.test",
      "own:443",
    ],
    [
      "may lack its scheme, as curl has it",
      { HTTPS_PROXY: "bare:3128" },
      "https://s.test",
      "bare:3128",
    ],
    ["is for a service on this machine none of curl's", lower, "http://127.0.0.1:8787", "direct"],
    ["nor for localhost", lower, "http://localhost:8787", "direct"],
    ["nor for ::1", lower, "https://[::1]:8787", "direct"],
    [
      "is PICKET_SERVICE_PROXY also for a service on this machine",
      { PICKET_SERVICE_PROXY: "http://own:1" },
      "http://127.0.0.1:8787",
      "own:1",
    ],
  ])("%s", (_name, env, url, proxy) => expect(proxyFor(env, url)).toBe(proxy));

  test.each<[Env, string, string]>([
    [{ NO_PROXY: "service.test" }, "", "direct"],
    [{ NO_PROXY: "a.test, .test" }, "", "direct"],
    [{ NO_PROXY: "service.test:8443" }, "", "upper:1"],
    [{ NO_PROXY: "service.test:443" }, "", "direct"],
    [{ NO_PROXY: "*" }, "", "direct"],
    [{ NO_PROXY: "service.test", no_proxy: "other.test" }, "", "upper:1"],
    [{ NO_PROXY: "other.test" }, "service.test", "direct"],
    [{ NO_PROXY: "service.test" }, "other.test", "direct"],
    [{ PICKET_SERVICE_PROXY: "http://own:1", NO_PROXY: "service.test" }, "", "direct"],
    [{ NO_PROXY: "<local>,service.test" }, "", "direct"],
  ])("is not used for what %j and PICKET_NO_PROXY=%s name", (env, picket, proxy) =>
    expect(proxyFor({ ...upper, ...env }, "https://service.test", picket)).toBe(proxy),
  );

  test("that is not known is an error by its variable, not quoted, and never a way around it", () => {
    const told = proxyFor({ HTTPS_PROXY: "socks5://user:planted@proxy.test" });
    expect(told).toMatch(
      /^HTTPS_PROXY must be an http or https URL .*, or set PICKET_SERVICE_PROXY$/,
    );
    expect(told).not.toContain("planted");
    expect(proxyFor({ HTTPS_PROXY: "socks5://x", NO_PROXY: "*" })).toBe("direct");
  });

  test("reports what is ignored: HTTP_PROXY, and entries of NO_PROXY that are none", () => {
    const warningsOf = (env: Env, url: string): readonly string[] =>
      readServiceProxy(env, url, []).warnings;
    expect(warningsOf(upper, "http://service.test")).toEqual([
      "HTTP_PROXY has no effect (curl ignores it too): set http_proxy or PICKET_SERVICE_PROXY",
    ]);
    expect(warningsOf(upper, "https://service.test")).toEqual([]);
    expect(warningsOf(upper, "http://localhost")).toEqual([]);
    expect(warningsOf({ ...upper, NO_PROXY: "<local>,a.test" }, "https://service.test")).toEqual([
      expect.stringMatching(/^NO_PROXY has entries that are ignored \(1\): each must be/),
    ]);
  });
});
