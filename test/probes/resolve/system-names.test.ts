import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { parseHosts, parseResolvConf, systemNames } from "#probes/resolve/system-names";
import { FakeClock } from "../../support/fake-clock.ts";
import { isInstalled } from "../../support/installed.ts";

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), "picket-names-"));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

describe("the hosts file", () => {
  test("has comments, several names on a line, several lines for a name, and lines that are none", () => {
    const hosts = parseHosts(
      "# all\r\n127.0.0.1 localhost  Host.Test # here\n::1\tlocalhost\nnot-an-address x\n\n10.0.0.1\nfe80::2%eth0 near.\n",
    );
    expect([...hosts]).toEqual([
      ["localhost", ["127.0.0.1", "::1"]],
      ["host.test", ["127.0.0.1"]],
      ["near", ["fe80::2%eth0"]],
    ]);
  });
  test("gives one name only so many addresses", () => {
    const lines = Array.from({ length: 500 }, (_, n) => `10.0.${n >> 8}.${n & 255} many.test`);
    expect(parseHosts(lines.join("\n")).get("many.test")).toHaveLength(16);
  });
});

describe("resolv.conf", () => {
  test("names servers, the last search or domain line, and options within their bounds", () => {
    const conf = parseResolvConf(
      "; c\r\n# c\nnameserver 10.0.0.53 # ours\n\tnameserver  fe80::1%eth0\nnameserver nonsense\nnameserver\ngarbage \u0000\ndomain old.test\nsearch a.test b.test.\noptions ndots:3 timeout:99 attempts:0 rotate edns0\noptions use-vc ndots:x\n",
    );
    expect(conf).toEqual({
      servers: [
        { host: "10.0.0.53", port: 53 },
        { host: "fe80::1%eth0", port: 53 },
      ],
      search: ["a.test", "b.test"],
      ndots: 1,
      timeout: 30_000,
      attempts: 1,
      rotate: true,
      overTcp: true,
    });
  });
  test("without a word means the server of this machine and the defaults", () => {
    expect(parseResolvConf("")).toEqual({
      servers: [{ host: "127.0.0.1", port: 53 }],
      search: [],
      ndots: 1,
      timeout: 5_000,
      attempts: 2,
      rotate: false,
      overTcp: false,
    });
  });
  test("searches the host's own domain where it names none, and none where it says a dot", () => {
    expect(parseResolvConf("", "db.corp.test").search).toEqual(["corp.test"]);
    expect(parseResolvConf("", "db").search).toEqual([]);
    expect(parseResolvConf("search .", "db.corp.test").search).toEqual([]);
    expect(parseResolvConf("domain own.test", "db.corp.test").search).toEqual(["own.test"]);
  });
  test("names no more servers and domains than a resolver can use", () => {
    const servers = Array.from({ length: 50 }, (_, n) => `nameserver 10.0.0.${n}\n`).join("");
    const domains = Array.from({ length: 50 }, (_, n) => `d${n}.test`).join(" ");
    const conf = parseResolvConf(`${servers}search ${domains}`);
    expect([conf.servers.length, conf.search.length]).toEqual([8, 32]);
  });
});

describe("the host's files", () => {
  test("are read again when they change, but not looked at for every name", async () => {
    const paths = { hosts: path.join(folder(), "hosts"), resolvConf: "/nowhere/resolv.conf" };
    writeFileSync(paths.hosts, "10.0.0.1 a.test\n");
    const clock = new FakeClock();
    const names = systemNames(clock, paths);
    expect(names.hosts("A.test")).toEqual(["10.0.0.1"]);
    expect(names.hosts("b.test")).toEqual([]);
    expect(names.resolvConf().servers).toEqual([{ host: "127.0.0.1", port: 53 }]);
    writeFileSync(paths.hosts, "10.0.0.99 a.test\n");
    utimesSync(paths.hosts, 1, 1);
    expect(names.hosts("a.test")).toEqual(["10.0.0.1"]);
    await clock.advance(6_000);
    expect(names.hosts("a.test")).toEqual(["10.0.0.99"]);
    rmSync(paths.hosts);
    await clock.advance(6_000);
    expect(names.hosts("a.test")).toEqual([]);
  });
  test.skipIf(!isInstalled("mkfifo"))("are not waited for when they are a pipe or a folder", () => {
    const made = folder();
    const paths = { hosts: path.join(made, "pipe"), resolvConf: path.join(made, "folder") };
    execFileSync("mkfifo", [paths.hosts]);
    mkdirSync(paths.resolvConf);
    const names = systemNames(new FakeClock(), paths);
    expect(names.hosts("a.test")).toEqual([]);
    expect(names.resolvConf().ndots).toBe(1);
  });
});
