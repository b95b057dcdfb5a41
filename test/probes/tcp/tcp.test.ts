import { once } from "node:events";
import { expect, test } from "vitest";
import { noKernelClock, openKernelClock } from "#probes/socket/kernel-clock";
import { probeTcp } from "#probes/tcp/tcp";
import { attempt, contextWith, happened, sumOf } from "../../support/probing.ts";
import { fullListener } from "../../servers/full-listener.ts";
import { closedPort, tcpPeer } from "../../servers/scripted.ts";

test("connects, sends nothing, and closes with FIN", async () => {
  const seen = Promise.withResolvers<{ bytes: number; ended: boolean }>();
  await using peer = await tcpPeer((socket) => {
    let bytes = 0;
    socket.on("data", (chunk: Buffer) => (bytes += chunk.length));
    void once(socket, "end").then(() => seen.resolve({ bytes, ended: true }));
  });
  const outcome = await attempt(probeTcp, { kind: "tcp", host: "127.0.0.1", port: peer.port });
  expect(outcome.failure).toBeNull();
  expect(happened(outcome.phases)).toEqual(["connect"]);
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
  expect(outcome.total).toBeGreaterThan(0);
  expect(await seen.promise).toEqual({ bytes: 0, ended: true });
});

test("a name costs a dns phase, and a closed port is connection_refused", async () => {
  const outcome = await attempt(probeTcp, {
    kind: "tcp",
    host: "localhost",
    port: await closedPort(),
  });
  expect(outcome.failure).toMatchObject({ code: "connection_refused", phase: "connect" });
  expect(outcome.failure?.message).toMatch(/^connection refused \(127\.0\.0\.1:\d+\)$/);
  expect(happened(outcome.phases)).toEqual(["dns", "connect"]);
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
});

test("when no address answers, each is named with how it ended", async () => {
  const port = await closedPort();
  const context = contextWith({ names: { "three.test": ["127.0.0.1", "127.0.0.2", "127.0.0.3"] } });
  const outcome = await attempt(probeTcp, { kind: "tcp", host: "three.test", port }, context);
  expect(outcome.addresses.map(({ ended }) => ended)).toEqual(Array(3).fill("connection_refused"));
  expect(outcome.failure?.message).toMatch(/none of 3 addresses/);
});

test("a listener that accepts no more ends at the deadline, with the address it waited for", async () => {
  await using peer = await fullListener();
  const target = { kind: "tcp", host: "127.0.0.1", port: peer.port } as const;
  const outcome = await attempt(probeTcp, target, contextWith(), 200);
  expect(outcome.failure).toMatchObject({
    code: "connect_timeout",
    phase: "connect",
    message: `Timeout after 200 ms connecting to 127.0.0.1:${peer.port}`,
  });
  expect(outcome.addresses).toMatchObject([{ ended: "connect_timeout" }]);
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
});

test("the connect time is the kernel's if it can be had, else the event's, and says which", async () => {
  await using peer = await tcpPeer(() => {});
  const target = { kind: "tcp", host: "127.0.0.1", port: peer.port } as const;
  const measure = async (context: ReturnType<typeof contextWith>): Promise<string | undefined> =>
    (await attempt(probeTcp, target, context)).addresses[0]?.measuredBy;
  const { available } = openKernelClock();
  expect(await measure(contextWith())).toBe(available ? "kernel" : "event");
  expect(await measure(contextWith({ kernelClock: noKernelClock }))).toBe("event");
});
