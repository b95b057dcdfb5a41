import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseBlock } from "#network/address-block";
import { closedPort } from "../servers/scripted.ts";
import { Authority } from "../support/authority.ts";
import { isInstalled } from "../support/installed.ts";
import { startPicket } from "../support/running-picket.ts";
import { runningService, temporaryFolder } from "../support/running-service.ts";
import { startDaemon } from "./daemon.ts";

const page = readFileSync(path.resolve(import.meta.dirname, "../../docs/service.md"), "utf8");
const [, example = ""] = /```nginx\n([\s\S]*?)```/.exec(page) ?? [];

/** The example of docs/service.md, on a free port, with a certificate of the test's own, before the service at `to`. */
function configuration(to: string, port: number): string {
  const replaced = example
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/picket.crt", "srv.crt")
    .replace("/etc/ssl/picket.key", "srv.key")
    .replace("http://127.0.0.1:8787", to);
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `daemon off; pid nginx.pid; error_log stderr warn; master_process off;
events {}
http { access_log off;
${folders.map((name) => `${name}_temp_path tmp/${name};`).join("\n")}
${replaced} }`;
}

interface BehindNginx extends AsyncDisposable {
  readonly port: number;
  /** PEM of whom clients have to trust, and the file that has it. */
  readonly ca: string;
  readonly caFile: string;
}

/** nginx as the page has it, before the service at `to`. */
async function nginxBefore(to: string): Promise<BehindNginx> {
  const folder = temporaryFolder();
  const authority = await Authority.create();
  const { cert, key } = await authority.issue();
  const port = await closedPort();
  mkdirSync(path.join(folder, "tmp"));
  const files = {
    "srv.crt": cert,
    "srv.key": key,
    "ca.crt": authority.cert,
    "nginx.conf": configuration(to, port),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  const started = ["-p", folder, "-c", path.join(folder, "nginx.conf")];
  const nginx = await startDaemon("nginx", started, { folder, port });
  return {
    port,
    ca: authority.cert,
    caFile: path.join(folder, "ca.crt"),
    [Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose](),
  };
}

/** The setting that the page gives to the service beside the example. */
const [, proxies = ""] = /^PICKET_SERVICE_TRUSTED_PROXIES=(\S+)$/m.exec(page) ?? [];
const trustedProxies = [parseBlock(proxies)].filter((block) => block !== null);

const restricted = {
  title: "Team",
  slug: "team",
  published: true,
  accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED",
  allowedIpRanges: "127.0.0.3/32",
};

describe.skipIf(!isInstalled("nginx"))("behind nginx, as docs/service.md has it,", () => {
  test("an agent reaches the service by calls and by the push channel", async () => {
    await using service = await runningService();
    const { token } = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [],
      metadata: {},
    });
    await using nginx = await nginxBefore(service.url);
    const agent = startPicket(["agent"], {
      SERVICE_API_URL: `https://localhost:${nginx.port}`,
      PICKET_CA_FILE: nginx.caFile,
      PICKET_TOKEN: token,
      PICKET_LOG_LEVEL: "debug",
    });
    await agent.said(/assignment taken/);
    await agent.said(/the push channel is open/);
    expect(await agent.stop()).toBe(0);
  });

  test("people have a secure cookie, tries of their own, and the pages that their network may see", async () => {
    await using service = await runningService({ trustedProxies });
    const { key } = await service.admin.createApiKey({ name: "ops", scope: "write" });
    const made = await service.post(
      "/rpc/openstatus.status_page.v1.StatusPageService/CreateStatusPage",
      restricted,
      { "x-service-key": key },
    );
    expect(made.status).toBe(200);
    await using nginx = await nginxBefore(service.url);
    const signIn = (from: string, secret: string) => askOf(nginx, from, "/sign-in", { secret });
    const statuses: number[] = [];
    for (let tried = 0; tried < 6; tried += 1)
      statuses.push((await signIn("127.0.0.2", "pkt_key_guess")).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    const { status, cookie } = await signIn("127.0.0.3", key);
    expect([status, cookie]).toEqual([303, expect.stringMatching(/; Secure$/)]);
    const seen = async (from: string, headers: Record<string, string> = {}) =>
      (await askOf(nginx, from, "/status/team", null, headers)).status;
    expect([await seen("127.0.0.3"), await seen("127.0.0.2")]).toEqual([200, 403]);
    expect(await seen("127.0.0.2", { "x-forwarded-for": "127.0.0.3" })).toBe(403);
  });
});

/** A request over TLS from an address of this machine; a form is posted. */
async function askOf(
  { port, ca }: BehindNginx,
  localAddress: string,
  to: string,
  form: Record<string, string> | null,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly cookie: string }> {
  const asked = request({
    host: "127.0.0.1",
    servername: "localhost",
    agent: false,
    port,
    path: to,
    localAddress,
    ca,
    method: form === null ? "GET" : "POST",
    headers: { ...headers, "content-type": "application/x-www-form-urlencoded" },
  });
  asked.end(form === null ? undefined : new URLSearchParams(form).toString());
  const [answer] = await once(asked, "response");
  answer.resume();
  return { status: answer.statusCode, cookie: answer.headers["set-cookie"]?.[0] ?? "" };
}
