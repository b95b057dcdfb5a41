import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { millis, nanos, type Nanos } from "#base/units";
import { EchoRound } from "#probes/icmp/echo-round";
import { roundFailure } from "#probes/icmp/icmp-failure";
import type { EchoListener, EchoReply } from "#probes/socket/sockets";
import { contextWith } from "../../support/probing.ts";

/** What counts of what a socket reports about one round of echoes; the socket here is a script. */

const target = { kind: "icmp", host: "10.0.0.1", packets: 2, interval: millis(1) } as const;

/** Runs a round of two requests; `script` gets the socket's listener once both were sent, which a busy machine has time for. */
async function round(
  script: (listener: EchoListener, now: () => Nanos) => void,
  timeout = millis(500),
): Promise<{ readonly seen: EchoRound; readonly failed: string | null }> {
  const context = contextWith();
  const now = (): Nanos => systemClock.monotonic();
  let sent = 0;
  const sockets = {
    ...context.sockets,
    echoes: (_address: string, listener: EchoListener) => {
      queueMicrotask(() => listener.onReady());
      return {
        source: "10.0.0.2",
        read: () => {},
        close: () => {},
        send: () => {
          sent += 1;
          if (sent === target.packets) queueMicrotask(() => script(listener, now));
          return { at: now(), errorBar: nanos(0) };
        },
      };
    },
  };
  using deadline = startDeadline(systemClock, timeout);
  const seen = new EchoRound("10.0.0.1", target, deadline, {
    ...context,
    clock: systemClock,
    sockets,
  });
  await seen.run();
  return { seen, failed: roundFailure(seen, deadline)?.message ?? null };
}

const reply = (request: number, at: Nanos): EchoReply => ({
  request,
  roundTrip: nanos(80_000),
  errorBar: nanos(0),
  came: { at, errorBar: nanos(0) },
  hopLimit: 64,
});

const trips = ({ echoes }: EchoRound) => echoes.map(({ roundTrip }) => roundTrip);

test("a reply that comes later than the timeout is lost, however soon it is read", async () => {
  const { seen, failed } = await round((listener, now) => {
    listener.onReply(reply(0, nanos(now() + 501e6)));
    listener.onReply(reply(1, nanos(now() + 501e6)));
  });
  expect(trips(seen)).toEqual([null, null]);
  expect(failed).toBe("Timeout after 500 ms: no reply from 10.0.0.1 to 2 echo requests");
});

test("a second reply to one request is counted, and changes nothing", async () => {
  const { seen, failed } = await round((listener, now) => {
    listener.onReply(reply(0, now()));
    listener.onReply({ ...reply(0, now()), roundTrip: nanos(1) });
    listener.onReply(reply(1, now()));
  });
  expect(trips(seen)).toEqual([80_000, 80_000]);
  expect([seen.duplicates, failed]).toEqual([1, null]);
});

test("a reply to a request that was not sent is nothing", async () => {
  const { seen } = await round((listener, now) => listener.onReply(reply(7, now())));
  expect(trips(seen)).toEqual([null, null]);
});

test("a reply counts more than an ICMP error, whichever comes first", async () => {
  const refusal = { sender: "10.0.0.9", type: 3, code: 1 };
  const { seen, failed } = await round((listener, now) => {
    listener.onRefused(0, refusal);
    listener.onReply(reply(0, now()));
    listener.onReply(reply(1, now()));
    listener.onRefused(1, refusal);
  });
  expect(trips(seen)).toEqual([80_000, 80_000]);
  expect(failed).toBeNull();
});

test.each([
  [3, 0, "10.0.0.9, a router on the way, has no route to 10.0.0.1"],
  [3, 4, "10.0.0.9, a router on the way, passes no packet as long as a ping on to 10.0.0.1"],
  [3, 13, "10.0.0.9, a router on the way, forbids the ping to 10.0.0.1"],
  [11, 0, "10.0.0.9, a router on the way, reports a loop of routers on the way to 10.0.0.1"],
  [12, 0, "10.0.0.9, a router on the way, does not understand the ping to 10.0.0.1"],
])("the ICMP error %i/%i has its sentence", async (type, code, words) => {
  const { failed } = await round((listener) => {
    listener.onRefused(0, { sender: "10.0.0.9", type, code });
    listener.onRefused(1, { sender: "10.0.0.9", type, code });
  });
  expect(failed).toBe(words);
});
