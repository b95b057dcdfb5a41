import { randomInt } from "node:crypto";
import { type Deadline, startDeadline } from "#deadline";
import type { FailureCode } from "#check/failure";
import * as limits from "#limits/probes-limits";
import {
  askOverTcp,
  askOverUdp,
  type AskTools,
  type Exchange,
  type ExchangeEnd,
} from "#probes/dns/dns-transport";
import type { ExchangeWatch } from "#probes/dns/exchange-watch";
import type { Answer, Question } from "#probes/dns/dns-message";
import type { NameServer } from "#probes/dns/resolving";
import { showHostPort } from "#network/host-port";
import { counted } from "#text";
import { type Millis, nanos, nanosToMillis } from "#units";

/** What became of one question; `server` is the `address:port` that answered or was asked last. */
export type QueryEnd =
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
  tools: AskTools,
  watch: ExchangeWatch | null = null,
): Promise<QueryEnd> {
  const { clock } = tools;
  const startedAt = clock.monotonic();
  const servers = policy.rotate ? rotated(policy.servers) : policy.servers;
  let best: QueryEnd = {
    ok: false,
    code: "dns_unreachable",
    message: `cannot resolve ${question.name}: no name server is configured`,
    server: null,
  };
  for (let attempt = 0; attempt < policy.attempts; attempt += 1)
    for (const server of servers) {
      // A share that ends with the deadline would race against it for the same instant.
      const share =
        policy.timeout < deadline.remaining()
          ? startDeadline(clock, policy.timeout, deadline.end)
          : null;
      const exchange = { question, server, deadline: share ?? deadline, watch, tools };
      // Always resolves. Not `using`: V8 disposes by a slow call, which each question would make.
      const asked = await askServer(exchange, policy.overTcp);
      share?.[Symbol.dispose]();
      // What a server said says more than another's silence.
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

function isFinal(asked: QueryEnd): boolean {
  return asked.ok
    ? !asked.answer.isReferral && !["SERVFAIL", "REFUSED", "NOTIMP"].includes(asked.answer.rcode)
    : asked.code === "dns_malformed" || asked.code === "agent_error";
}

/** Says how long a silence lasted; a question that was aborted has no such time. */
function inTime(
  asked: QueryEnd,
  { name }: Question,
  { ended }: Deadline,
  waited: number,
): QueryEnd {
  if (ended === "cancelled") {
    const message = "The check was aborted before it ended";
    return { ok: false, code: "cancelled", message, server: asked.server };
  }
  if (asked.ok || asked.code !== "dns_timeout") return asked;
  const message = `Timeout after ${Math.round(waited)} ms resolving ${name} (${asked.message})`;
  return { ...asked, message };
}

/** UDP first, without EDNS where that is not understood, then TCP where the answer does not fit. */
async function askServer(exchange: Exchange, overTcp: boolean): Promise<QueryEnd> {
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

function concluded(
  ended: ExchangeEnd,
  { question: { name }, server: { host, port } }: Exchange,
  transport: "udp" | "tcp",
): QueryEnd {
  const server = showHostPort(host, port);
  const failed = (code: FailureCode, message: string): QueryEnd => ({
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

/** Late answers to an older question are a few; thousands are a flood, or an attacker who guesses. */
const besides = (ignored: number): string =>
  ignored === 0 ? "" : `, which sent ${counted(ignored, "datagram")} that answer another question`;

/** The whole of a truncated answer could not be had over TCP. */
function stillTruncated(
  ended: Exclude<ExchangeEnd, { is: "answer" | "malformed" | "unasked" }>,
  { question: { name }, server: { host, port } }: Exchange,
): QueryEnd {
  const server = showHostPort(host, port);
  const why = {
    truncated: "it is truncated over TCP too",
    late: "TCP gave none in time",
    unreachable: `TCP failed (${ended.is === "unreachable" ? ended.why : ""})`,
  }[ended.is];
  const message = `the answer of ${server} for ${name} is truncated, and ${why}`;
  return { ok: false, code: "dns_truncated", message, server };
}
