import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type Clock, systemClock } from "#base/clock";
import { loopMarker, type Mark, threadTimes } from "#probes/socket/marker";
import { noSocketEvidence } from "#probes/socket/socket-evidence";
import type { Segments } from "#probes/raw/arena";
import { DescriptorList } from "#probes/raw/descriptor-list";
import { type KernelCalls, openKernelCalls } from "#probes/raw/kernel-calls";
import { RawConnection } from "#probes/raw/raw-connection";
import { RawLoop } from "#probes/raw/raw-loop";
import { RawWitness } from "#probes/raw/raw-witness";
import { bytes, nanos, type Nanos } from "#base/units";
import { listenLocally } from "../../servers/listen-locally.ts";

/** What was read at once, and when it came. */
interface Read {
  readonly length: number;
  readonly mark: Mark;
}

const readable = 1;
const peerHangUp = 0x2000;

/** The first byte of a message says how long it is, in hundreds. */
const lengthOf = (message: Uint8Array): number => (message[0] ?? 0) * 100;

const messageOf = (hundreds: number): Buffer =>
  Buffer.concat([Buffer.of(hundreds), Buffer.alloc(hundreds * 100 - 1)]);

function loopWith(calls: KernelCalls, clock: Clock): RawLoop {
  const loop = new RawLoop(calls, clock, threadTimes(), new DescriptorList());
  onTestFinished(() => loop.end());
  return loop;
}

/** A connection that was there at `connected`. */
function connectionOf(
  loop: RawLoop,
  clock: Clock,
  descriptor: number,
  connected: Nanos,
): RawConnection {
  return new RawConnection({
    loop,
    marker: loopMarker(clock, loop),
    descriptor,
    watchId: 0,
    where: "127.0.0.1",
    connected: { at: connected, errorBar: nanos(0) },
    witness: new RawWitness("127.0.0.1", noSocketEvidence),
    onOwnWork: () => {},
  });
}

/** A packet as the kernel keeps it: its messages, in hundreds of bytes, and its stamp. */
interface Kept {
  readonly messages: readonly number[];
  readonly stamp: number;
}

/**
 * What is read of packets that came while the thread did something else, from 100,000 ns to 900,000. The last is answered, in
 * vain, where `onError` is given.
 */
function readOf(
  kept: readonly Kept[],
  came: Partial<Segments>,
  events = readable,
  onError: ((error: Error) => void) | null = null,
): readonly Read[] {
  let now = 100_000;
  let gone = 0;
  let stamp = 0;
  const clock = { ...systemClock, monotonic: () => nanos(now) };
  const whole = Buffer.concat(kept.flatMap(({ messages }) => messages.map(messageOf)));
  const real = openKernelCalls();
  const take = (max: number): number => {
    const taken = whole.copy(real.inbox, 0, gone, gone + max);
    let end = 0;
    for (const one of kept) {
      if (end < gone + taken) ({ stamp } = one);
      end += one.messages.reduce((sum, hundreds) => sum + hundreds * 100, 0);
    }
    return taken;
  };
  const calls: KernelCalls = {
    ...real,
    wall: () => nanos(now),
    peek: (_descriptor, max) => take(max),
    receive: (_descriptor, max) => {
      const taken = take(max);
      gone += taken;
      return taken === 0 ? -11 : taken;
    },
    arrivedAt: () => nanos(stamp),
    segments: () => ({ withData: 1, longest: 0, ...came, isOver: events !== readable }),
  };
  const loop = loopWith(calls, clock);
  const descriptor = loop.open("127.0.0.1", "stream");
  const connection = connectionOf(loop, clock, descriptor, nanos(100_000));
  const reads: Read[] = [];
  const listener = {
    onSent: () => {},
    onBytes: ({ length }: Uint8Array, mark: Mark) => {
      reads.push({ length, mark });
      if (onError !== null && length === 900) connection.write(Buffer.from("thanks"));
    },
    onEnd: () => {},
    onError: (error: Error) => {
      connection.close();
      onError?.(error);
    },
  };
  connection.listen(bytes(10_000), listener, lengthOf);
  now = 900_000;
  connection.onChange(events);
  if (onError === null) connection.close();
  return reads;
}

const tickets = { messages: [2, 2], stamp: 300_000 };
const answer = { messages: [9], stamp: 700_000 };

test.each([
  ["was not joined has its own stamp", [tickets, answer], 2, [0, 0]],
  ["may have been joined came after what is before it", [tickets, answer], 3, [200_000, 400_000]],
])("what %s", (_name, kept, segments, errorBars) => {
  expect(readOf(kept, { withData: segments })).toEqual([
    { length: 400, mark: { at: 300_000, errorBar: errorBars[0] } },
    { length: 900, mark: { at: 700_000, errorBar: errorBars[1] } },
  ]);
});

