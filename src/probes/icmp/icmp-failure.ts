import type { Deadline } from "#base/deadline";
import type { ConnectionEvidence, IcmpRefusal } from "#check/evidence";
import { failure, type Failure, type FailureCode } from "#check/failure";
import { classify, timedOut } from "#probes/socket/classify";
import { EchoProhibition } from "#probes/socket/sockets";
import type { EchoRound } from "#probes/icmp/echo-round";
import { errorCode } from "#network/system-errors";
import { counted } from "#base/text";

/** Why a round has no reply; null if it has one. */
export function roundFailure(round: EchoRound, deadline: Deadline): Failure | null {
  const { echoes, fault, address } = round;
  if (echoes.some(({ roundTrip }) => roundTrip !== null)) return null;
  const refusal = refusalIn(round);
  if (refusal !== null) return refused(refusal, address);
  if (fault !== null) return unsent(fault, address);
  if (deadline.ended === "cancelled") return timedOut(deadline, "connect", address);
  const asked = counted(echoes.length, "echo request");
  return failure(
    "icmp_timeout",
    "connect",
    `Timeout after ${deadline.budget} ms: no reply from ${address} to ${asked}`,
  );
}

/** The newest ICMP error. */
const refusalIn = ({ echoes }: EchoRound): IcmpRefusal | null =>
  echoes.findLast(({ refusal }) => refusal !== null)?.refusal ?? null;

/** What is known of the way to an address that did not answer. */
export const roundEvidence = (round: EchoRound): ConnectionEvidence => ({
  address: round.address,
  port: 0,
  peer: "target",
  source: round.source,
  refusedBy: refusalIn(round),
  tcp: null,
  path: null,
  onlySmallPass: null,
});

function refused(refusal: IcmpRefusal, address: string): Failure {
  const [code, does] = wordsOf(refusal);
  return failure(code, "connect", `${whoIs(refusal, address)} ${does} ${address}`);
}

function whoIs({ from, sender }: IcmpRefusal, address: string): string {
  switch (from) {
    case "this machine":
      return "this machine";
    case "the peer":
      return `${address} itself`;
    case "a router":
      return `${sender}, a router on the way,`;
  }
}

/** RFC 792, RFC 1812 §5.2.7 and RFC 4443 §3. */
function wordsOf({ sender, type, code }: IcmpRefusal): readonly [FailureCode, string] {
  const isV6 = sender.includes(":");
  if (type === (isV6 ? 3 : 11))
    return ["icmp_ttl_exceeded", "reports a loop of routers on the way to"];
  if (isV6 ? type === 2 : type === 3 && code === 4)
    return ["icmp_host_unreachable", "passes no packet as long as a ping on to"];
  if (type !== (isV6 ? 1 : 3)) return ["icmp_host_unreachable", "does not understand the ping to"];
  const { noRoute, prohibited } = isV6
    ? { noRoute: [0, 2], prohibited: [1, 5, 6] }
    : { noRoute: [0, 6, 11], prohibited: [9, 10, 13, 14, 15] };
  if (noRoute.includes(code)) return ["icmp_net_unreachable", "has no route to"];
  if (prohibited.includes(code)) return ["icmp_prohibited", "forbids the ping to"];
  return ["icmp_host_unreachable", "cannot reach"];
}

/** Nothing could be sent, for a reason of this machine. */
function unsent(fault: Error, address: string): Failure {
  if (fault instanceof EchoProhibition) return failure("agent_error", "agent", fault.message);
  switch (errorCode(fault)) {
    case "EACCES":
      return failure(
        "address_unusable",
        "connect",
        `${address} is a broadcast address: many hosts would answer, so no answer is the target's`,
      );
    case "EPERM":
      return failure(
        "icmp_prohibited",
        "connect",
        `this machine's own firewall refuses ${address}`,
      );
    default:
      return classify(fault, "connect", address);
  }
}
