import { createSocket } from "node:dgram";
import { once } from "node:events";
import packet from "dns-packet";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { openKernelClock } from "#probes/socket/kernel-clock";
import { Stopwatch } from "#probes/socket/stopwatch";
import { stubResolver } from "#probes/resolve/resolver";
import { lookUpTimed } from "#probes/connection/timed-lookup";
import { openSocketEvidence } from "#probes/socket/socket-evidence";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { openSockets } from "#probes/raw/open-sockets";
import { millis } from "#base/units";
import { reply } from "../../servers/dns-server.ts";
import { contextWith } from "../../support/probing.ts";

const address = { type: "A", name: "shop.test", data: "192.0.2.1" } as const;

test("dns ends when the answer came, however long the thread was then busy with something else", async () => {
  const clock = systemClock;
  const server = createSocket("udp4").bind(0, "127.0.0.1");
  await once(server, "listening");
  let answered = 0;
  server.on("message", (query, { port }) => {
    const answer = reply(packet.decode(query), { answers: [address] });
    server.send(answer, port, "127.0.0.1", () => {
      answered = clock.monotonic();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
    });
  });
  const list = new DescriptorList();
  const opened = await openSockets(clock, openKernelClock(), openSocketEvidence(), list);
  expect(opened.inUse.kind).toBe("raw");
  const { sockets, marker } = opened;
  const nameServers = [{ host: "127.0.0.1", port: server.address().port }];
  const resolver = stubResolver({ clock, nameServers, sockets });
  const context = { ...contextWith(), clock, sockets, marker, resolver, ipFamily: "4" } as const;
  const stopwatch = new Stopwatch(clock, marker);
  using deadline = startDeadline(clock, millis(20_000));
  const begun = clock.monotonic();
  expect(await lookUpTimed("shop.test", { deadline, stopwatch, context })).toMatchObject({
    ok: true,
  });
  server.close();
  stopwatch.enter("connect");
  const connecting = clock.monotonic();
  stopwatch.ownWork(connecting, connecting);
  stopwatch.stop();
  const { phases, own, errorBar } = stopwatch.times;
  expect(phases.dns, "ns").toBeLessThanOrEqual(answered - begun + errorBar);
  expect(own, "ns").toBeGreaterThan(30e6);
});
