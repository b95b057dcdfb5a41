import type net from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { runHealth } from "#cli/health/health-command";
import { systemClock } from "#base/clock";
import * as checkLimits from "#limits/check-limits";
import * as pagesLimits from "#limits/pages-limits";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { millis } from "#base/units";
import { answers, closedPort, tcpPeer } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { captureIo } from "../../support/captured-io.ts";
import { endpointScene, stuckScene } from "../../support/endpoint-scene.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

async function health(listen: string, service?: string) {
  const io = captureIo({
    PICKET_LISTEN: listen,
    ...(service === undefined ? {} : { PICKET_SERVICE_LISTEN: service }),
  });
  const code = await runHealth(service === undefined ? ["agent"] : [], io);
  return { code, stdout: io.written.stdout(), stderr: io.written.stderr() };
}

describe("picket health", () => {
  test("exits with 0 and one line when the agent lives, also if it listens on every address", async () => {
    for (const host of ["127.0.0.1", "0.0.0.0", "::1", "::"]) {
      const { endpoint } = await endpointScene({ listen: { host, port: 0 } });
      const at = endpoint.url.replace("http://", "");
      expect([host, await health(at)]).toEqual([host, { code: 0, stdout: "live\n", stderr: "" }]);
    }
  });

  test("exits with 1 and the reason when it does not", async () => {
    const { endpoint } = await stuckScene(millis(pagesLimits.probesStuckMax * 2));
    const { code, stdout, stderr } = await health(new URL(endpoint.url).host);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^not live: a probe thread has made no progress for 60 s: [^\n]+\n$/);
  });

  test("says that nothing listens, that PICKET_LISTEN is off, and what it should be", async () => {
    const port = await closedPort();
    expect(await health(`127.0.0.1:${port}`)).toEqual({
      code: 1,
      stdout: "",
      stderr: `the agent at 127.0.0.1:${port} cannot be asked (ECONNREFUSED); set PICKET_LISTEN if it listens elsewhere\n`,
    });
    expect(await health("off")).toEqual({
      code: 1,
      stdout: "",
      stderr: "PICKET_LISTEN is off: the agent cannot be asked\n",
    });
    expect((await health("8686")).stderr).toBe(
      "PICKET_LISTEN must be HOST:PORT, e.g. 127.0.0.1:8686 or [::1]:8686, or off\n",
    );
  });

  test("ends in time, whoever listens there", async () => {
    await using silent = await tcpPeer(() => {});
    expect((await health(`127.0.0.1:${silent.port}`)).stderr).toBe(
      `the agent at 127.0.0.1:${silent.port} does not answer in time\n`,
    );
    await using endless = await tcpPeer((socket: net.Socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const more = (error?: Error | null): void => {
        if (!error) socket.write("x".repeat(100_000), more);
      };
      more();
    });
    const { code, stdout } = await health(`127.0.0.1:${endless.port}`);
    expect([code, stdout.length]).toEqual([0, checkLimits.messageCharsMax + 1]);
    await using other = await tcpPeer(
      answers("HTTP/1.1 404 Not Found\r\nContent-Length: 3\r\n\r\n\x1b[2"),
    );
    expect(await health(`127.0.0.1:${other.port}`)).toMatchObject({ code: 1, stdout: "" });
  });
});

test("without a word, picket health asks what runs: one at least, and all of what does", async () => {
  const { endpoint } = await endpointScene();
  const agent = new URL(endpoint.url).host;
  await using running = await runningService();
  const service = `127.0.0.1:${running.port}`;
  const nobody = `127.0.0.1:${await closedPort()}`;
  const well = "the service is healthy\n";
  expect(await health(agent, service)).toEqual({ code: 0, stdout: `live\n${well}`, stderr: "" });
  expect(await health(nobody, service)).toEqual({ code: 0, stdout: well, stderr: "" });
  expect(await health("off", service)).toEqual({ code: 0, stdout: well, stderr: "" });
  expect(await health(agent, nobody)).toEqual({ code: 0, stdout: "live\n", stderr: "" });
  expect(await health(nobody, nobody)).toEqual({
    code: 1,
    stdout: "",
    stderr: `the agent at ${nobody} cannot be asked (ECONNREFUSED); set PICKET_LISTEN if it listens elsewhere\nthe service at ${nobody} cannot be asked (ECONNREFUSED); set PICKET_SERVICE_LISTEN if it listens elsewhere\n`,
  });
  await using sick = await tcpPeer(
    answers('HTTP/1.1 503 X\r\nContent-Length: 34\r\n\r\n{"code":"x","message":"disk full"}'),
  );
  expect(await health(agent, `127.0.0.1:${sick.port}`)).toMatchObject({
    code: 1,
    stdout: "live\n",
    stderr: expect.stringMatching(/^the service is unhealthy: disk full/),
  });
});

test("picket health asks a service that speaks TLS, whatever its certificate is called", async () => {
  const { cert, key } = await (await Authority.create()).issue({ altNames: ["other.test"] });
  await using service = await startService({
    database: path.join(temporaryFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLogger,
    identity: { certificate: cert, key },
  });
  const nobody = `127.0.0.1:${await closedPort()}`;
  expect(await health(nobody, `127.0.0.1:${service.port}`)).toMatchObject({ code: 0 });
});
