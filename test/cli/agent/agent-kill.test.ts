import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/service-way";
import { answers, closedPort, tcpPeer } from "../../servers/scripted.ts";
import { type RunningPicket, startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";

test("an agent that is killed while the service is away loses no result: its next start reports it, under the same name, and the page knows the checks before a restart", async () => {
  await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const folder = temporaryFolder();
  const url = `http://127.0.0.1:${await closedPort()}`;
  const state = path.join(folder, "state");
  const monitors = path.join(folder, "monitors.yaml");
  writeFileSync(
    monitors,
    `http_monitors: [{ name: shop, url: "http://127.0.0.1:${target.port}/", periodicity: 30s, active: true }]`,
  );
  const startTheService = (): RunningPicket =>
    startPicket([
      "service",
      "--database",
      path.join(folder, "service.sqlite"),
      "--listen",
      new URL(url).host,
    ]);
  const service = startTheService();
  const [key = ""] = await service.said(/pkt_key_[\w-]{43}/);
  const apply = startPicket(["apply", "-f", monitors, "--location", "office"], {
    SERVICE_API_URL: url,
    SERVICE_API_KEY: key,
  });
  const [token = ""] = await apply.said(/pkt_loc_[\w-]{43}/);
  await once(apply.child, "exit");
  const startTheAgent = (): RunningPicket =>
    startPicket(["agent"], {
      PICKET_TOKEN: token,
      PICKET_STATE_DIR: state,
      SERVICE_API_URL: url,
      PICKET_LOG_LEVEL: "debug",
      PICKET_POLL_INTERVAL: "1h",
      PICKET_LISTEN: "127.0.0.1:0",
    });

  const agent = startTheAgent();
  await agent.said(/assignment taken/);
  expect(await service.stop()).toBe(0);
  const journal = (): number => statSync(path.join(state, "spool.sqlite-wal")).size;
  const before = journal();
  await agent.said(/"message":"checked"/);
  await expect.poll(journal).toBeGreaterThan(before);
  agent.child.kill("SIGKILL");
  await once(agent.child, "exit");
  const killedAt = Date.now();

  const again = startTheAgent();
  expect((await again.said(/"results waiting":(\d+)/))[1]).toBe("1");
  startTheService();
  const management = connectManagement(url, key, directWay());
  const first = async () => (await management.monitors.summarizeResults({})).monitors[0];
  const reported = async (): Promise<number> => Number((await first())?.total ?? 0n);
  await expect.poll(reported).toBeGreaterThanOrEqual(1);
  const monitorId = (await first())?.monitorId ?? "";
  const { results } = await management.monitors.listResults({ monitorId });
  expect(results.some(({ slot }) => Date.parse(slot) < killedAt)).toBe(true);
  await again.said(/"message":"checked"/);
  expect(await again.stop()).toBe(0);

  const third = startTheAgent();
  const [, page = ""] = await third.said(/"url\.full":"([^"]+)"/);
  await third.said(/assignment read from disk/);
  const status = await (await fetch(`${page}/status`)).text();
  const [, slot = ""] = /"recent":\[\{"slot":"([^"]+)","status":"success"/.exec(status) ?? [];
  const [, startedAt = ""] = /"started_at":"([^"]+)"/.exec(status) ?? [];
  expect(Date.parse(slot)).toBeLessThan(Date.parse(startedAt));
  expect(await third.stop()).toBe(0);
  const name = /"service\.instance\.id":"([^"]+)"/;
  expect(name.exec(agent.output())?.[1]).toMatch(/^[0-9a-f-]{36}$/);
  expect(name.exec(again.output())?.[1]).toBe(name.exec(agent.output())?.[1]);
});
