import type { Fact } from "#check/fact";
import {
  type ConnectionEvidence,
  gotNoAnswer,
  type IcmpRefusal,
  leftNothing,
  type PathHop,
  type PathTrace,
  peerHasAll,
  type TcpState,
  wasCutOff,
} from "#check/evidence";
import { type Failure, type FailureCode, isTimeout } from "#check/failure";
import { showHostPort } from "#network/host-port";
import { counted } from "#base/text";
import { type Nanos, nanosToMillis } from "#base/units";

/** A failure whose sentence says what the kernel knew of its connection, where that says more. */
export function withEvidence(failed: Failure, evidence: ConnectionEvidence | null): Failure {
  if (evidence === null || failed.phase === "agent") return failed;
  const { code, message } = failed;
  if (isTimeout(code)) {
    const more = silence(failed, evidence);
    return more === null ? failed : { ...failed, message: `${message}: ${more}` };
  }
  const refusal = refusalOf(evidence);
  return refusal === null
    ? failed
    : { ...failed, code: codeOf(failed, evidence), message: refusal };
}

/**
 * The same without what the kernel knew of a silence, where more is known of it: small packets pass, so no program is
 * silent, and no answer is missing but a large one.
 */
export function withoutSilence(failed: Failure, evidence: ConnectionEvidence): Failure {
  const more = silence(failed, evidence);
  return more === null ? failed : { ...failed, message: failed.message.replace(`: ${more}`, "") };
}

/** Of an IPv6 target the system reports a router's refusal as if it were this machine's own. */
const codeOf = ({ code }: Failure, { refusedBy }: ConnectionEvidence): FailureCode =>
  code === "address_unusable" && refusedBy?.from !== "this machine" ? "host_unreachable" : code;

/** What a silence is of, as far as the kernel knows. */
function silence({ phase }: Failure, evidence: ConnectionEvidence): string | null {
  if (leftNothing(evidence)) return unresolved;
  if (gotNoAnswer(evidence)) return "none of our packets was answered";
  if (wasCutOff(evidence))
    return `${hosts[evidence.peer]} stopped acknowledging what we send, so the path broke, or drops large packets`;
  if (!peerHasAll(evidence)) return null;
  switch (phase) {
    case "tls":
      return `${hosts[evidence.peer]} received our greeting, but no answer came`;
    case "proxy":
      return "the proxy received our request";
    case "wait":
      return `${hosts[evidence.peer]} received the request, but no answer came`;
    case "config":
    case "policy":
    case "dns":
    case "connect":
    case "write":
    case "receive":
    case "decode":
    case "assertion":
    case "agent":
      return null;
  }
}

const unresolved = "nothing left this machine, because the next hop does not answer";
const hosts = { target: "the host", proxy: "the proxy" } as const;

/** `10.0.0.1, a router on the way, refuses 10.2.0.9:443`. */
export function refusalOf(evidence: ConnectionEvidence): string | null {
  const { refusedBy, address, port } = evidence;
  if (refusedBy === null) return null;
  const where = showHostPort(address, port);
  switch (refusedBy.from) {
    case "this machine":
      return leftNothing(evidence)
        ? `cannot reach ${where}: ${unresolved}`
        : ownFirewallWords(where);
    case "a router":
      return `${refusedBy.sender}, a router on the way, ${verbOf(refusedBy)} ${where}`;
    case "the peer":
      return `${address} itself refuses ${where}: its firewall answers, by ICMP`;
  }
}

export const ownFirewallWords = (where: string): string =>
  `this machine's own firewall refuses ${where}`;

/** RFC 792, RFC 1812 §5.2.7 and RFC 4443 §3. */
function verbOf({ sender, type, code }: IcmpRefusal): string {
  const isV6 = sender.includes(":");
  if (type === (isV6 ? 3 : 11)) return "reports a loop of routers on the way to";
  const { noRoute, noHost } = isV6
    ? { noRoute: [0], noHost: [3] }
    : { noRoute: [0, 6, 8, 11], noHost: [1, 7, 12] };
  if (noRoute.includes(code)) return "has no route to";
  if (noHost.includes(code)) return "cannot reach";
  return "refuses";
}

/** The same for whoever looks at one check: the facts, without what they mean. */
export function evidenceFacts(evidence: ConnectionEvidence): readonly Fact[] {
  const { source, refusedBy, tcp, path } = evidence;
  return [
    { label: "From", value: source ?? "no address: this machine has no route" },
    ...(refusedBy === null
      ? []
      : [
          {
            label: "Refused by",
            value: `${refusedBy.sender}, ${refusedBy.from}: ICMP ${refusedBy.type}/${refusedBy.code}`,
          },
        ]),
    ...(tcp === null ? [] : [{ label: "TCP", value: tcpWords(tcp) }]),
    ...(path === null ? [] : [{ label: "Path", value: pathWords(path) }]),
    ...(evidence.onlySmallPass === null
      ? []
      : [{ label: "Packets", value: sizeWords(evidence.onlySmallPass) }]),
  ];
}

export const sizeWords = (onlySmallPass: boolean): string =>
  onlySmallPass ? "small ones pass, large ones do not" : "their size makes no difference";

/** `1 10.0.0.1 in 0.40 ms, 2 silent, 3 10.0.2.9 the target itself`, or that nothing answers. */
export const pathWords = ({ hops, reached }: PathTrace): string =>
  [
    ...hops.map(hopWords),
    ...(reached || hops.at(-1)?.ended === "refusal" ? [] : ["nothing further answers"]),
  ].join(", ");

function hopWords({ ttl, address, ended, roundTrip, icmp }: PathHop): string {
  const took = roundTripWords(roundTrip);
  switch (ended) {
    case "hop":
      return `${ttl} ${address ?? "a router"}${took}`;
    case "refusal":
      return `${ttl} ${address ?? "a router"} refuses${icmp === null ? "" : ` by ICMP ${icmp}`}${took}`;
    case "target":
      return `${ttl} ${address === null ? "" : `${address} `}the target itself${took}`;
    case "silence":
      return `${ttl} silent`;
  }
}

/** ` in 1.5 ms`, below a millisecond with a digit more; nothing if it is not known. */
export const roundTripWords = (roundTrip: Nanos | null): string =>
  roundTrip === null
    ? ""
    : ` in ${nanosToMillis(roundTrip).toFixed(roundTrip < 1_000_000 ? 2 : 1)} ms`;

/** The last router that passed packets on; null if none answered. */
export const lastRouter = ({ hops }: PathTrace): PathHop | null =>
  hops.findLast(({ ended }) => ended === "hop") ?? null;

const tcpWords = (tcp: TcpState): string =>
  [
    counted(tcp.retransmits, "timeout"),
    `${counted(tcp.retransmittedInAll, "packet")} sent again`,
    `${tcp.unacknowledged} unacknowledged`,
    `path MTU ${tcp.pathMtu}`,
  ].join(", ");
