import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { GrpcTarget } from "#check/kinds/grpc/grpc-monitor";
import { probeGrpc } from "#probes/grpc/grpc";
import { Authority } from "../support/authority.ts";
import { isInstalled } from "../support/installed.ts";
import { attempt, contextWith } from "../support/probing.ts";
import { closedPort } from "../servers/scripted.ts";
import { canInstall, installClient, started } from "./python-client.ts";

/** The health of a real server that is not JavaScript, directly and behind a real proxy. */

async function health(
  port: number,
  more: Partial<GrpcTarget> = {},
  ca: string | null = null,
): Promise<string> {
  const target: GrpcTarget = {
    kind: "grpc",
    host: "127.0.0.1",
    port,
    service: "",
    tlsMode: "plaintext",
    metadata: [],
    ...more,
  };
  const { failure, servingStatus } = await attempt(probeGrpc, target, contextWith({ ca }));
  return failure === null ? (servingStatus ?? "") : failure.code;
}

/** nginx in front of a gRPC server: by TLS on the first port, without on the second. */
async function proxyTo(
  upstream: number,
  { cert, key }: { readonly cert: string; readonly key: string },
): Promise<AsyncDisposable & { readonly secure: number; readonly plain: number }> {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-grpc-"));
  const [secure, plain] = [await closedPort(), await closedPort()];
  writeFileSync(path.join(folder, "cert.pem"), cert);
  writeFileSync(path.join(folder, "key.pem"), key);
  const listening = (line: string): string => `server { listen 127.0.0.1:${line};
    location / { grpc_pass grpc://127.0.0.1:${upstream}; } }`;
  writeFileSync(
    path.join(folder, "nginx.conf"),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {}
    http {
      access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder};
      fastcgi_temp_path ${folder}; uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
      ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;
      ${listening(`${secure} ssl http2`)}
      ${listening(`${plain} http2`)}
    }`,
  );
  const nginx = spawn("nginx", ["-c", path.join(folder, "nginx.conf"), "-p", folder]);
  const gone = once(nginx, "exit");
  await accepting(plain);
  return {
    secure,
    plain,
    [Symbol.asyncDispose]: async () => {
      nginx.kill();
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Tries again at each refusal, which comes at once. */
async function accepting(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
  }
}

describe.skipIf(!canInstall() || !isInstalled("nginx"))("a gRPC server of Python", () => {
  beforeAll(installClient);

  test("is asked for its health, directly and behind nginx, by TLS and without", async () => {
    await using server = await started("health-server.py");
    const port = Number(server.line);
    const services = { service: "shop.v1.Orders" };
    expect(await health(port)).toBe("SERVING");
    expect(await health(port, services)).toBe("SERVING");
    expect(await health(port, { service: "shop.v1.Down" })).toBe("grpc_not_serving");
    expect(await health(port, { service: "shop.v1.Never" })).toBe("grpc_service_unknown");
    const authority = await Authority.create();
    await using proxy = await proxyTo(port, await authority.issue());
    expect(await health(proxy.plain, services)).toBe("SERVING");
    expect(await health(proxy.secure, { ...services, tlsMode: "tls" }, authority.cert)).toBe(
      "SERVING",
    );
    expect(await health(proxy.secure, { ...services, tlsMode: "tls_insecure" })).toBe("SERVING");
    expect(await health(proxy.secure, { ...services, tlsMode: "tls" })).toMatch(/^tls_/);
  });

  test("that is away behind its proxy is the proxy's answer, in words", async () => {
    const authority = await Authority.create();
    await using proxy = await proxyTo(await closedPort(), await authority.issue());
    expect(await health(proxy.plain)).toMatch(/^(grpc_status|protocol_error)$/);
  });
});
