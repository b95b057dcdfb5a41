import { randomInt } from "node:crypto";
import { createSocket, type Socket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import type { Clock } from "#clock";
import { type Deadline, startDeadline } from "#deadline";
import type { FailureCode } from "#check/failure";
import * as limits from "#limits";
import type { MeasuredBy } from "#check/outcome";
import { errorCode } from "#network/system-errors";
import { ownWant } from "#probes/connection/own-want";
import type { KernelClock } from "#probes/connection/kernel-clock";
import type { Mark, Marker } from "#probes/connection/marker";
import { type Answer, encodeQuery, type Question, readAnswer } from "#probes/dns/dns-message";
import type { NameServer } from "#probes/dns/resolving";
import { type DnsNotes, noTranscript, type Transcript } from "#probes/transcript";
import { showHostPort } from "#network/host-port";
import { counted } from "#text";
import { type Millis, nanos, nanosToMillis } from "#units";

/** What became of one question; `server` is the `address:port` that answered or was asked last. */
export type Asked =
  | {
      readonly ok: true;
      readonly answer: Answer;
      readonly server: string;
      readonly transport: "udp" | "tcp";
    }
  | {
      readonly ok: false;
      readonly code: FailureCode;
      /** A whole sentence, which names the name and the server. */
      readonly message: string;
      readonly server: string | null;
    };

/** How a list of servers is gone through; the words are those of resolv.conf(5). */
export interface AskPolicy {
  readonly servers: readonly NameServer[];
  /** How long one server is waited for. */
  readonly timeout: Millis;
  /** How often the whole list is gone through. */
  readonly attempts: number;
  /** Whether each question begins at another server, to spread the load. */
  readonly rotate: boolean;
  /** Whether UDP is passed over (`use-vc`). */
  readonly overTcp: boolean;
}

/**
 * The instants of an exchange, for whoever measures it; each may be reported several times for one question. What was
 * done in a call lies between the mark less its error bar, when the call began, and the mark, when it returned.
 */
export interface ExchangeWatch {
  readonly marker: Marker;
  readonly kernelClock: KernelClock;
  /** The first packet leaves. */
  readonly onSending: (mark: Mark) => void;
  /** The query is on its way. */
  readonly onSent: (mark: Mark) => void;
  /** A message that answers the question came; `measuredBy` says whose instant that is. */
  readonly onAnswer: (mark: Mark, measuredBy: MeasuredBy) => void;
}

/** Servers named by a monitor or by PICKET_DNS_SERVERS are gone through as the system's are by default. */
export const policyOf = (servers: readonly NameServer[]): AskPolicy => ({
  servers,
  timeout: limits.dnsServerTimeoutDefault,
  attempts: limits.dnsAttemptsDefault,
  rotate: false,
  overTcp: false,
});

/**
 * Asks the servers in their order until one gives a usable answer: on a timeout, SERVFAIL, REFUSED, NOTIMP, a
 * referral, an unreachable server or an answer that cannot be had whole the next is asked, and the whole list
 * `attempts` times. Ends when the deadline does, and always resolves.
 */
export async function askServers(
  question: Question,
  policy: AskPolicy,
  deadline: Deadline,
  clock: Clock,
  watch: ExchangeWatch | null = null,
  transcript: Transcript = noTranscript,
): Promise<Asked> {
  const startedAt = clock.monotonic();
  const servers = policy.rotate ? rotated(policy.servers) : policy.servers;
  let best: Asked = {
    ok: false,
    code: "dns_unreachable",
    message: `cannot resolve ${question.name}: no name server is configured`,
    server: null,
  };
  for (let attempt = 0; attempt < policy.attempts; attempt += 1)
    for (const server of servers) {
      // A share that ends with the deadline would race against it for the same instant.
      using share =
        policy.timeout < deadline.remaining()
          ? startDeadline(clock, policy.timeout, deadline.signal)
          : null;
      const exchange = { question, server, deadline: share ?? deadline, watch, transcript };
      const asked = await askServer(exchange, policy.overTcp);
      // What a server said tells more than another's silence.
      if (asked.ok || (!best.ok && best.code !== "dns_truncated")) best = asked;
      if (isFinal(asked)) return asked;
      if (deadline.ended !== null) return inTime(best, question, deadline, deadline.budget);
    }
  const elapsed = nanosToMillis(nanos(clock.monotonic() - startedAt));
  return inTime(best, question, deadline, elapsed);
}

function rotated<T>(list: readonly T[]): readonly T[] {
  if (list.length < 2) return list;
  const first = randomInt(list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}

function isFinal(asked: Asked): boolean {
  return asked.ok
    ? !asked.answer.isReferral && !["SERVFAIL", "REFUSED", "NOTIMP"].includes(asked.answer.rcode)
    : asked.code === "dns_malformed" || asked.code === "agent_error";
}

/** Says of a silence how long it was listened to; what was given up had not been asked to its end. */
function inTime(asked: Asked, { name }: Question, { ended }: Deadline, waited: number): Asked {
  if (ended === "cancelled") {
    const message = "The check was aborted before it ended";
    return { ok: false, code: "cancelled", message, server: asked.server };
  }
  if (asked.ok || asked.code !== "dns_timeout") return asked;
  const message = `Timeout after ${Math.round(waited)} ms resolving ${name} (${asked.message})`;
  return { ...asked, message };
}

/** One question on its way to one server. */
interface Exchange {
  readonly question: Question;
  readonly server: NameServer;
  readonly deadline: Deadline;
  readonly watch: ExchangeWatch | null;
  readonly transcript: Transcript;
}

/** UDP first, without EDNS where that is not understood, then TCP where the answer does not fit. */
async function askServer(exchange: Exchange, overTcp: boolean): Promise<Asked> {
  const ask = overTcp ? askOverTcp : askOverUdp;
  const first = await ask(exchange, true);
  // RFC 6891 §7: a server that does not know OPT says one of these.
  const edns = !(first.is === "answer" && ["FORMERR", "NOTIMP"].includes(first.answer.rcode));
  const ended = edns ? first : await ask(exchange, false);
  if (overTcp || ended.is !== "truncated")
    return concluded(ended, exchange, overTcp ? "tcp" : "udp");
  const whole = await askOverTcp(exchange, edns);
  return whole.is === "answer" || whole.is === "malformed" || whole.is === "unasked"
    ? concluded(whole, exchange, "tcp")
    : stillTruncated(whole, exchange);
}

/** How one exchange of messages ended. */
type Ended =
  | { readonly is: "answer"; readonly answer: Answer }
  | { readonly is: "truncated" }
  | { readonly is: "malformed"; readonly why: string }
  /** `ignored` counts what came meanwhile and answers another question. */
  | { readonly is: "late"; readonly ignored: number }
  /** This machine lacked what it takes to ask. */
  | { readonly is: "unasked"; readonly why: string }
  | { readonly is: "unreachable"; readonly why: string };

function concluded(
  ended: Ended,
  { question: { name }, server: { host, port } }: Exchange,
  transport: "udp" | "tcp",
): Asked {
  const server = showHostPort(host, port);
  const failed = (code: FailureCode, message: string): Asked => ({
    ok: false,
    code,
    message,
    server,
  });
  switch (ended.is) {
    case "answer":
      return { ok: true, answer: ended.answer, server, transport };
    case "truncated":
      return failed("dns_truncated", `the answer of ${server} for ${name} is truncated over TCP`);
    case "malformed":
      return failed(
        "dns_malformed",
        `the answer of ${server} for ${name} is malformed: ${ended.why}`,
      );
    case "late":
      return failed("dns_timeout", `no answer from ${server}${besides(ended.ignored)}`);
    case "unasked":
      return failed("agent_error", `${ended.why} (asking ${server} for ${name})`);
    case "unreachable":
      return failed(
        "dns_unreachable",
        `cannot resolve ${name}: ${server} cannot be reached (${ended.why})`,
      );
  }
}

/** Late answers to an older question are a few; thousands are a flood, or somebody who guesses. */
const besides = (ignored: number): string =>
  ignored === 0 ? "" : `, which sent ${counted(ignored, "datagram")} that answer another question`;

/** The whole of a truncated answer could not be had over TCP. */
function stillTruncated(
  ended: Exclude<Ended, { is: "answer" | "malformed" | "unasked" }>,
  { question: { name }, server: { host, port } }: Exchange,
): Asked {
  const server = showHostPort(host, port);
  const why = {
    truncated: "it is truncated over TCP too",
    late: "TCP gave none in time",
    unreachable: `TCP failed (${ended.is === "unreachable" ? ended.why : ""})`,
  }[ended.is];
  const message = `the answer of ${server} for ${name} is truncated, and ${why}`;
  return { ok: false, code: "dns_truncated", message, server };
}

/** RFC 5452: an id and a source port that cannot be guessed, and a connected socket that hears one address only. */
function askOverUdp(exchange: Exchange, edns: boolean): Promise<Ended> {
  const { question, server, deadline, watch, transcript } = exchange;
  const id = randomInt(0x1_0000);
  let notes: DnsNotes | null = null;
  let sending: Mark | null = null;
  let ignored = 0;
  const socket = createSocket(isIPv6(server.host) ? "udp6" : "udp4");
  const { promise, resolve } = endedWith(
    deadline,
    () => {
      socket.removeAllListeners("connect");
      socket.close();
    },
    () => ignored,
  );
  // ICMP's "port unreachable" arrives here as ECONNREFUSED.
  socket.on("error", (error) => resolve(unreachable(error)));
  socket.on("message", (bytes) => {
    const arrival = watch === null ? null : arrivalOf(socket, watch, sending);
    notes?.message(bytes);
    const reading = readAnswer(bytes, id, question);
    if (reading.is === "foreign") return void (ignored += 1);
    if (arrival !== null) watch?.onAnswer(arrival.mark, arrival.measuredBy);
    resolve(reading);
  });
  // The event, not the callback: that one would be called with an error as well.
  socket.once("connect", () => {
    const query = encodeQuery(id, question, edns);
    notes = transcript.dns(query, showHostPort(server.host, server.port), "udp");
    watch?.kernelClock.noteArrivals(socket);
    sending = watch?.marker.acted() ?? null;
    socket.send(query, (error) => {
      if (error !== null) resolve(unreachable(error));
      else if (sent !== undefined) watch?.onSent(sent);
    });
    // The query has left when the call returns; its callback comes later.
    const sent = sending === null ? undefined : watch?.marker.since(sending);
    if (sent !== undefined) watch?.onSending(sent);
  });
  socket.connect(server.port, server.host);
  return promise;
}

/**
 * When the datagram that was read last came: the kernel's instant where it gives it, else the event's. The kernel
 * stamps by the wall clock: an answer that came before its query left came while that clock was set.
 */
function arrivalOf(
  socket: Socket,
  { marker, kernelClock }: ExchangeWatch,
  sending: Mark | null,
): { readonly mark: Mark; readonly measuredBy: MeasuredBy } {
  const told = marker.told();
  const since = kernelClock.sinceArrival(socket);
  // The kernel was asked at some moment between these two.
  const asked = marker.since(told);
  const at = nanos(asked.at - (since ?? 0));
  return since === null || sending === null || at <= sending.at
    ? { mark: told, measuredBy: "event" }
    : { mark: { at, errorBar: asked.errorBar }, measuredBy: "kernel" };
}

/** RFC 7766: the message behind its length in two bytes. */
function askOverTcp(exchange: Exchange, edns: boolean): Promise<Ended> {
  const { question, server, deadline, watch, transcript } = exchange;
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
    notes = transcript.dns(query, showHostPort(server.host, server.port), "tcp");
    const sending = watch?.marker.acted();
    socket.write(Buffer.concat([twoBytes(query.length), query]), () => {
      if (sending !== undefined) watch?.onSent(watch.marker.since(sending));
    });
  });
  socket.on("data", (chunk: Buffer) => {
    const told = watch?.marker.told();
    filled += chunk.copy(received, filled);
    if (filled < 2 || filled < 2 + received.readUInt16BE(0)) return;
    if (told !== undefined) watch?.onAnswer(told, "event");
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
  { signal }: Deadline,
  close: () => void,
  ignored: () => number = () => 0,
): { readonly promise: Promise<Ended>; readonly resolve: (ended: Ended) => void } {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const onLate = (): void => resolve({ is: "late", ignored: ignored() });
  signal.addEventListener("abort", onLate, { once: true });
  if (signal.aborted) onLate();
  const closed = promise.finally(() => {
    signal.removeEventListener("abort", onLate);
    close();
  });
  return { promise: closed, resolve };
}

function twoBytes(value: number): Buffer {
  const two = Buffer.alloc(2);
  two.writeUInt16BE(value);
  return two;
}

function unreachable(error: Error): Ended {
  const want = ownWant(error);
  if (want !== null) return { is: "unasked", why: want };
  const code = errorCode(error);
  const why = code === "ECONNREFUSED" ? "nothing listens there" : code || error.message;
  return { is: "unreachable", why };
}
