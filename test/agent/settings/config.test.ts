import { writeFileSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { readConfig } from "#agent/settings/config";
import { settings } from "#config/agent-settings";
import { serviceWay } from "#cli/management/service-way";
import { temporaryFolder } from "../../support/running-service.ts";

const token = "pkt_loc_planted";

test("the user agent of checks and the end of a latency can be chosen, and what cannot be sent is refused", () => {
  const reading = (env: Record<string, string>): ReturnType<typeof readConfig> =>
    readConfig({ PICKET_TOKEN: "t", ...env });
  const chosen = reading({ PICKET_USER_AGENT: "OpenStatus/1.0", PICKET_LATENCY: "head" });
  if (!chosen.ok) throw new Error(chosen.errors.join());
  expect(chosen.config.latencyEnd).toBe("head");
  expect(chosen.config.probing.userAgent).toBe("OpenStatus/1.0");
  const usual = reading({});
  if (!usual.ok) throw new Error(usual.errors.join());
  expect(usual.config.latencyEnd).toBe("total");
  expect(usual.config.probing.userAgent).toMatch(/^picket\//);
  expect(reading({ PICKET_USER_AGENT: "a\nb", PICKET_LATENCY: "body" })).toMatchObject({
    ok: false,
    errors: [
      "PICKET_LATENCY must be total or head",
      "PICKET_USER_AGENT must be text in ASCII, without a line break",
    ],
  });
});

describe("the environment", () => {
  test("needs a token and nothing else", () => {
    const reading = readConfig({ PICKET_TOKEN: token });
    expect(reading).toMatchObject({
      ok: true,
      warnings: [],
      config: {
        tokenHeader: "x-service-token",
        serviceUrl: "http://127.0.0.1:8787",
        pollInterval: 60_000,
        watching: true,
        heartbeatInterval: 30_000,
        concurrency: 200,
        workers: 1,
        drainTimeout: 30_000,
        stateDirectory: "/var/lib/picket",
        spoolLimits: { bytesMax: 268_435_456, ageMax: 86_400_000 },
        instance: null,
        probing: {
          http2: true,
          bodyBytesMax: 10_485_760,
          resolver: "stub",
          ipFamily: "any",
        },
        placement: "share",
        logLevel: "info",
        logFormat: null,
      },
    });
    expect(reading.ok && reading.config.token.secret.reveal()).toBe(token);
  });

  test("opens the local endpoint where it says, or not at all", () => {
    const listen = (text: string | undefined) => {
      const reading = readConfig({ PICKET_TOKEN: token, PICKET_LISTEN: text });
      return reading.ok ? reading.config.listen : reading.errors;
    };
    expect(listen(undefined)).toEqual({ host: "127.0.0.1", port: 8686 });
    expect(listen("[::]:9")).toEqual({ host: "::", port: 9 });
    expect(listen("OFF")).toBeNull();
    for (const wrong of ["8686", "localhost", "127.0.0.1:65536", "[::1", "on", "a b:1"])
      expect(listen(wrong)).toEqual([
        "PICKET_LISTEN must be HOST:PORT, e.g. 127.0.0.1:8686 or [::1]:8686, or off",
      ]);
  });

  test("is read in all its kinds", () => {
    const reading = readConfig({
      PICKET_TOKEN: token,
      PICKET_LABELS: "site=north, rack=7",
      PICKET_DNS_SERVERS: "10.0.0.53, [fd00::53]:5353,fd00::54",
      PICKET_POLL_INTERVAL: "5m",
      PICKET_WATCH: "off",
      PICKET_MAX_BODY: "512KiB",
      PICKET_HTTP2: "off",
      PICKET_IP_FAMILY: "4",
      PICKET_PLACEMENT: "everywhere",
      PICKET_LOG_FORMAT: "json",
      PICKET_INSTANCE: "a",
      PICKET_WORKERS: "",
    });
    expect(reading).toMatchObject({
      ok: true,
      config: {
        labels: { site: "north", rack: "7" },
        placement: "everywhere",
        pollInterval: 300_000,
        watching: false,
        probing: {
          nameServers: [
            { host: "10.0.0.53", port: 53 },
            { host: "fd00::53", port: 5353 },
            { host: "fd00::54", port: 53 },
          ],
          bodyBytesMax: 524_288,
          http2: false,
          ipFamily: "4",
        },
        logFormat: "json",
        instance: "a",
        workers: 1,
      },
    });
  });

  test("says where the agent keeps its state: where the setting says, else where systemd says", () => {
    const directoryOf = (env: Readonly<Record<string, string>>): string | null => {
      const reading = readConfig({ PICKET_TOKEN: token, ...env });
      return reading.ok ? reading.config.stateDirectory : null;
    };
    expect(directoryOf({ STATE_DIRECTORY: "/var/lib/a:/var/lib/b" })).toBe("/var/lib/a");
    expect(directoryOf({ STATE_DIRECTORY: "", PICKET_STATE_DIR: "" })).toBe("/var/lib/picket");
    expect(directoryOf({ STATE_DIRECTORY: "/a", PICKET_STATE_DIR: "/b:c" })).toBe("/b:c");
  });

  test("takes two to four references of different hosts, and no fewer", () => {
    const readingOf = (text: string): unknown => {
      const reading = readConfig({ PICKET_TOKEN: token, PICKET_REFERENCES: text });
      return reading.ok ? reading.config.probing.references : reading.errors;
    };
    expect(readingOf("10.0.9.9:443, [fd00::9]:80,intra.corp:443")).toEqual([
      { host: "10.0.9.9", port: 443 },
      { host: "fd00::9", port: 80 },
      { host: "intra.corp", port: 443 },
    ]);
    const wrong =
      "PICKET_REFERENCES must be 2 to 4 HOST:PORT of different hosts, separated by commas, e.g. 10.0.9.9:443,intra.corp:443";
    for (const text of [
      "10.0.9.9:443",
      "a.corp:1,a.corp:2",
      "a.corp,b.corp",
      "a:1,b:1,c:1,d:1,e:1",
    ])
      expect(readingOf(text)).toEqual([wrong]);
  });

  test("says what targets may be, each rule by the name of its variable", () => {
    const reading = readConfig({
      PICKET_TOKEN: token,
      PICKET_TARGET_ALLOW: "10.0.0.5, db.corp",
      PICKET_TARGET_DENY: "10.0.0.0/8,fd00::/8,*.corp",
    });
    expect(reading).toMatchObject({
      ok: true,
      config: {
        probing: {
          targetRules: {
            allow: [
              { on: "address", width: 32, prefix: 32, name: "PICKET_TARGET_ALLOW=10.0.0.5" },
              { on: "host", pattern: "db.corp", name: "PICKET_TARGET_ALLOW=db.corp" },
            ],
            deny: [
              { on: "address", width: 32, prefix: 8, name: "PICKET_TARGET_DENY=10.0.0.0/8" },
              { on: "address", width: 128, prefix: 8, name: "PICKET_TARGET_DENY=fd00::/8" },
              { on: "host", pattern: "*.corp", name: "PICKET_TARGET_DENY=*.corp" },
            ],
          },
        },
      },
    });
    expect(readConfig({ PICKET_TOKEN: token })).toMatchObject({
      config: { probing: { targetRules: { allow: [], deny: [] } } },
    });
  });

  test("says which proxy leads to targets, and never shows its password", () => {
    const reading = readConfig({
      PICKET_TOKEN: token,
      PICKET_TARGET_PROXY: "http://user:planted@proxy.test:3128",
      PICKET_NO_PROXY: ".corp, 10.0.0.0/8",
    });
    expect(reading).toMatchObject({
      ok: true,
      config: {
        probing: {
          proxying: {
            exceptions: [
              { on: "host", suffix: "corp", port: null },
              { on: "address", block: { width: 32, prefix: 8 }, port: null },
            ],
          },
        },
      },
    });
    expect(inspect(reading, { depth: 9 })).not.toContain("planted");
    expect(JSON.stringify(reading)).not.toContain(btoa("user:planted"));
    if (!reading.ok) throw new Error(reading.errors.join());
    expect(reading.config.probing.proxying).toMatchObject({
      proxy: {
        host: "proxy.test",
        port: 3128,
        secure: false,
        authorization: `Basic ${btoa("user:planted")}`,
      },
    });
  });

  test("has no proxy for targets unless it is named: HTTPS_PROXY is not for them", () => {
    const proxy = "http://proxy.test:3128";
    const env = { HTTPS_PROXY: proxy, HTTP_PROXY: proxy, https_proxy: proxy, ALL_PROXY: proxy };
    const reading = readConfig({ PICKET_TOKEN: token, ...env, PICKET_TARGET_PROXY: "" });
    if (!reading.ok) throw new Error(reading.errors.join());
    expect(reading.config.probing.proxying).toEqual({ proxy: null, exceptions: [] });
  });

  test("says which way leads to the service, which is not the way to targets", () => {
    const reading = readConfig({
      PICKET_TOKEN: token,
      SERVICE_API_URL: "https://service.test",
      HTTPS_PROXY: "http://user:planted@proxy.test:3128",
    });
    if (!reading.ok) throw new Error(reading.errors.join());
    expect(serviceWay(reading.config).proxying).toMatchObject({
      proxy: { host: "proxy.test", port: 3128, authorization: `Basic ${btoa("user:planted")}` },
    });
    expect(reading.config.probing.proxying.proxy).toBeNull();
    expect(inspect(reading, { depth: 9 })).not.toContain("planted");
  });

  test("reports an entry that is not a rule with its variable: a list may be long", () => {
    const reading = readConfig({
      PICKET_TOKEN: token,
      PICKET_TARGET_ALLOW: "10.0.0.5,ftp://a.test",
      PICKET_TARGET_DENY: "10.0.0.0/8,10.0.0.0/33",
    });
    expect(reading.ok ? [] : reading.errors).toEqual([
      expect.stringMatching(
        /^PICKET_TARGET_ALLOW has the entry "ftp:\/\/a\.test", which is not a CIDR/,
      ),
      expect.stringMatching(
        /^PICKET_TARGET_DENY has the entry "10\.0\.0\.0\/33", which is not a CIDR/,
      ),
    ]);
  });

  test("reports every error at once, each by its variable, and quotes no value", () => {
    const reading = readConfig({
      PICKET_POLL_INTERVAL: "often-planted",
      PICKET_MAX_BODY: "10 planted",
      PICKET_CONCURRENCY: "0",
      PICKET_RESOLVER: "planted",
      SERVICE_API_URL: "ftp://planted",
      PICKET_DNS_SERVERS: "planted:99999",
      PICKET_CA_FILE: "/nowhere/ca.pem",
      PICKET_CLIENT_KEY_FILE: "/nowhere/key.pem",
      PICKET_SERVICE_PROXY: "planted",
      PICKET_TARGET_PROXY: "socks5://user:planted@proxy.test",
      PICKET_NO_PROXY: "a.test,planted/99",
    });
    expect(reading.ok).toBe(false);
    const errors = reading.ok ? [] : reading.errors;
    for (const name of [
      "PICKET_POLL_INTERVAL",
      "PICKET_MAX_BODY",
      "PICKET_CONCURRENCY",
      "PICKET_RESOLVER",
      "SERVICE_API_URL",
      "PICKET_DNS_SERVERS",
      "PICKET_TOKEN",
      "PICKET_CA_FILE",
      "PICKET_CLIENT_CERT_FILE",
      "PICKET_CLIENT_KEY_FILE",
      "PICKET_SERVICE_PROXY",
      "PICKET_TARGET_PROXY",
      "PICKET_NO_PROXY",
    ])
      expect(
        errors.filter((error) => error.startsWith(name)),
        name,
      ).toHaveLength(1);
    expect(errors.join("\n")).not.toContain("planted");
  });

  test("warns of an unknown variable, with the name that was meant", () => {
    expect(
      readConfig({ PICKET_TOKEN: token, PICKET_POLL_INTERVALL: "1m", PICKET_XYZZY: "1" }).warnings,
    ).toEqual([
      "PICKET_POLL_INTERVALL is not known and has no effect; did you mean PICKET_POLL_INTERVAL?",
      "PICKET_XYZZY is not known and has no effect",
    ]);
  });

  test("sends no token over plain http to another machine, unless it is allowed", () => {
    expect(
      readConfig({ PICKET_TOKEN: token, SERVICE_API_URL: "http://service.test" }),
    ).toMatchObject({
      ok: false,
      errors: [expect.stringMatching(/^SERVICE_API_URL must be https/)],
    });
    expect(
      readConfig({
        PICKET_TOKEN: token,
        SERVICE_API_URL: "http://service.test",
        PICKET_ALLOW_HTTP: "1",
      }).ok,
    ).toBe(true);
    for (const url of [
      "http://127.evil.test",
      "http://localhost.test",
      "http://[::2]",
      "http://10.0.0.1",
    ])
      expect(readConfig({ PICKET_TOKEN: token, SERVICE_API_URL: url }).ok, url).toBe(false);
    for (const url of [
      "http://localhost:1",
      "http://127.9.9.9",
      "http://[::1]:8787",
      "https://service.test/prefix/",
    ])
      expect(readConfig({ PICKET_TOKEN: token, SERVICE_API_URL: url }).ok, url).toBe(true);
  });
});

test.each(["PICKET_TRUSTED_KEYS", "PICKET_TRUSTED_KEYS_FILE"])(
  "%s that is set to nothing is refused: the agent would run what no one signed",
  (name) => {
    const reading = readConfig({ PICKET_TOKEN: token, [name]: "" });
    expect(reading.ok ? [] : reading.errors).toEqual([
      expect.stringContaining(`${name} is empty: unset it, or `),
    ]);
  },
);

describe("the token", () => {
  test("may be in a file, or in a systemd credential, with a line break at its end", () => {
    const folder = temporaryFolder();
    const file = path.join(folder, "token");
    writeFileSync(file, `${token}\n`);
    const fromFile = readConfig({ PICKET_TOKEN_FILE: file });
    const fromCredential = readConfig({ CREDENTIALS_DIRECTORY: folder });
    expect(fromFile.ok && fromFile.config.token.secret.reveal()).toBe(token);
    expect(fromCredential.ok && fromCredential.config.token.secret.reveal()).toBe(token);
  });

  test.each([
    [{ PICKET_TOKEN: "a", PICKET_TOKEN_FILE: "b" }, /cannot be used together/],
    [
      { PICKET_TOKEN_FILE: "/nowhere/token" },
      /^PICKET_TOKEN_FILE \(\/nowhere\/token\) cannot be read: ENOENT$/,
    ],
    [{ PICKET_TOKEN: "two words" }, /^PICKET_TOKEN has characters/],
    [{ PICKET_TOKEN: "  " }, /^PICKET_TOKEN is empty/],
  ])("%j is refused", (env, sentence) => {
    const reading = readConfig(env);
    expect(reading.ok ? [] : reading.errors).toEqual([expect.stringMatching(sentence)]);
  });

  test("shows itself only where it is asked for", () => {
    const reading = readConfig({ PICKET_TOKEN: token });
    const shown = [
      inspect(reading, { depth: 9 }),
      JSON.stringify(reading),
      reading.ok ? String(reading.config.token.secret) : "",
    ].join("\n");
    expect(shown).not.toContain(token);
    expect(shown).toContain("[secret]");
  });
});

test("the defaults in the table are values of their own kind", () => {
  const env = Object.fromEntries(
    Object.entries(settings).flatMap(([name, { fallback }]) =>
      fallback === null || fallback === "" ? [] : [[name, fallback]],
    ),
  );
  expect(readConfig({ ...env, PICKET_TOKEN: token })).toMatchObject({ ok: true, warnings: [] });
});
