import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { openTwoProcesses } from "./two-processes.ts";

test("an agent sends nothing to what its operator's file denies, and says so to its reader and its service", async () => {
  await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const uri = `127.0.0.1:${target.port}`;
  const both = await openTwoProcesses(
    // An agent checks once at its start, and these not again for a while.
    `http_monitors:\n  - { name: shop, url: "http://${uri}/", periodicity: 1h, active: true }\n` +
      `tcp_monitors:\n  - { name: port, uri: "${uri}", periodicity: 1h, active: true }\n`,
    { pollInterval: "1s" },
  );
  const file = path.join(temporaryFolder(), "deny");
  writeFileSync(file, "http://127.0.0.0/8\n");
  const agent = both.startTheAgent({ PICKET_TARGET_DENY_FILE: file });
  const [, page = ""] = await agent.said(/"url\.full":"([^"]+)"/);
  const read = async (of: string): Promise<string> => (await fetch(`${page}${of}`)).text();
  const refused = async (): Promise<unknown> => JSON.parse(await read("/status")).targets;
  const rule = "PICKET_TARGET_DENY_FILE: http://127.0.0.0/8";
  const message = `127.0.0.1 is denied by ${rule}`;
  await expect.poll(refused).toMatchObject({
    allow: [],
    deny: [rule],
    fault: null,
    checks_refused: 1,
    refused: [{ name: "shop", message, checks: 1 }],
  });
  expect(await read("/")).toContain(`shop: ${message}`);
  expect(await read("/metrics?scope=agent")).toMatch(/^picket_agent_checks_refused_total\S* 1$/m);
  await expect.poll(() => target.accepted).toBe(1);
});
