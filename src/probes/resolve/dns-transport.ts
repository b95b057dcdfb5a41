import { randomInt } from "node:crypto";
import { connect } from "node:net";
import type { Clock } from "#base/clock";
import type { Deadline } from "#base/deadline";
import * as limits from "#limits/probes-limits";
import { errorCode, systemErrorWords } from "#network/system-errors";
import { ownWant } from "#probes/socket/own-want";
import type { Sockets } from "#probes/socket/sockets";
import { type Answer, encodeQuery, type Question, readAnswer } from "#probes/resolve/dns-message";
import type { ExchangeWatch } from "#probes/resolve/exchange-watch";
import type { NameServer } from "#probes/resolve/resolving";
import type { ServerOrder } from "#probes/resolve/server-order";
import type { DnsNotes, Transcript } from "#probes/resolve/transcript";
import { showHostPort } from "#network/host-port";

/** One question on its way to one server. */
export interface Exchange {
  readonly question: Question;
  readonly server: NameServer;
  readonly deadline: Deadline;
  readonly watch: ExchangeWatch | null;
  readonly tools: AskTools;
}

/** What asking takes, whoever measures it. */
export interface AskTools {
  readonly clock: Clock;
  readonly sockets: Sockets;
  readonly transcript: Transcript;
  readonly serverOrder: ServerOrder;
}

/** How one exchange of messages ended. */
export type ExchangeEnd =
  | { readonly is: "answer"; readonly answer: Answer }
  | { readonly is: "truncated" }
  | { readonly is: "malformed"; readonly why: string }
  /** `ignored` counts what came meanwhile and answers another question. */
  | { readonly is: "late"; readonly ignored: number }
  /** This machine lacked what it takes to ask. */
  | { readonly is: "unasked"; readonly why: string }
  | { readonly is: "unreachable"; readonly why: string };

/** RFC 5452: an id and a source port that cannot be guessed, and a connected socket that hears one address only. */
export function askOverUdp(exchange: Exchange, edns: boolean): Promise<ExchangeEnd> {
  const { question, server, deadline, watch, tools } = exchange;
  const id = randomInt(0x1_0000);
  let notes: DnsNotes | null = null;
  let ignored = 0;
  const { promise, resolve } = endedWith(
    deadline,
    () => socket.close(),
    () => ignored,
  );
  const socket = tools.sockets.datagrams(server.host, server.port, {
    onReady: () => {
      const query = encodeQuery(id, question, edns);
      notes = tools.transcript.dns(query, showHostPort(server.host, server.port), "udp");
      return query;
    },
    onSending: (mark) => watch?.onSending(mark),
    onSent: (mark) => watch?.onSent(mark),
    onMessage: (bytes, arrived) => {
      const arrival = watch === null ? null : arrived();
      notes?.message(bytes);
      const reading = readAnswer(bytes, id, question);
      if (reading.is === "foreign") return void (ignored += 1);
      if (arrival !== null) watch?.onAnswer(arrival);
      resolve(reading);
    },
    onFailed: (error) => resolve(unreachable(error)),
  });
  return promise;
}

/** RFC 7766: the message behind its length in two bytes. */
export function askOverTcp(exchange: Exchange, edns: boolean): Promise<ExchangeEnd> {
  const { question, server, deadline, watch, tools } = exchange;
  const id = randomInt(0x1_0000);
  let notes: DnsNotes | null = null;
  const socket = connect({ host: server.host, port: server.port, autoSelectFamily: false });
  const { promise, resolve } = endedWith(deadline, () => {
    // All that came is evidence: what did not come whole, and what came behind a whole message.
    if (filled > 2) notes?.message(received.subarray(2, filled));
    socket.destroy();
  });
  // As much as a length of two bytes can announce; what a peer sends beyond it is not copied.
  const received = Buffer.allocUnsafe(2 + limits.dnsMessageBytesMax);
  let filled = 0;
  socket.on("error", (error) => resolve(unreachable(error)));
  socket.on("close", () => resolve({ is: "unreachable", why: "the connection was closed" }));
  // The handshake is part of what it takes to ask this way.
  socket.once("connectionAttempt", () => watch?.onSending(watch.marker.acted()));
  socket.on("connect", () => {
    const query = encodeQuery(id, question, edns);
    notes = tools.transcript.dns(query, showHostPort(server.host, server.port), "tcp");
    const sending = watch?.marker.acted();
    socket.write(Buffer.concat([twoBytes(query.length), query]), () => {
      if (sending !== undefined) watch?.onSent(watch.marker.since(sending));
    });
  });
  socket.on("data", (chunk: Buffer) => {
    const observed = watch?.marker.observed();
    filled += chunk.copy(received, filled);
    if (filled < 2 || filled < 2 + received.readUInt16BE(0)) return;
    if (observed !== undefined) watch?.onAnswer({ mark: observed, measuredBy: "event" });
    const reading = readAnswer(received.subarray(2, 2 + received.readUInt16BE(0)), id, question);
    // Nothing else was asked on this connection, so an answer to another question is a fault.
    resolve(
      reading.is === "foreign" ? { is: "malformed", why: "it answers another question" } : reading,
    );
  });
  return promise;
}

/** A promise of the end that the deadline brings about if nothing else does; `close` is called at either. */
function endedWith(
  { end }: Deadline,
  close: () => void,
  ignored: () => number = () => 0,
): { readonly promise: Promise<ExchangeEnd>; readonly resolve: (ended: ExchangeEnd) => void } {
  const { promise, resolve } = Promise.withResolvers<ExchangeEnd>();
  const onLate = (): void => resolve({ is: "late", ignored: ignored() });
  end.addEventListener("abort", onLate);
  if (end.aborted) onLate();
  const closed = promise.finally(() => {
    end.removeEventListener("abort", onLate);
    close();
  });
  return { promise: closed, resolve };
}

function twoBytes(value: number): Buffer {
  const two = Buffer.alloc(2);
  two.writeUInt16BE(value);
  return two;
}

function unreachable(error: Error): ExchangeEnd {
  const want = ownWant(error);
  if (want !== null) return { is: "unasked", why: want };
  const code = errorCode(error);
  const why =
    code === "ECONNREFUSED"
      ? "nothing listens there"
      : (systemErrorWords[code] ?? (code || error.message));
  return { is: "unreachable", why };
}
