import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { Authority, type Identity } from "../support/authority.ts";
import { captureIo } from "../support/captured-io.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { answers, closedPort, tcpPeer, tlsPeer } from "../servers/scripted.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { isInstalled } from "../support/installed.ts";

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const password = "planted-password";

let identity: Identity;
let ca: string;
beforeAll(async () => {
  const authority = await Authority.create();
  identity = await authority.issue();
  ca = authority.cert;
});

interface RunningProxy extends Daemon {
  readonly port: number;
  /** What it answers to credentials that are wrong. */
  readonly wrongPassword: number;
}

const running = (daemon: Daemon, port: number, wrongPassword: number): RunningProxy => ({
  folder: daemon.folder,
  pid: daemon.pid,
  port,
  wrongPassword,
  [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
});

async function squid(): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const port = await closedPort();
  const file = (name: string): string => path.join(folder, name);
  const hash = execFileSync("openssl", ["passwd", "-apr1", password], { encoding: "utf8" });
  writeFileSync(file("passwords"), `user:${hash}`);
  writeFileSync(
    file("squid.conf"),
    `http_port 127.0.0.1:${port}
    pid_filename none
    cache_log /dev/null
    access_log none
    cache deny all
    cache_mem 8 MB
    netdb_filename none
    pinger_enable off
    visible_hostname lab.test
    shutdown_lifetime 0 seconds
    max_filedescriptors 1024
    auth_param basic program /usr/lib/squid/basic_ncsa_auth ${file("passwords")}
    auth_param basic children 1
    acl known proxy_auth REQUIRED
    acl here dst 127.0.0.0/8 ::1
    http_access deny !known
    http_access allow known here
    http_access deny all
    `,
  );
  // Started as root, squid continues as a separate user, who has to read the passwords.
  chmodSync(folder, 0o755);
  const daemon = await startDaemon("squid", ["-N", "-f", file("squid.conf")], { folder, port });
  return running(daemon, port, 407);
}

async function tinyproxy(): Promise<RunningProxy> {
  const folder = temporaryFolder();
  const port = await closedPort();
  const file = path.join(folder, "tinyproxy.conf");
  writeFileSync(
    file,
    `Port ${port}
Listen 127.0.0.1
Timeout 10
MaxClients 20
LogFile "${path.join(folder, "log")}"
BasicAuth user ${password}
`,
  );
  const daemon = await startDaemon("tinyproxy", ["-d", "-c", file], { folder, port });
  return running(daemon, port, 401);
}

/** `picket check` with --json, as a user would call it; nothing that it writes shows the password. */
async function check(
  target: string,
  proxyUrl: string,
  ...args: readonly string[]
): Promise<{ code: number; json: unknown }> {
  const io = captureIo();
  const code = await runCheck([target, "--proxy", proxyUrl, "--json", "-4", ...args], io);
  expect(io.written.stdout() + io.written.stderr()).not.toContain("planted");
  return { code, json: JSON.parse(io.written.stdout()) };
}

const proxies = { squid, tinyproxy } as const;

describe.each(["squid", "tinyproxy"] as const)("through %s", (name) => {
  const needed = { squid: ["squid", "openssl"], tinyproxy: ["tinyproxy"] } as const;
  describe.skipIf(!isInstalled(...needed[name]))("with credentials", () => {
    test("http, https and tcp targets are checked, each through a tunnel", async () => {
      await using proxy = await proxies[name]();
      await using plain = await tcpPeer(answers(ok));
      await using secure = await tlsPeer(identity, answers(ok));
      const file = path.join(temporaryFolder(), "ca.crt");
      writeFileSync(file, ca);
      const url = `http://user:${password}@127.0.0.1:${proxy.port}`;
      const took = expect.any(Number);
      expect(await check(`http://127.0.0.1:${plain.port}/`, url)).toMatchObject({
        code: 0,
        json: {
          status: "success",
          http: { status_code: 200, body_bytes: 2 },
          phases_ns: { dns: null, connect: took, proxy: took, tls: null, wait: took },
        },
      });
      expect(await check(`https://localhost:${secure.port}/`, url, "--ca", file)).toMatchObject({
        code: 0,
        json: {
          status: "success",
          tls: { certificate: { subject: "CN=localhost" } },
          // The target's name is looked up by the proxy.
          phases_ns: { dns: null, connect: took, proxy: took, tls: took, wait: took },
        },
      });
      expect(await check(`tcp://127.0.0.1:${plain.port}`, url)).toMatchObject({
        code: 0,
        json: { status: "success", phases_ns: { proxy: took } },
      });
    });

    test("a wrong password, none at all, and a target that is down are distinguished", async () => {
      await using proxy = await proxies[name]();
      const where = `127.0.0.1:${proxy.port}`;
      const target = `http://127.0.0.1:${await closedPort()}/`;
      const refused = (message: RegExp): object => ({
        code: 1,
        json: {
          failure: { code: "proxy_refused", phase: "proxy" },
          message: expect.stringMatching(message),
        },
      });
      expect(await check(target, `http://user:planted-wrong@${where}`)).toMatchObject(
        refused(
          RegExp(
            `with status ${proxy.wrongPassword}: it does not accept the credentials \\(Basic\\)`,
          ),
        ),
      );
      expect(await check(target, `http://${where}`)).toMatchObject(
        refused(/with status 407: it wants credentials \(Basic\), and the proxy's URL has none$/),
      );
      expect(await check(target, `http://user:${password}@${where}`)).toMatchObject(
        refused(
          /^the proxy 127\.0\.0\.1:\d+ answered CONNECT 127\.0\.0\.1:\d+ with status 50[0-9]$/,
        ),
      );
    });

    test("a target that is an exception is checked directly", async () => {
      await using plain = await tcpPeer(answers(ok));
      const url = `http://127.0.0.1:${await closedPort()}`;
      const direct = await check(
        `http://127.0.0.1:${plain.port}/`,
        url,
        "--no-proxy",
        "127.0.0.0/8",
      );
      expect(direct).toMatchObject({ code: 0, json: { phases_ns: { proxy: null } } });
    });
  });
});
