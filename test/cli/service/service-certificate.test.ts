import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import net from "node:net";
import path from "node:path";
import tls from "node:tls";
import { beforeAll, describe, expect, test } from "vitest";
import {
  certificateFiles,
  readCertificate,
  renewCertificate,
} from "#cli/service/service-certificate";
import { runService } from "#cli/service/service-command";
import { systemClock } from "#base/clock";
import * as limits from "#limits/service-limits";
import { type Logger, silentLogger } from "#base/log";
import { keepRoom } from "#network/connection-room";
import { type Service, startService } from "#service/server";
import type { ServerIdentity } from "#service/edge/web-server";
import { Authority, type Identity } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

let authority: Authority;
beforeAll(async () => {
  authority = await Authority.create();
});

/** A certificate and its key in files, which a test may replace. */
async function certificateOnDisk() {
  const folder = temporaryFolder();
  const cert = path.join(folder, "tls.crt");
  const key = path.join(folder, "tls.key");
  const put = (identity: Identity): void => {
    writeFileSync(cert, identity.cert);
    writeFileSync(key, identity.key);
  };
  put(await authority.issue());
  const ca = path.join(folder, "ca.crt");
  writeFileSync(ca, authority.cert);
  return { cert, key, ca, put, files: certificateFiles({ cert, key }, {}) };
}

const identityOf = (files: ReturnType<typeof certificateFiles>): ServerIdentity => {
  const { identity, errors } = readCertificate(files, systemClock);
  if (identity === null) throw new Error(errors.join());
  return identity;
};

