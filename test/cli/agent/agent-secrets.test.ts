import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "#agent/settings/config";
import { secretFindings } from "#cli/doctor/secret-findings";
import { ExistingService } from "../../servers/existing-service.ts";
import { listenLocally } from "../../servers/listen-locally.ts";
import { closedPort } from "../../servers/scripted.ts";
import { startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

const secret = "s3cret-of-the-location/4711";

/** A target that sends back what it was sent, and remembers the tokens. */
async function echoing() {
  const tokens: string[] = [];
  const server = createServer((request, response) => {
    const token = String(request.headers["x-token"]);
    tokens.push(token);
    response.setHeader("x-echo", token);
    response.end(`you sent ${token} to ${request.url}`);
  });
  onTestFinished(() => void server.close());
  return { tokens, port: await listenLocally(server) };
}

const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => readFileSync(path.join(one.parentPath, one.name), "latin1"))
    .join("\n");

function expectNoSecretIn(text: string): void {
  const base64 = Buffer.from(secret).toString("base64").slice(0, 20);
  for (const shown of [secret, encodeURIComponent(secret), base64])
    expect(text.toLowerCase()).not.toContain(shown.toLowerCase());
}

test("an agent puts in what the existing service only names, and keeps it to itself", async () => {
  const target = await echoing();
  const folder = path.join(temporaryFolder(), "secrets");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "api"), `${secret}\n`);
  writeFileSync(path.join(folder, "api.hosts"), `http://127.0.0.1:${target.port}\n`);
  const url = (token: string): string => `http://127.0.0.1:${target.port}/a?k=${token}`;
  const common = { method: "GET", periodicity: "1h", timeout: 5_000n, retry: 0n };
  const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
  const service = new ExistingService({
    token: "location-token",
    assigned: {
      region: "office",
      httpMonitors: [
        { id: "1", url: url("{{secret:api}}"), headers, ...common },
        { id: "2", url: url("{{secret:missing}}"), ...common },
      ],
    },
  });
  await using listening = await service.listen();
  const state = temporaryFolder();
  const page = await closedPort();
  const env = {
    PICKET_TOKEN: "location-token",
    PICKET_TOKEN_HEADER: "openstatus-token",
    PICKET_STATE_DIR: state,
    PICKET_SECRETS_DIR: folder,
    PICKET_LISTEN: `127.0.0.1:${page}`,
    PICKET_LOG_LEVEL: "debug",
    SERVICE_API_URL: listening.url,
  };
  const agent = startPicket(["agent"], env);
  const stored = (id: string) => service.stored.filter(({ monitorId }) => monitorId === id);
  await expect.poll(() => [stored("1").length > 0, stored("2").length > 0]).toEqual([true, true]);
  expect(target.tokens[0]).toBe(secret);
  expect(stored("1")[0]).toMatchObject({ requestStatus: "success" });
  expect(stored("2")[0]?.message).toMatch(
    /^This agent has no secret missing: put it where PICKET_SECRETS_DIR says/,
  );
  const pages = await Promise.all(
    ["/", "/status", "/metrics", "/monitors/1"].map(async (one) =>
      (await fetch(`http://127.0.0.1:${page}${one}`)).text(),
    ),
  );
  await agent.stop();
  const results = JSON.stringify(service.stored, (_, value) =>
    typeof value === "bigint" ? String(value) : value,
  );
  expect(results).toContain("[removed]");
  expectNoSecretIn(`${agent.output()}\n${pages.join("\n")}\n${results}\n${filesIn(state)}`);
  const reading = readConfig(env);
  if (!reading.ok) return expect.fail(reading.errors.join());
  const findings = await secretFindings(reading.config);
  const said = findings.map(({ level, says }) => `${level}: ${says}`).join("\n");
  expect(said).toContain(
    `fine: api may go to http://127.0.0.1:${target.port}; 1 monitor names it: monitor 1`,
  );
  expect(said).toContain("failed: missing is not here, and 1 monitor names it: monitor 2");
  expectNoSecretIn(said);
});
