import { nameFaultOf } from "#check/name-fault";
import { type Cause, type CauseScope, type Certainty, remedies } from "#check/cause";
import { lastRouter } from "#check/evidence-words";
import { type ConnectionEvidence, leftNothing, peerHasAll, wasCutOff } from "#check/evidence";
import { type Failure, isTimeout } from "#check/failure";
import { narrowWords } from "#vantage/cause-words";
import type { Way } from "#vantage/machine-sight";

/** Whose fault it is, how sure that is, why, and what to do: each a plain sentence without the full stop. */
export interface Blame {
  readonly place: Place;
  readonly certainty: Certainty;
  readonly because: string;
  readonly next: string;
}

/** "me" is this machine, its network, its name servers and its proxy. */
export type Place = "me" | "path" | "target" | "unclear";

interface FailedCheck {
  readonly failure: Failure;
  readonly evidence: ConnectionEvidence | null;
  readonly cause: Cause | null;
  /** To the address that was dialled; null where none was. */
  readonly way: Way | null;
  /** Whether the target accepts a connection without the proxy that the check failed at. */
  readonly isDirectOpen: boolean;
}

/** Reads one failure for a person. A cause that is proven counts before all that the failure itself shows. */
export function whoseFault(failed: FailedCheck): Blame {
  const blame = blameOf(failed);
  if (!failed.isDirectOpen) return blame;
  const { because, next } =
    failed.failure.phase === "proxy" && blame.place === "unclear" ? ofClosedProxy : blame;
  const certainty = blame.certainty === "possible" ? "likely" : blame.certainty;
  return {
    place: "me",
    certainty,
    because: `${because}; the target accepts a connection without the proxy`,
    next,
  };
}

const ofClosedProxy = {
  because: "the proxy answers, and opens no way to the target",
  next: "read the proxy's log for this target: its rules, its name servers or its own way are at fault",
};

function blameOf(failed: FailedCheck): Blame {
  const { cause, failure } = failed;
  if (cause !== null && cause.certainty !== "possible") {
    const { scope, certainty, sentence: because } = cause;
    return { place: placeOf[scope], certainty, because, next: remedies[scope] };
  }
  switch (failure.phase) {
    case "config":
    case "policy":
      return me(failure.message, "correct the target or the settings that the sentence names");
    case "agent":
      return me(failure.message, "do what the sentence says; picket doctor looks at the rest");
    case "dns":
      return ofNames(failure);
    case "connect":
      return failed.evidence === null ? dark(failure) : ofConnection(failed.evidence, failed);
    case "proxy":
      return {
        place: "unclear",
        certainty: "possible",
        because: "the proxy answers, and opens no way to the target",
        next: "read the proxy's log for this target",
      };
    case "tls":
    case "write":
    case "wait":
    case "receive":
    case "decode":
    case "assertion":
      return ofAnswer(failed);
  }
}

const me = (because: string, next: string): Blame => ({
  place: "me",
  certainty: "proven",
  because,
  next,
});

const target = (because: string, next: string): Blame => ({
  place: "target",
  certainty: "likely",
  because,
  next,
});

function ofNames({ code, message }: Failure): Blame {
  switch (nameFaultOf(code)) {
    case "no such name":
      return target(
        "the name servers answer, and know no address of this name",
        "correct the name, or set PICKET_DNS_SERVERS to the servers of this network",
      );
    case "no answer":
      return {
        place: "unclear",
        certainty: "possible",
        because: message,
        next: "ask the name servers from another machine: other names of theirs resolve here",
      };
    case "no usable answer":
      return target(
        "the name servers answer, and cannot resolve this name",
        "ask whoever runs the zone: its own servers or its DNSSEC are broken",
      );
  }
}

function ofConnection(evidence: ConnectionEvidence, { way, failure }: FailedCheck): Blame {
  const { refusedBy, address, port } = evidence;
  const host = evidence.peer === "proxy" ? "the proxy" : "the host";
  if (refusedBy?.from === "a router")
    return {
      place: "path",
      certainty: "likely",
      because: failure.message,
      next: `look at the routes and rules of ${refusedBy.sender}, and of what lies behind it`,
    };
  if (refusedBy?.from === "the peer")
    return target(failure.message, `look at the firewall of ${address}`);
  if (leftNothing(evidence) && way?.is === "out" && way.gateway === null)
    return target(
      `${address} is in this network and does not answer there: ${host} is off, or has another address`,
      `look whether ${address} is switched on and connected`,
    );
  if (failure.code === "connection_refused")
    return target(
      `${host} answered at once that nothing listens at port ${port}`,
      "start what should listen there, or correct the port",
    );
  return farAway(evidence) ?? dark(failure);
}

/** Where packets come through some routers and no further. */
function farAway({ path, address }: ConnectionEvidence): Blame | null {
  if (path === null || path.reached) return null;
  const last = lastRouter(path);
  if (last === null || last.address === null) return null;
  return {
    place: "unclear",
    certainty: "possible",
    because: `packets to ${address} come as far as ${last.address}, router ${last.ttl} on the way, and nothing beyond it answers`,
    next: `look behind ${last.address}: at its next router, and at what drops packets to ${address}`,
  };
}

const dark = ({ message }: Failure): Blame => ({
  place: "unclear",
  certainty: "possible",
  because: message,
  next: "try the target from its own network: if it answers there, something on the way drops our packets",
});

function ofAnswer({ evidence, failure }: FailedCheck): Blame {
  if (evidence?.onlySmallPass === true)
    return {
      place: "path",
      certainty: "likely",
      because: narrowWords(evidence.address),
      next: "find the link with a small MTU, and let its router's ICMP messages through, or lower the MTU of both ends",
    };
  if (evidence !== null && wasCutOff(evidence))
    return {
      place: "path",
      certainty: "likely",
      because: failure.message,
      next: "look for a link on the way with a small MTU, or for packets that are lost",
    };
  if (evidence !== null && isTimeout(failure.code) && peerHasAll(evidence))
    return target(failure.message, "look at the application's log: the network works");
  return target(failure.message, `see docs/troubleshoot.md on ${failure.code}`);
}

const placeOf: { readonly [S in CauseScope]: Place } = {
  machine: "me",
  link: "me",
  gateway: "me",
  resolver: "me",
  proxy: "me",
  family: "me",
  path: "path",
  prefix: "path",
  host: "target",
  port: "target",
  name: "target",
  authority: "target",
  target: "target",
};