const started = (identity?: ServerIdentity): Promise<Service> =>
  startService({
    database: path.join(temporaryFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    ...(identity === undefined ? {} : { identity }),
  });

/** The number of the certificate that a new connection is shown. */
async function shownBy(port: number): Promise<string> {
  const socket = tls.connect({ port, host: "127.0.0.1", ca: authority.cert });
  await once(socket, "secureConnect");
  const { serialNumber } = new X509Certificate(socket.getPeerCertificate().raw);
  socket.destroy();
  return serialNumber;
}

const numberOf = ({ cert }: Identity): string => new X509Certificate(cert).serialNumber;

test("an agent reports over TLS, by calls and by the push channel, also after the certificate was renewed", async () => {
  const disk = await certificateOnDisk();
  await using service = await started(identityOf(disk.files));
  expect(service.url).toBe(`https://127.0.0.1:${service.port}`);
  const { token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  const env = { SERVICE_API_URL: service.url, PICKET_TOKEN: token, PICKET_LOG_LEVEL: "debug" };
  const stranger = startPicket(["agent"], env);
  await stranger.said(/certificate is not trusted/);
  await stranger.kill();
  const trusting = { ...env, PICKET_CA_FILE: disk.ca };
  const agent = startPicket(["agent"], trusting);
  await agent.said(/assignment taken/);
  await agent.said(/the push channel is open/);

  const clock = new FakeClock(Date.now());
  const ended = new AbortController();
  const said: string[] = [];
  const log: Logger = {
    debug() {},
    info: (line) => said.push(line),
    warn: (line) => said.push(line),
    error: (line, fields) => said.push(`${line}: ${String(fields?.["error.message"])}`),
  };
  const renew = (identity: ServerIdentity): void => service.renew(identity);
  const renewing = renewCertificate({ files: disk.files, renew, clock, log }, ended.signal);
  const renewed = await authority.issue();
  disk.put(renewed);
  expect(await shownBy(service.port)).not.toBe(numberOf(renewed));
  await clock.advance(limits.serviceCertificateLookEvery);
  expect(await shownBy(service.port)).toBe(numberOf(renewed));
  const later = startPicket(["agent"], trusting);
  await later.said(/assignment taken/);

  // Its key is another's, as in the middle of a renewal: the last pair stays, and that is logged once.
  writeFileSync(disk.cert, (await authority.issue()).cert);
  await clock.advance(3 * limits.serviceCertificateLookEvery);
  expect(await shownBy(service.port)).toBe(numberOf(renewed));
  rmSync(disk.key);
  await clock.advance(3 * limits.serviceCertificateLookEvery);
  expect(await shownBy(service.port)).toBe(numberOf(renewed));
  expect(said).toEqual([
    "the certificate was renewed",
    expect.stringMatching(/keeps the last one: --key is not the key of the first certificate in/),
    expect.stringMatching(/keeps the last one: --key cannot be used: ENOENT/),
  ]);
  disk.put(await authority.issue());
  await clock.advance(limits.serviceCertificateLookEvery);
  expect(await shownBy(service.port)).not.toBe(numberOf(renewed));
  ended.abort();
  await renewing;
  expect(await agent.stop()).toBe(0);
  expect(await later.stop()).toBe(0);
});

test("TLS below 1.2 is refused, and who never ends a handshake holds no stop", async () => {
  const disk = await certificateOnDisk();
  const service = await started(identityOf(disk.files));
  const old = tls.connect({
    port: service.port,
    host: "127.0.0.1",
    ca: authority.cert,
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });
  const [refused]: unknown[] = await once(old, "error");
  expect(String(refused)).toMatch(/protocol version|unsupported protocol/i);
  const silent = net.connect(service.port, "127.0.0.1");
  await once(silent, "connect");
  const cut = once(silent, "close");
  service.abandon();
  await cut;
  await service[Symbol.asyncDispose]();
});

test("a connection whose request is being answered makes no room for newcomers, over TLS too", async () => {
  const { cert, key } = await authority.issue();
  const server = createServer({ cert, key }, (_request, response) => {
    response.writeHead(200).write("first");
  });
  const cutOff = keepRoom(server, 2);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  const busy = tls.connect({ port, host: "127.0.0.1", ca: authority.cert });
  await once(busy, "secureConnect");
  busy.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(busy, "data");
  const silent = net.connect(port, "127.0.0.1");
  await once(silent, "connect");
  const dropped = once(silent, "close");
  const newcomer = net.connect(port, "127.0.0.1");
  await once(newcomer, "connect");
  await dropped;
  expect([busy.closed, newcomer.closed]).toEqual([false, false]);
  const closed = [once(busy, "close"), once(newcomer, "close")];
  cutOff();
  await Promise.all(closed);
  server.close();
});

describe("picket service", () => {
  async function refusal(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const io = captureIo(env);
    const database = path.join(temporaryFolder(), "service.sqlite");
    const code = await runService(["--database", database, ...args], io);
    return { code, said: io.written.stderr() };
  }

  test("speaks plain http to this machine only, unless it is allowed, and then it warns", async () => {
    for (const host of ["0.0.0.0", "[::]", "192.0.2.1"])
      expect(await refusal(["--listen", `${host}:0`])).toEqual({
        code: 1,
        said: expect.stringMatching(
          /^picket service: cannot start: plain http on .* give a certificate/,
        ),
      });
    const io = captureIo({ PICKET_SERVICE_ALLOW_HTTP: "on" });
    const database = path.join(temporaryFolder(), "service.sqlite");
    io.stdout.on("data", () => io.stop.abort());
    expect(await runService(["--database", database, "--listen", "0.0.0.0:0"], io)).toBe(0);
    expect(io.written.stderr()).toMatch(/^picket service: warning: plain http on 0\.0\.0\.0:0: /);
  });

  test("refuses a certificate that it cannot use by the name of its setting", async () => {
    const disk = await certificateOnDisk();
    const other = await certificateOnDisk();
    expect(await refusal(["--cert", disk.cert, "--key", other.key])).toEqual({
      code: 1,
      said: expect.stringMatching(/cannot start: --key is not the key of the first certificate/),
    });
    expect(await refusal([], { PICKET_SERVICE_CERT_FILE: disk.cert })).toEqual({
      code: 1,
      said: expect.stringMatching(/PICKET_SERVICE_KEY_FILE is not set, and PICKET_SERVICE_CERT/),
    });
  });

  test("takes systemd's credentials where they are, and an expired certificate with a warning", async () => {
    const folder = temporaryFolder();
    const day = 86_400_000;
    const old = await authority.issue({
      validFrom: new Date(Date.now() - 9 * day),
      validTo: new Date(Date.now() - day),
    });
    writeFileSync(path.join(folder, "tls_certificate"), old.cert);
    writeFileSync(path.join(folder, "tls_key"), old.key);
    const io = captureIo({ CREDENTIALS_DIRECTORY: folder });
    const database = path.join(temporaryFolder(), "service.sqlite");
    io.stdout.on("data", () => io.stop.abort());
    expect(await runService(["--database", database, "--listen", "0.0.0.0:0"], io)).toBe(0);
    expect(io.written.stdout()).toContain("listens on https://127.0.0.1:");
    expect(io.written.stderr()).toMatch(/warning: .*tls_certificate: the certificate of the ser/);
    expect(
      certificateFiles({ cert: null, key: null }, { CREDENTIALS_DIRECTORY: temporaryFolder() }).key
        .file,
    ).toBe("");
  });
});
