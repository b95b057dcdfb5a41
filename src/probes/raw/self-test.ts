import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import type { Clock } from "#base/clock";
import { type Deadline, startDeadline } from "#base/deadline";
import * as limits from "#limits/probes-limits";
import { peerClock } from "#base/peer-clock";
import type { Mark } from "#probes/socket/marker";
import type { MeasuredMark, Sockets } from "#probes/socket/sockets";

/** The instants of one message and its echo, in the order that they must have. */
interface EchoInstants {
  readonly connected: MeasuredMark;
  readonly left: Mark;
  readonly arrived: Mark;
}

/**
 * The same, tried again if it fails: a stamp that came late on a busy machine is no reason to do without raw sockets for as
 * long as the thread lives, and a ping has no other way.
 */
export async function failsEverySelfTest(
  sockets: Sockets,
  clock: Clock,
  unplaced: () => number,
): Promise<string | null> {
  let why: string | null = null;
  const never = new AbortController().signal;
  for (let test = 0; test < limits.rawSelfTestsMax; test += 1) {
    if (test > 0) await peerClock(clock).sleep(limits.rawSelfTestPause, never);
    const before = unplaced();
    why = await failsSelfTest(sockets, clock, () => unplaced() - before);
    if (why === null) return null;
  }
  return why;
}

/**
 * Whether raw sockets do here what they must: a message and its echo over TCP and over UDP on loopback, with every
 * instant from the kernel. Gives null if they do, or else what they do not. `unplaced` counts the stamps that were
 * missed.
 */
async function failsSelfTest(
  sockets: Sockets,
  clock: Clock,
  unplaced: () => number,
): Promise<string | null> {
  using deadline = startDeadline(peerClock(clock), limits.rawSelfTestMax);
  const before = clock.monotonic();
  for (const [name, echo] of Object.entries({ TCP: overTcp, UDP: overUdp })) {
    const about = `in their test, a message over ${name} on this machine's loopback`;
    try {
      const { connected, left, arrived } = await echo(sockets, deadline);
      if (unplaced() > 0 || connected.measuredBy !== "kernel")
        return `${about} had no timestamps of the kernel`;
      if (!isOrdered([before, connected.mark.at, left.at, arrived.at, clock.monotonic()]))
        return `${about} had timestamps of the kernel that cannot be right`;
    } catch (error) {
      const { message } = Error.isError(error) ? error : { message: String(error) };
      return `${about} got no echo: ${message}`;
    }
  }
  return null;
}

/** Each is exact to some microseconds, and two can be nearer to each other. */
const isOrdered = (instants: readonly number[]): boolean =>
  instants.every((at, index) => at >= (instants[index - 1] ?? at) - orderTolerance);
const orderTolerance = 100_000;

const message = Buffer.from("picket");

async function overTcp(sockets: Sockets, deadline: Deadline): Promise<EchoInstants> {
  await using peers = new AsyncDisposableStack();
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.pipe(socket);
  });
  peers.defer(() => void server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening", { signal: deadline.signal });
  const address = server.address();
  const port = address === null || typeof address === "string" ? 0 : address.port;
  return await untilEnd(deadline, (seen, failed, ended) => {
    const attempt = sockets.connect("127.0.0.1", port, {
      onSyn: () => {},
      onOwnWork: () => {},
      onFailed: failed,
      onConnected: (line, connected) => {
        let left: Mark | null = null;
        ended(() => line.destroy());
        const connection = line.listen(limits.http1TurnBytesMax, {
          onSent: (mark) => (left = mark),
          onBytes: (bytes, arrived) => {
            if (left !== null && message.equals(bytes)) seen({ connected, left, arrived });
            else failed(new Error("another message came"));
          },
          onEnd: () => failed(new Error("the connection ended")),
          onError: failed,
        });
        connection.write(message);
      },
    });
    ended(() => attempt.abandon());
  });
}

async function overUdp(sockets: Sockets, deadline: Deadline): Promise<EchoInstants> {
  await using peers = new AsyncDisposableStack();
  const server = createSocket("udp4");
  server.on("message", (bytes, { port, address }) => server.send(bytes, port, address));
  peers.defer(() => void server.close());
  server.bind(0, "127.0.0.1");
  await once(server, "listening", { signal: deadline.signal });
  return await untilEnd(deadline, (seen, failed, ended) => {
    let left: Mark | null = null;
    const socket = sockets.datagrams("127.0.0.1", server.address().port, {
      onReady: () => message,
      onSending: (mark) => (left = mark),
      onSent: () => {},
      onMessage: (bytes, arrived) => {
        const came = arrived();
        if (left !== null && message.equals(bytes))
          seen({
            connected: { mark: left, measuredBy: came.measuredBy },
            left,
            arrived: came.mark,
          });
        else failed(new Error("another message came"));
      },
      onFailed: failed,
    });
    ended(() => socket.close());
  });
}

/** What `work` sees, or the error; whatever it registers is called at the end. */
async function untilEnd(
  { signal }: Deadline,
  work: (
    seen: (seen: EchoInstants) => void,
    failed: (error: Error) => void,
    ended: (end: () => void) => void,
  ) => void,
): Promise<EchoInstants> {
  const { promise, resolve, reject } = Promise.withResolvers<EchoInstants>();
  const ends: (() => void)[] = [];
  signal.addEventListener("abort", () => reject(new Error("no answer in time")), { once: true });
  work(resolve, reject, (end) => ends.push(end));
  try {
    return await promise;
  } finally {
    for (const end of ends) end();
  }
}
