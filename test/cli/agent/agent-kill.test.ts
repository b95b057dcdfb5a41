import { once } from "node:events";
import { expect, test } from "vitest";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { keptIn } from "../../support/kept-results.ts";
import { openTwoProcesses } from "./two-processes.ts";

test("an agent that is killed while the service is away loses no result: its next start reports it, under the same name, and the page knows the checks before a restart", async () => {
  const answer = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  const away = Promise.withResolvers<void>();
  // The first check ends once the service is away.
  await using target = await tcpPeer((socket) => void away.promise.then(() => answer(socket)));
  const { management, service, startTheAgent, startTheService, state } = await openTwoProcesses(
    `http_monitors: [{ name: shop, url: "http://127.0.0.1:${target.port}/", periodicity: 30s, active: true }]`,
    { pollInterval: "1h" },
  );

  const agent = startTheAgent();
  await agent.said(/assignment taken/);
  expect(await service.stop()).toBe(0);
  away.resolve();
  await agent.said(/"message":"checked"/);
  await expect.poll(() => keptIn(state)).not.toEqual([]);
  agent.child.kill("SIGKILL");
  await once(agent.child, "exit");
  const killedAt = Date.now();

  const again = startTheAgent();
  expect((await again.said(/"results waiting":(\d+)/))[1]).toMatch(/^[1-9]/);
  startTheService();
  const slots = async (): Promise<readonly number[]> => {
    const { monitors } = await management.monitors.summarizeResults({});
    const monitorId = monitors[0]?.monitorId ?? "";
    const { results } = await management.monitors.listResults({ monitorId });
    return results.map(({ slot }) => Date.parse(slot));
  };
  await expect.poll(async () => Math.min(...(await slots()))).toBeLessThan(killedAt);
  await again.said(/"message":"checked"/);
  expect(await again.stop()).toBe(0);

  const third = startTheAgent();
  const [, page = ""] = await third.said(/"url\.full":"([^"]+)"/);
  await third.said(/assignment read from disk/);
  const status = await (await fetch(`${page}/status`)).text();
  // The newest may be of this life already.
  const recent = status.matchAll(/"slot":"([^"]+)","status":"success"/g);
  const oldest = Math.min(...[...recent].map(([, slot = ""]) => Date.parse(slot)));
  const [, startedAt = ""] = /"started_at":"([^"]+)"/.exec(status) ?? [];
  expect(oldest).toBeLessThan(Date.parse(startedAt));
  expect(await third.stop()).toBe(0);
  const name = /"service\.instance\.id":"([^"]+)"/;
  expect(name.exec(agent.output())?.[1]).toMatch(/^[0-9a-f-]{36}$/);
  expect(name.exec(again.output())?.[1]).toBe(name.exec(agent.output())?.[1]);
});
