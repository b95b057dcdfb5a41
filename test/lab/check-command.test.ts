import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runCheck } from "#cli/check/check-command";
import { Authority } from "../support/authority.ts";
import { captureIo } from "../support/captured-io.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { closedPort } from "../servers/scripted.ts";
import { type Daemon, startDaemon } from "./daemon.ts";
import { isInstalled } from "../support/installed.ts";

/** `picket check` with --json, as a user would call it. */
async function check(
  ...args: readonly string[]
): Promise<{ code: number; json: Record<string, never> }> {
  const io = captureIo();
  const code = await runCheck([...args, "--json"], io);
  return { code, json: JSON.parse(io.written.stdout()) };
}

describe.skipIf(!isInstalled("nginx"))("against nginx", () => {
  async function nginx(): Promise<Daemon & { tlsPort: number; port: number; ca: string }> {
    const folder = temporaryFolder();
    const authority = await Authority.create();
    const { cert, key } = await authority.issue();
    const [port, tlsPort] = [await closedPort(), await closedPort()];
    for (const [name, text] of Object.entries({
      "srv.crt": cert,
      "srv.key": key,
      "ca.crt": authority.cert,
    }))
      writeFileSync(path.join(folder, name), text);
    mkdirSync(path.join(folder, "tmp"));
    writeFileSync(
      path.join(folder, "nginx.conf"),
      `daemon off; pid nginx.pid; error_log stderr warn; master_process off;
      events {}
      http { access_log off; client_body_temp_path tmp/b; proxy_temp_path tmp/p; fastcgi_temp_path tmp/f; uwsgi_temp_path tmp/u; scgi_temp_path tmp/s;
        server { listen 127.0.0.1:${port}; listen 127.0.0.1:${tlsPort} ssl http2; ssl_certificate srv.crt; ssl_certificate_key srv.key;
          location / { return 200 "nginx $server_protocol\\n"; }
          location /moved { return 302 /; }
          location /broken { return 500; }
          location /drop { return 444; } } }`,
    );
    const daemon = await startDaemon(
      "nginx",
      ["-p", folder, "-c", path.join(folder, "nginx.conf")],
      { folder, port: tlsPort },
    );
    return {
      ...daemon,
      [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
      tlsPort,
      port,
      ca: path.join(folder, "ca.crt"),
    };
  }

  test("a check over TLS reads true: HTTP/2, certificate, phases that sum to the total, assertions", async () => {
    await using server = await nginx();
    const { code, json } = await check(
      `https://localhost:${server.tlsPort}/`,
      "--ca",
      server.ca,
      "--assert",
      "status eq 200",
      "--assert",
      "body contains nginx",
      "-4",
    );
    expect(code).toBe(0);
    expect(json).toMatchObject({
      kind: "http",
      status: "success",
      failure: null,
      message: "",
      attempts: 1,
      http: {
        status_code: 200,
        version: "2",
        body_bytes: 15,
        headers: { server: expect.stringMatching(/^nginx/) },
      },
      dns: null,
      tls: {
        alpn: "h2",
        certificate: { subject: "CN=localhost", issuer: "CN=Picket test authority" },
      },
      assertions: [
        { kind: "status", held: true, expected: "status eq 200", received: "200" },
        { kind: "body", held: true },
      ],
      phases_ns: { proxy: null },
    });
    const phases: Record<string, number | null> = json["phases_ns"] ?? {};
    const own: number | null = json["own_ns"] ?? null;
    const spans = [...Object.values(phases), own];
    expect(spans.reduce<number>((sum, span) => sum + (span ?? 0), 0)).toBe(json["total_ns"]);
    for (const phase of ["dns", "connect", "tls", "write", "wait", "receive"])
      expect(Number.isInteger(phases[phase]), phase).toBe(true);
  });

  test("says untrusted without the CA, and every other failure by its name", async () => {
    await using server = await nginx();
    const plain = `http://127.0.0.1:${server.port}`;
    expect(await check(`https://localhost:${server.tlsPort}/`)).toMatchObject({
      code: 1,
      json: { failure: { code: "tls_untrusted", phase: "tls" } },
    });
    expect(await check(`${plain}/broken`)).toMatchObject({
      code: 1,
      json: { message: "Request failed with status code 500", http: { status_code: 500 } },
    });
    expect(await check(`${plain}/drop`)).toMatchObject({
      code: 1,
      json: { failure: { code: "empty_reply", phase: "wait" } },
    });
    expect(await check(`${plain}/moved`)).toMatchObject({
      code: 0,
      json: { http: { status_code: 200, hops: [{ status_code: 302 }, { status_code: 200 }] } },
    });
    expect(await check(`${plain}/moved`, "--no-follow")).toMatchObject({
      code: 1,
      json: { http: { status_code: 302 } },
    });
    expect(await check(`http://127.0.0.1:${server.tlsPort}/`)).toMatchObject({
      code: 1,
      json: { http: { status_code: 400 } },
    });
    expect(await check(`tcp://127.0.0.1:${server.port}`)).toMatchObject({
      code: 0,
      json: { kind: "tcp", status: "success" },
    });
    expect(await check(`tcp://127.0.0.1:${await closedPort()}`)).toMatchObject({
      code: 1,
      json: { failure: { code: "connection_refused" } },
    });
  });
});
