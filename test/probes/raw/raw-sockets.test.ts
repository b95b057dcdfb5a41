import { spawnSync } from "node:child_process";
import path from "node:path";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type Clock, systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import * as limits from "#limits/probes-limits";
import { probeHttp } from "#probes/http/http";
import type { HttpOutcome } from "#check/outcome";
import { probeTcp } from "#probes/tcp/tcp";
import { noKernelClock, openKernelClock } from "#probes/socket/kernel-clock";
import { noSocketEvidence } from "#probes/socket/socket-evidence";
import { closeLeft, DescriptorList, descriptorMemory } from "#probes/raw/descriptor-list";
import { openSockets } from "#probes/raw/open-sockets";
import { millis } from "#base/units";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { attempt, contextWith, httpTarget } from "../../support/probing.ts";
import { socketCount } from "../../support/socket-count.ts";
import { expectTimingContract, told } from "../../support/timing-contract.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

/** Beside the suite of all probes, which vitest.config.ts runs over raw sockets too. */

const opened = await openSockets(
  systemClock,
  openKernelClock(),
  noSocketEvidence,
  new DescriptorList(),
);
const { sockets, marker } = opened;
const raw = (): ReturnType<typeof contextWith> => contextWith({ sockets, marker });

test("raw sockets pass their test on this machine", () => {
  expect(opened.inUse).toEqual({ kind: "raw", noOwnTls: null });
});

test("pass it also in a thread that is kept from running for longer than the test may take", async () => {
  const clock: Clock = {
    wall: () => systemClock.wall(),
    monotonic: () => systemClock.monotonic(),
    sleep: (duration, signal) => systemClock.sleep(millis(duration / 4), signal),
  };
  const opening = openSockets(clock, openKernelClock(), noSocketEvidence, new DescriptorList());
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, limits.rawSelfTestMax / 3);
  const starved = await opening;
  starved.close();
  expect(starved.inUse).toEqual({ kind: "raw", noOwnTls: null });
});

test("an attempt knows our own work: it and the phases sum to the total, to the nanosecond", async () => {
  await using peer = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const outcome = await attempt(probeHttp, httpTarget(`http://127.0.0.1:${peer.port}/`), raw());
  expectTimingContract(outcome);
  expect(outcome.failure).toBeNull();
  // From the SYN-ACK to the request: it is all of what a short request would have as its writing.
  expect(outcome.own).toBeGreaterThan(0);
  expect(outcome.phases.write).toBe(0);
  const tcp = await attempt(probeTcp, { kind: "tcp", host: "127.0.0.1", port: peer.port }, raw());
  expect(tcp).toMatchObject({ own: 0, addresses: [{ measuredBy: "kernel" }] });
});

test("the runtime's sockets do not know it", async () => {
  await using peer = await tcpPeer(() => {});
  const context = contextWith({ kernelClock: openKernelClock() });
  const outcome = await attempt(
    probeTcp,
    { kind: "tcp", host: "127.0.0.1", port: peer.port },
    context,
  );
  expect(outcome.own).toBeNull();
});

test("1,000 checks leave no descriptor behind", async () => {
  await using peer = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const context = raw();
  const before = socketCount();
  for (let round = 0; round < 20; round += 1) {
    const url = `http://127.0.0.1:${peer.port}/`;
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => attempt(probeHttp, httpTarget(url), context)),
    );
    expect(outcomes.filter(({ failure }) => failure !== null)).toEqual([]);
  }
  // The peer hears of the last ends in a later turn.
  while (socketCount() > before) await turn();
});

test("5,000 peers that hang end with their deadline, all at once, and other checks run next to them", async () => {
  const peers: Socket[] = [];
  const server = createServer((socket) => peers.push(socket.on("error", () => {})));
  const port = await listenLocally(server, 5_000);
  await using quick = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const context = raw();
  const before = socketCount();
  const giveUp = new AbortController();
  const hang = async (): Promise<HttpOutcome> => {
    using deadline = startDeadline(systemClock, millis(60_000), giveUp.signal);
    return await probeHttp(httpTarget(`http://127.0.0.1:${port}/`), deadline, context);
  };
  const hanging: Promise<HttpOutcome>[] = [];
  // Fewer at once than the kernel lets wait for a server that shares its thread with them.
  while (hanging.length < 5_000) {
    hanging.push(...Array.from({ length: 100 }, hang));
    while (peers.length < hanging.length) await turn();
  }
  const beside = await attempt(probeHttp, httpTarget(`http://127.0.0.1:${quick.port}/`), context);
  expect(beside.failure).toBeNull();
  giveUp.abort();
  const outcomes = await Promise.all(hanging);
  expect(new Set(outcomes.map(told))).toEqual(new Set(["cancelled in agent"]));
  for (const peer of peers) peer.destroy();
  server.close();
  await once(server, "close");
  while (socketCount() > before) await turn();
});

test("what a thread left open is closed from outside, once, and nothing else is", async () => {
  const memory = descriptorMemory();
  const before = socketCount();
  const another = await openSockets(
    systemClock,
    noKernelClock,
    noSocketEvidence,
    new DescriptorList(memory),
  );
  expect(another.inUse.kind).toBe("raw");
  expect(closeLeft(memory)).toBe(2);
  // The test's own peers end in a later turn.
  while (socketCount() > before) await turn();
  expect(closeLeft(memory)).toBe(0);
});

/** What a process that is started with these flags opens, and how many descriptors it leaves. */
function openedWith(...flags: readonly string[]): unknown {
  const from = (file: string): string => JSON.stringify(path.resolve("src/probes", file));
  const script = `
    import { systemClock } from ${JSON.stringify(path.resolve("src/base/clock.ts"))};
    import { openKernelClock } from ${from("socket/kernel-clock.ts")};
    import { noSocketEvidence } from ${from("socket/socket-evidence.ts")};
    import { DescriptorList } from ${from("raw/descriptor-list.ts")};
    import { openSockets } from ${from("raw/open-sockets.ts")};
    const list = new DescriptorList();
    const opened = await openSockets(systemClock, openKernelClock(), noSocketEvidence, list);
    opened.close();
    console.log(JSON.stringify({ ...opened.inUse, left: list.size }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  return stdout === "" ? stderr : JSON.parse(stdout);
}

test("if ffi is switched off or not permitted the runtime's sockets are used, which says why, and a process ends by itself", () => {
  expect(openedWith()).toEqual({ kind: "raw", noOwnTls: null, left: 0 });
  const off = "this Node.js has no node:ffi, or it is switched off";
  expect(openedWith("--no-experimental-ffi")).toEqual({ kind: "runtime", why: off, left: 0 });
  const denied = openedWith("--permission", "--allow-fs-read=*", "--allow-net");
  const why = expect.stringContaining("Access to this API has been restricted");
  expect(denied).toEqual({ kind: "runtime", why, left: 0 });
});
