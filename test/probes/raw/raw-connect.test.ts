import type { Duplex } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { loopMarker, type Mark, threadTimes } from "#probes/socket/marker";
import type { BareLine } from "#probes/socket/line";
import type { MeasuredMark } from "#probes/socket/sockets";
import { noSocketEvidence } from "#probes/socket/socket-evidence";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { inProgress, openKernelCalls } from "#probes/raw/kernel-calls";
import { connectRaw } from "#probes/raw/raw-connect";
import { RawLoop } from "#probes/raw/raw-loop";
import { bytes, nanos, type Nanos } from "#base/units";
import { tcpPeer } from "../../servers/scripted.ts";

/** What is told of a connection whose SYN was answered 60 µs after it left, within a call that took so long. */
async function connectedWithin(call: Nanos): Promise<{
  readonly syns: readonly Mark[];
  readonly connected: MeasuredMark;
  readonly watched: readonly number[];
}> {
  let now = 0;
  const clock = { ...systemClock, monotonic: () => nanos(now) };
  const watched: number[] = [];
  const calls = openKernelCalls();
  const loop = new RawLoop(
    {
      ...calls,
      connect: () => {
        now += call;
        return inProgress;
      },
      handshake: () => nanos(60_000),
      watch: (set, descriptor, id) => {
        watched.push(descriptor);
        return calls.watch(set, descriptor, id);
      },
    },
    clock,
    threadTimes(),
    new DescriptorList(),
  );
  onTestFinished(() => loop.end());
  const syns: Mark[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<MeasuredMark>();
  connectRaw(
    "127.0.0.1",
    9,
    {
      onSyn: (mark) => syns.push(mark),
      onConnected: (line, connected) => {
        line.destroy();
        resolve(connected);
      },
      onFailed: reject,
      onOwnWork: () => {},
    },
    { loop, marker: loopMarker(clock, loop), evidence: noSocketEvidence, tls: null },
  );
  expect(syns).toEqual([]);
  return { connected: await promise, syns, watched };
}

test("a SYN-ACK that came before the call returned is known at once: the SYN lies as far before it as it took", async () => {
  const { syns, connected, watched } = await connectedWithin(nanos(100_000));
  expect(connected).toEqual({
    mark: { at: 80_000, errorBar: 20_000 },
    measuredBy: "kernel",
  });
  expect(syns).toEqual([{ at: 20_000, errorBar: 20_000 }]);
  // What is neither written nor read need not be waited for.
  expect(watched).toEqual([]);
});

test("a SYN of a call that took no longer than usual lies in the middle of it, which is off by the least at most", async () => {
  const { syns } = await connectedWithin(nanos(140_000));
  expect(syns).toEqual([{ at: 40_000, errorBar: 40_000 }]);
});

test("a thread that lost its processor in the call does not know when the SYN left, and knows how long its answer took", async () => {
  const { syns, connected } = await connectedWithin(nanos(4_060_000));
  const [syn] = syns;
  // The peer that it woke took the processor: so the SYN lies near the beginning, if not for certain.
  expect(syn).toEqual({ at: 20_000, errorBar: 3_980_000, shift: { errorBar: 3_880_000 } });
  expect(connected.mark).toEqual({ ...syn, at: 80_000 });
  expect(connected.mark.shift).toBe(syn?.shift);
});

test("a stream that was left ends by its peer's reset, and not the thread", async () => {
  await using peer = await tcpPeer((socket) => void socket.resetAndDestroy());
  const loop = new RawLoop(openKernelCalls(), systemClock, threadTimes(), new DescriptorList());
  onTestFinished(() => loop.end());
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  connectRaw(
    "127.0.0.1",
    peer.port,
    {
      onSyn: () => {},
      onConnected: (line) => resolve(line.stream()),
      onFailed: reject,
      onOwnWork: () => {},
    },
    { loop, marker: loopMarker(systemClock, loop), evidence: noSocketEvidence, tls: null },
  );
  const stream = await promise;
  const closed = Promise.withResolvers<void>();
  stream.once("close", closed.resolve);
  await closed.promise;
  expect(stream.errored).toMatchObject({ code: "ECONNRESET" });
});

test("data from before a stream is listened to has the kernel's stamp; a stream that is only opened and ended asks for none", async () => {
  let greeted = 0;
  const written = Promise.withResolvers<void>();
  await using peer = await tcpPeer((socket) => {
    socket.write("hello", () => {
      greeted += 1;
      if (greeted === 2) written.resolve();
    });
  });
  const options: string[] = [];
  const calls = openKernelCalls();
  const loop = new RawLoop(
    {
      ...calls,
      stamp: (descriptor) => {
        options.push("stamps");
        calls.stamp(descriptor);
      },
      sendAtOnce: (descriptor) => {
        options.push("at once");
        calls.sendAtOnce(descriptor);
      },
    },
    systemClock,
    threadTimes(),
    new DescriptorList(),
  );
  onTestFinished(() => loop.end());
  const connected = (): Promise<BareLine> =>
    new Promise((resolve, reject) => {
      const listener = {
        onSyn: () => {},
        onConnected: resolve,
        onFailed: reject,
        onOwnWork: () => {},
      };
      const marker = loopMarker(systemClock, loop);
      connectRaw("127.0.0.1", peer.port, listener, {
        loop,
        marker,
        evidence: noSocketEvidence,
        tls: null,
      });
    });
  (await connected()).finish();
  expect(options).toEqual([]);

  const line = await connected();
  await written.promise;
  const listening = loop.now();
  const came = Promise.withResolvers<Mark>();
  line.listen(bytes(64), {
    onSent: () => {},
    onBytes: (_bytes, mark) => came.resolve(mark),
    onEnd: () => {},
    onError: came.reject,
  });
  const { at } = await came.promise;
  line.destroy();
  expect(loop.unplaced, "stamps that were missed").toBe(0);
  expect(at, "ns, and the listening began then").toBeLessThan(listening);
  expect(options).toEqual(["stamps"]);
});
