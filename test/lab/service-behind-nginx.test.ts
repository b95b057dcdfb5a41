import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
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

describe.skipIf(!isInstalled("nginx"))("behind nginx, as docs/service.md has it,", () => {
  test("an agent reaches the service by calls and by the push channel", async () => {
    await using service = await runningService();
    const { token } = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [],
      metadata: {},
    });
    const folder = temporaryFolder();
    const authority = await Authority.create();
    const { cert, key } = await authority.issue();
    const port = await closedPort();
    mkdirSync(path.join(folder, "tmp"));
    const files = {
      "srv.crt": cert,
      "srv.key": key,
      "ca.crt": authority.cert,
      "nginx.conf": configuration(service.url, port),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    const started = ["-p", folder, "-c", path.join(folder, "nginx.conf")];
    await using _nginx = await startDaemon("nginx", started, { folder, port });
    const agent = startPicket(["agent"], {
      SERVICE_API_URL: `https://localhost:${port}`,
      PICKET_CA_FILE: path.join(folder, "ca.crt"),
      PICKET_TOKEN: token,
      PICKET_LOG_LEVEL: "debug",
    });
    await agent.said(/assignment taken/);
    await agent.said(/the push channel is open/);
    expect(await agent.stop()).toBe(0);
  });
});
