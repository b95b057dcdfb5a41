import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, isIPv6 } from "node:net";
import type { Clock } from "#clock";
import { type Deadline, startDeadline } from "#deadline";
import type { FailureCode } from "#failure";
import * as limits from "#limits";
import { errorCode } from "#probes/classify";
import { type Answer, encodeQuery, type Question, readAnswer } from "#probes/dns-message";
import type { NameServer } from "#probes/probe";
import { showHostPort } from "#target";
import { type Millis, millis } from "#units";

/** What became of one question. */
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
      readonly message: string;
      readonly server: string | null;
    };

/** How a list of servers is gone through; the words are those of resolv.conf(5). */
export interface AskPolicy {
  readonly servers: readonly NameServer[];
  readonly timeout: Millis;
  readonly attempts: number;
}

/**
 * Asks the servers in their order until one gives a usable answer: on a timeout, SERVFAIL, REFUSED or an unreachable
 * server the next is asked, and the whole list `attempts` times. Ends when the deadline does. `onSent` is called when
 * a query is on its way.
 */
export async function askServers(
  question: Question,
  { servers, timeout, attempts }: AskPolicy,
  deadline: Deadline,
  clock: Clock,
  onSent: () => void = () => {},
): Promise<Asked> {
  let last: Asked = {
    ok: false,
    code: "dns_unreachable",
    message: "no name server is configured",
    server: null,
  };
  for (let attempt = 0; attempt < attempts; attempt += 1)
    for (const server of servers) {
      using share = startDeadline(
        clock,
        millis(Math.min(timeout, deadline.remaining())),
        deadline.signal,
      );
      last = await askServer(question, server, share, onSent);
      if (isUsable(last) || deadline.ended !== null) return last;
    }
  return last;
}

function isUsable(asked: Asked): boolean {
  return asked.ok
    ? asked.answer.rcode !== "SERVFAIL" && asked.answer.rcode !== "REFUSED"
    : asked.code === "dns_truncated" || asked.code === "dns_malformed";
}

/** One question to one server: UDP, without EDNS where that is not understood, TCP where the answer does not fit. */
async function askServer(
  question: Question,
  server: NameServer,
  deadline: Deadline,
  onSent: () => void,
): Promise<Asked> {
  const first = await askOverUdp(question, server, true, deadline, onSent);
  const plain =
    first.is === "answer" && ["FORMERR", "NOTIMP"].includes(first.answer.rcode)
      ? await askOverUdp(question, server, false, deadline, onSent)
      : first;
  return plain.is === "truncated"
    ? concluded(await askOverTcp(question, server, deadline), server, "tcp")
    : concluded(plain, server, "udp");
}

/** How one exchange of messages ended. */
type Ended =
  | { readonly is: "answer"; readonly answer: Answer }
  | { readonly is: "truncated" }
  | { readonly is: "malformed"; readonly why: string }
  | { readonly is: "late" }
  | { readonly is: "unreachable"; readonly why: string };

function concluded(ended: Ended, nameServer: NameServer, transport: "udp" | "tcp"): Asked {
  const server = showHostPort(nameServer.host, nameServer.port);
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
      return failed("dns_truncated", `the answer of ${server} is truncated over TCP too`);
    case "malformed":
      return failed("dns_malformed", `the answer of ${server} is malformed: ${ended.why}`);
    case "late":
      return transport === "tcp"
        ? failed("dns_truncated", `the answer of ${server} is truncated, and TCP gave none in time`)
        : failed("dns_timeout", `no answer from ${server}`);
    case "unreachable":
      return transport === "tcp"
        ? failed(
            "dns_truncated",
            `the answer of ${server} is truncated, and TCP failed: ${ended.why}`,
          )
        : failed("dns_unreachable", `${server} cannot be reached: ${ended.why}`);
  }
}

/** RFC 5452: an id and a source port that cannot be guessed, and a connected socket that hears one address only. */
function askOverUdp(
  question: Question,
  server: NameServer,
  edns: boolean,
  deadline: Deadline,
  onSent: () => void,
): Promise<Ended> {
  const id = randomInt(0x1_0000);
  const socket = createSocket(isIPv6(withoutZone(server.host)) ? "udp6" : "udp4");
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const onLate = (): void => resolve({ is: "late" });
  deadline.signal.addEventListener("abort", onLate, { once: true });
  if (deadline.signal.aborted) onLate();
  // ICMP's "port unreachable" arrives here as ECONNREFUSED.
  socket.on("error", (error) => resolve({ is: "unreachable", why: reason(error) }));
  socket.on("message", (bytes) => {
    const reading = readAnswer(bytes, id, question);
    if (reading.is !== "foreign") resolve(reading);
  });
  socket.connect(server.port, server.host, () => {
    socket.send(encodeQuery(id, question, edns), (error) => {
      if (error === null) onSent();
      else resolve({ is: "unreachable", why: reason(error) });
    });
  });
  return promise.finally(() => {
    deadline.signal.removeEventListener("abort", onLate);
    socket.close();
  });
}

/** RFC 7766: the message behind its length in two bytes. */
function askOverTcp(question: Question, server: NameServer, deadline: Deadline): Promise<Ended> {
  const id = randomInt(0x1_0000);
  const query = encodeQuery(id, question, true);
  const socket = connect({ host: server.host, port: server.port, autoSelectFamily: false });
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const onLate = (): void => resolve({ is: "late" });
  deadline.signal.addEventListener("abort", onLate, { once: true });
  if (deadline.signal.aborted) onLate();
  let received = Buffer.alloc(0);
  socket.on("error", (error) => resolve({ is: "unreachable", why: reason(error) }));
  socket.on("close", () => resolve({ is: "unreachable", why: "the connection was closed" }));
  socket.on("connect", () => socket.write(Buffer.concat([lengthOf(query), query])));
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, Buffer.from(chunk)]);
    if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return;
    const reading = readAnswer(received.subarray(2, 2 + received.readUInt16BE(0)), id, question);
    // Nothing else was asked on this connection, so an answer to another question is a fault.
    resolve(
      reading.is === "foreign" ? { is: "malformed", why: "it answers another question" } : reading,
    );
  });
  return promise.finally(() => {
    deadline.signal.removeEventListener("abort", onLate);
    socket.on("error", () => {});
    socket.destroy();
  });
}

function lengthOf(query: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  return length;
}

const withoutZone = (address: string): string => address.replace(/%.*$/, "");

function reason(error: Error): string {
  const code = errorCode(error);
  return code === "ECONNREFUSED" ? "nothing listens there" : code || error.message;
}

/** Servers named by a monitor or by PICKET_DNS_SERVERS are gone through as the system's are by default. */
export const policyOf = (servers: readonly NameServer[]): AskPolicy => ({
  servers,
  timeout: limits.dnsServerTimeoutDefault,
  attempts: limits.dnsAttemptsDefault,
});