test("the peer's end may be joined with the last data, and with nothing before it", () => {
  const [first, last] = readOf([tickets, answer], { withData: 2 }, readable | peerHangUp);
  expect([first?.mark.errorBar, last?.mark.errorBar]).toEqual([0, 400_000]);
});

test.each([
  ["was joined as a whole", [{ messages: [2, 2, 9], stamp: 700_000 }], 2],
  ["is one packet", [{ messages: [9], stamp: 700_000 }], 1],
])("what %s is read at once", (_name, kept, segments) => {
  const [read, ...more] = readOf(kept, { withData: segments });
  const errorBar = segments === 1 ? 0 : 600_000;
  expect([read?.mark, more]).toEqual([{ at: 700_000, errorBar }, []]);
});

const joined = { messages: [2, 9], stamp: 700_000 };

test.each([
  ["a packet of its length came", 3, [200, 200, 900], [0, 400_000, 0]],
  ["one of the packets came twice", 4, [200, 200, 900], [0, 400_000, 0]],
])(
  "the last of joined messages has their stamp where %s",
  (_name, withData, lengths, errorBars) => {
    const reads = readOf([{ messages: [2], stamp: 300_000 }, joined], { withData, longest: 900 });
    expect(reads.map(({ length }) => length)).toEqual(lengths);
    expect(reads.map(({ mark }) => mark.errorBar)).toEqual(errorBars);
  },
);

test("the last of what was joined as a whole has the stamp, if no packet can have cut it", () => {
  const [before, last] = readOf([{ messages: [2, 2, 9], stamp: 700_000 }], {
    withData: 3,
    longest: 1_300,
  });
  expect([before?.length, before?.mark.errorBar]).toEqual([400, 600_000]);
  expect([last?.length, last?.mark.errorBar]).toEqual([900, 0]);
});

test("what a full packet may have cut came after what is before it", () => {
  const reads = readOf([{ messages: [2], stamp: 300_000 }, joined], {
    withData: 3,
    longest: 1_000,
  });
  expect(reads.map(({ length, mark }) => [length, mark.errorBar])).toEqual([
    [200, 0],
    [1_100, 400_000],
  ]);
});

test("an error in writing is reported, also if the last data is answered", async () => {
  const error = await new Promise((resolve) => {
    readOf([tickets, answer], { withData: 2 }, readable, resolve);
  });
  expect(error).toMatchObject({ code: "EPIPE" });
});

/** Sends it within this instant and that, and keeps the thread from looking for a while. */
function sendApart(peer: Socket, message: Buffer): { readonly from: Nanos; readonly to: Nanos } {
  peer.setNoDelay();
  const from = systemClock.monotonic();
  peer.write(message);
  const to = systemClock.monotonic();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3);
  return { from, to };
}

test("two messages of a real peer came when their error bars say, though they are read long after", async () => {
  const server = createServer();
  const port = await listenLocally(server);
  const clock = systemClock;
  const loop = loopWith(openKernelCalls(), clock);
  const descriptor = loop.open("127.0.0.1", "stream");
  const accepted = once(server, "connection");
  loop.calls.connect(descriptor, "127.0.0.1", port);
  const connected = loop.now();
  const [peer]: Socket[] = await accepted;
  if (peer === undefined) throw new Error("no peer");
  const connection = connectionOf(loop, clock, descriptor, connected);
  const reads: Read[] = [];
  const over = Promise.withResolvers<void>();
  let left = 1_100;
  connection.listen(
    bytes(10_000),
    {
      onSent: () => {},
      onBytes: ({ length }, mark) => {
        reads.push({ length, mark });
        if ((left -= length) === 0) over.resolve();
      },
      onEnd: () => {},
      onError: over.reject,
    },
    lengthOf,
  );
  const sent = [2, 9].map((hundreds) => sendApart(peer, messageOf(hundreds)));
  await over.promise;
  connection.close();
  peer.destroy();
  server.close();
  const held = [reads[0], reads.at(-1)].map((read, index) => {
    const { at = 0, errorBar = 0 } = read?.mark ?? {};
    return at >= (sent[index]?.from ?? 0) && at - errorBar <= (sent[index]?.to ?? 0);
  });
  expect(held).toEqual([true, true]);
  const last = reads.at(-1);
  expect(last?.length).toBe(900);
  // However the kernel joined the two: the last one did not come before it was sent.
  expect(last?.mark.errorBar, "ns").toBeLessThan((sent[1]?.from ?? 0) - (sent[0]?.to ?? 0));
});
