import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { newSigningKey } from "#signing/private-key";
import { keyLine } from "#signing/public-key";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { openTwoProcesses } from "./two-processes.ts";

test("an agent with trusted keys sends nothing to what is not signed, runs what is, and nothing after a change by the service", async () => {
  await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
  const monitors = `http_monitors:\n  - { name: shop, url: "http://127.0.0.1:${target.port}/", periodicity: 1h, active: true }\n`;
  const both = await openTwoProcesses(monitors, { pollInterval: "1s" });
  const folder = temporaryFolder();
  const { key, text } = newSigningKey("ci");
  writeFileSync(path.join(folder, "trusted"), `# CI\n${keyLine(key.raw, "ci")}\n`);
  const agent = both.startTheAgent({
    PICKET_TRUSTED_KEYS_FILE: path.join(folder, "trusted"),
    PICKET_LOCATION: "office",
  });
  const { httpMonitors } = await both.management.monitors.listMonitors({});
  const { privateLocations } = await both.management.locations.listPrivateLocations({});
  const monitorId = httpMonitors[0]?.id ?? "";
  const asked = { monitorId, privateLocationId: privateLocations[0]?.id ?? "" };
  /** What a check says that a person asks for; refused while the agent does not listen yet. */
  const checkNow = async (): Promise<string> => {
    const { answers: all } = await both.management.locations
      .checkNow(asked)
      .catch(() => ({ answers: [] }));
    const result = all[0]?.result?.result;
    return result?.case === "http"
      ? `${result.value.requestStatus} ${result.value.message}`.trim()
      : (all[0]?.error ?? "");
  };
  const unsigned =
    "error This agent runs only signed monitors, and the signature of this one is missing";
  await agent.said(/"remark":"signature is missing: the monitor is not run"/);
  await expect.poll(checkNow).toBe(unsigned);
  expect(target.accepted).toBe(0);

  const file = path.join(folder, "monitors.yaml");
  writeFileSync(file, monitors);
  const env = { SERVICE_API_URL: both.url, SERVICE_API_KEY: both.key, SIGNING_KEY: text };
  const args = ["apply", "-f", file, "--location", "office", "--sign", "env:SIGNING_KEY"];
  await startPicket(args, env).said(/Applied/);
  await expect.poll(checkNow).toBe("success");
  expect(target.accepted).toBeGreaterThan(0);

  const changed = { id: monitorId, monitor: { timeout: 1_000n } };
  const { remarks } = await both.management.monitors.updateHTTPMonitor(changed);
  expect(remarks.join()).toMatch(
    /^At office, the agent \S+ runs only signed monitors, and this one will not be signed for office/,
  );
  await expect.poll(checkNow).toBe(unsigned);
});
