import { once } from "node:events";
import { expect, test } from "vitest";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { keptIn } from "../../support/kept-results.ts";
import { openTwoProcesses } from "./two-processes.ts";

/** A stop that waited for the drain would outlast the test. */
const patient = { PICKET_DRAIN_TIMEOUT: "1h" };
const ok = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");

/** Its next slot is far away: the first check after a start is the only one. */
const shopAt = (port: number): ReturnType<typeof openTwoProcesses> =>
  openTwoProcesses(
    `http_monitors: [{ name: shop, url: "http://127.0.0.1:${port}/", periodicity: 1h, active: true }]`,
    { pollInterval: "1h" },
  );

test.for([
  { what: "was killed", signal: "SIGKILL" },
  { what: "answers nothing", signal: "SIGSTOP" },
] as const)(
  "an agent whose service $what ends without it, keeps what is unsent, and says both",
  async ({ signal }) => {
    const away = Promise.withResolvers<void>();
    // The first check ends once the service is away.
    await using target = await tcpPeer((socket) => void away.promise.then(() => ok(socket)));
    const { service, startTheAgent, state } = await shopAt(target.port);
    const agent = startTheAgent(patient);
    await agent.said(/assignment taken/);
    service.child.kill(signal);
    away.resolve();
    await agent.said(/"message":"checked"/);
    expect(await agent.stop()).toBe(0);
    expect(agent.output()).toContain(
      "stopping: waits for the service, until it takes nothing for 3 s",
    );
    expect(agent.output()).toContain(
      `picket agent stopped: 1 result is kept in ${state} and is sent at the next start`,
    );
    expect(keptIn(state)).toHaveLength(1);
  },
);

test("a stop says that a check is in flight, and a second signal ends it at once", async () => {
  const asked = Promise.withResolvers<void>();
  await using target = await tcpPeer(() => asked.resolve());
  const { startTheAgent } = await shopAt(target.port);
  const agent = startTheAgent(patient);
  await asked.promise;
  agent.child.kill("SIGTERM");
  await agent.said(
    /stopping: waits at most 3600 s for 1 check in flight, then for the service, until it takes nothing for 3 s/,
  );
  agent.child.kill("SIGTERM");
  const [code] = await once(agent.child, "exit");
  expect(code).toBe(1);
});
