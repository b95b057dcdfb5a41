import { randomInt } from "node:crypto";
import { isIPv6 } from "node:net";
import type { PathHop } from "#check/evidence";
import type { PathFlow } from "#check/known-path";
import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import * as limits from "#limits/path-limits";
import * as probesLimits from "#limits/probes-limits";
import { hopOf, silence } from "#probes/evidence/path-trace";
import { encodeQuery } from "#probes/resolve/dns-message";
import { type EchoOfFlow, echoRequest, isEchoReply } from "#probes/socket/echo-message";
import { readClocks } from "#probes/socket/round-trip";
import { openSocketCalls, type SocketCalls } from "#probes/socket/socket-calls";
import { openSocketEvidence } from "#probes/socket/socket-evidence";
import { type Millis, millis, nanosToMillis } from "#base/units";

/**
 * Sends one packet of a flow so many hops far, and says who answered it within `patience`; null if it could not leave, e.g.
 * because its port is in use.
 */
export type FlowAsk = (
  flow: PathFlow,
  ttl: number,
  patience: Millis,
  signal: EndSignal,
) => Promise<PathHop | null>;

/**
 * Packets that have all in common that routers choose a next hop by, one at a time: a connection that begins, a question
 * for a name, or an echo request. None needs a privilege, but for echoes the system's leave to ping or CAP_NET_RAW. Null if this
 * runtime or system has no means for it.
 */
export function openFlowAsk(clock: Clock): FlowAsk | null {
  const calls = openSocketCalls();
  const evidence = openSocketEvidence();
  if (calls === null || !evidence.available) return null;
  return async (flow, ttl, patience, signal) => {
    const descriptor = calls.flowSocket(flow, ttl);
    if (descriptor < 0) return null;
    try {
      const echo = echoOf(flow);
      const packet = { ttl, descriptor, echo, sent: readClocks(clock, calls) };
      if (!leaves(calls, descriptor, flow, echo)) return null;
      const looked = (): PathHop | null =>
        hopOf({ calls, evidence, clock }, packet, flow.address) ??
        (isAnswered(calls, descriptor, flow, echo)
          ? { ...silence(ttl), address: flow.address, ended: "target" }
          : null);
      return (await answered(clock, patience, signal, looked)) ?? silence(ttl);
    } finally {
      calls.close(descriptor);
    }
  };
}

/** Looks soon at first: a hop of this network answers in less than a millisecond. */
async function answered(
  clock: Clock,
  patience: Millis,
  signal: EndSignal,
  looked: () => PathHop | null,
): Promise<PathHop | null> {
  const until = nanosToMillis(clock.monotonic()) + patience;
  let pause = limits.answerLookFirst;
  while (!signal.aborted) {
    await clock.sleep(pause, signal);
    const hop = looked();
    if (hop !== null || nanosToMillis(clock.monotonic()) >= until) return hop;
    pause = millis(Math.min(pause * 2, limits.answerLookEvery));
  }
  return null;
}

/** Which echo request the next packet of a flow is; null if the flow has none. */
const echoOf = ({ protocol, address, sourcePort }: PathFlow): EchoOfFlow | null =>
  protocol === "icmp"
    ? { family: isIPv6(address) ? "six" : "four", id: sourcePort, number: randomInt(0x1_0000) }
    : null;

function leaves(
  calls: SocketCalls,
  descriptor: number,
  flow: PathFlow,
  echo: EchoOfFlow | null,
): boolean {
  if (!calls.connect(descriptor, flow)) return false;
  if (echo !== null) return calls.send(descriptor, echoRequest(echo));
  return flow.protocol === "tcp" || calls.send(descriptor, question);
}

/** Whether a datagram has its answer from the target; a connection says that by its state. */
function isAnswered(
  calls: SocketCalls,
  descriptor: number,
  { protocol }: PathFlow,
  echo: EchoOfFlow | null,
): boolean {
  if (protocol === "tcp") return false;
  for (let count = 0; count < probesLimits.rawDatagramsAtOnceMax; count += 1) {
    const message = calls.received(descriptor);
    if (message === null) return false;
    if (echo === null || isEchoReply(message, echo)) return true;
  }
  return false;
}

/** RFC 6761 §6.4: no server knows such a name, and none has to ask further for it. */
const question = encodeQuery(0x7061, { name: "picket.invalid", type: "A" }, false);

/** Whether this machine lets a trace send such packets. */
export function canSendFlow(protocol: PathFlow["protocol"], address: string): boolean {
  const calls = openSocketCalls();
  if (calls === null) return false;
  const sourcePort = limits.sourcePortMax;
  const descriptor = calls.flowSocket({ protocol, address, port: 9, sourcePort }, 1);
  if (descriptor >= 0) calls.close(descriptor);
  return descriptor >= 0;
}
