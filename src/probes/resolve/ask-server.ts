import type { FailureCode } from "#check/failure";
import {
  askOverTcp,
  askOverUdp,
  type Exchange,
  type ExchangeEnd,
} from "#probes/resolve/dns-transport";
import type { Answer } from "#probes/resolve/dns-message";
import { showHostPort } from "#network/host-port";
import { counted } from "#base/text";

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

/** UDP first, without EDNS if that is not understood, then TCP where the answer does not fit. */
export async function askServer(exchange: Exchange, overTcp: boolean): Promise<QueryEnd> {
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
