import { nameFaultOf } from "#check/name-fault";
import { type CauseScope, remedies } from "#check/cause";
import { lastRouter } from "#check/evidence-words";
import {
  type ConnectionEvidence,
  isAbsent,
  leftNothing,
  peerHasAll,
  wasCutOff,
} from "#check/evidence";
import { type Failure, isTimeout } from "#check/failure";
import {
  anywhere,
  blamed,
  type Blame,
  type FailedCheck,
  mine,
  type Suspect,
  target,
  unclear,
} from "#agent/vantage/blame";
import { narrowWords, troubledServers } from "#agent/vantage/cause-words";
import { ofDatedCertificate, ofForeignCertificate } from "#agent/vantage/certificate-blame";

/** Reads one failure for a person. A cause that is proven counts before all that the failure itself shows. */
export function whoseFault(failed: FailedCheck): Blame {
  const blame = blameOf(failed);
  if (!failed.isDirectOpen) return blame;
  const { because, next } =
    failed.failure.phase === "proxy" && blame.place === "unclear" ? closedProxy : blame;
  const certainty = blame.certainty === "possible" ? "likely" : blame.certainty;
  const words = `${because}; the target accepts a connection without the proxy`;
  return blamed("me", certainty, words, next);
}

const closedProxy = {
  because: "the proxy answers, but opens no connection to the target",
  next: "read the proxy's log for this target: its rules, its name servers or its route are at fault",
};

function blameOf(failed: FailedCheck): Blame {
  const { cause, failure } = failed;
  if (cause !== null && cause.certainty !== "possible") {
    const { scope, certainty, sentence } = cause;
    return blamed(placeOf[scope], certainty, sentence, remedies[scope]);
  }
  switch (failure.phase) {
    case "config":
    case "policy":
      return mine(failure.message, "correct the target or the settings that the sentence names");
    case "agent":
      return mine(failure.message, "follow the message; picket doctor checks the rest");
    case "dns":
      return ofNames(failed);
    case "connect":
      return failed.evidence === null ? dark(failed) : ofConnection(failed.evidence, failed);
    case "proxy":
      return unclear(anywhere, ...ofProxy(failure));
    case "tls":
    case "write":
    case "wait":
    case "receive":
    case "decode":
    case "assertion":
      return ofAnswer(failed);
  }
}

function ofNames({ failure: { code, message }, resolvers, isProxied }: FailedCheck): Blame {
  // The proxy resolves the target's name: it is that of the proxy which has no address here.
  if (isProxied) return blamed("me", "likely", message, remedies.proxy);
  const troubled = troubledServers(resolvers);
  switch (nameFaultOf(code)) {
    case "no such name":
      return target(
        "the name servers answer, but have no address for this name",
        "correct the name, or set PICKET_DNS_SERVERS to the servers of this network",
      );
    case "no answer":
      return troubled !== null
        ? blamed("me", "likely", troubled, remedies.resolver)
        : unclear(
            ["me", "target"],
            message,
            "query them from another machine; other names resolve here",
          );
    case "no usable answer":
      return target(
        "the name servers answer, but cannot resolve this name",
        "ask whoever runs the zone: its own servers or its DNSSEC are broken",
      );
  }
}

const ofProxy = ({ code, message }: Failure): readonly [because: string, next: string] =>
  isTimeout(code)
    ? [
        message,
        "read the proxy's log for this target: it received the request, but did not answer it",
      ]
    : [closedProxy.because, "read the proxy's log for this target"];

function ofConnection(evidence: ConnectionEvidence, failed: FailedCheck): Blame {
  const { refusedBy, address, port } = evidence;
  const { way, failure, took } = failed;
  if (evidence.peer === "proxy") return blamed("me", "likely", failure.message, remedies.proxy);
  if (isAbsent(evidence, took)) return ofAbsent(evidence);
  if (refusedBy?.from === "a router")
    return blamed(
      "path",
      "likely",
      failure.message,
      `check the routes and rules of ${refusedBy.sender}, and of the network behind it`,
    );
  if (refusedBy?.from === "the peer")
    return target(failure.message, `look at the firewall of ${address}`);
  if (leftNothing(evidence) && way?.is === "out") return ofSilentNeighbour(address, way.gateway);
  if (failure.code === "connection_refused")
    return target(
      `the host answered at once that nothing listens at port ${port}`,
      "start what should listen there, or correct the port",
    );
  return farAway(evidence, failed) ?? dark(failed);
}

const switchedOn = (address: string): string =>
  `check that ${address} is switched on, connected, and the right address`;

const ofAbsent = ({ address, refusedBy }: ConnectionEvidence): Blame =>
  target(
    `${refusedBy?.sender}, the last router, finds no ${address} in its network: the host is off, or has another address`,
    switchedOn(address),
  );

/** Nothing left this machine, because nothing on its network answered for the first step. */
const ofSilentNeighbour = (address: string, gateway: string | null): Blame =>
  gateway === null
    ? target(
        `${address} is in this network and does not answer there: the host is off, or has another address`,
        switchedOn(address),
      )
    : blamed(
        "me",
        "likely",
        `the gateway ${gateway} does not answer on this network`,
        remedies.gateway,
      );

/** Packets come through some routers and no further. */
function farAway(
  { path, address }: ConnectionEvidence,
  { isGatewayPassed }: FailedCheck,
): Blame | null {
  if (path === null || path.reached) return null;
  const last = lastRouter(path);
  if (last === null || last.address === null) return null;
  return unclear(
    isGatewayPassed ? ["path", "target"] : anywhere,
    `packets to ${address} come as far as ${last.address}, router ${last.ttl} on the way, and nothing beyond it answers`,
    `look behind ${last.address}: at its next router, and at what drops packets to ${address}`,
  );
}

/** Nothing came back, and no router says how far anything came. */
function dark({ failure: { message }, way, isGatewayPassed }: FailedCheck): Blame {
  const home = "try the target from its own network";
  if (way?.is === "out" && way.gateway !== null && !isGatewayPassed)
    return unclear(
      anywhere,
      `${message}; nothing came back through the gateway ${way.gateway}`,
      `check this machine's default route and firewall, then the gateway ${way.gateway}; then ${home}`,
    );
  return unclear(
    way?.is === "out" && way.gateway === null ? ["me", "target"] : ["path", "target"],
    message,
    `${home}: if it answers there, something on the way drops our packets`,
  );
}

function ofAnswer(failed: FailedCheck): Blame {
  const { evidence, failure } = failed;
  if (evidence?.onlySmallPass === true)
    return blamed(
      "path",
      "likely",
      narrowWords(evidence.address),
      "find the link with a small MTU, and let its router's ICMP messages through, or lower the MTU of both ends",
    );
  if (evidence !== null && wasCutOff(evidence))
    return blamed(
      "path",
      "likely",
      failure.message,
      "look for a link on the way with a small MTU, or for packets that are lost",
    );
  if (evidence !== null && isTimeout(failure.code) && peerHasAll(evidence))
    return evidence.onlySmallPass === false
      ? target(
          `${failure.message}; small packets change nothing, so it is the application that does not answer`,
          "check the application's log: the network works",
        )
      : unclear(
          ["path", "target"],
          `${failure.message}: the application is silent, or a link on the way drops large packets`,
          "check the application's log: if it has answered, look for a link with a small MTU",
        );
  return (
    ofDatedCertificate(failed) ??
    ofForeignCertificate(failed) ??
    target(failure.message, `see docs/troubleshoot.md on ${failure.code}`)
  );
}

const placeOf: { readonly [S in CauseScope]: Suspect } = {
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
