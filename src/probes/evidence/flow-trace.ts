import { isIPv6 } from "node:net";
import type { PathHop } from "#check/evidence";
import type { PathFlow } from "#check/known-path";
import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import * as limits from "#limits/path-limits";
import { hopOf, silence } from "#probes/evidence/path-trace";
import { encodeQuery } from "#probes/resolve/dns-message";
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
 * for a name, or an echo request. None needs a privilege, but for echoes the system's leave to ping. Null if this
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
      const packet = { ttl, descriptor, sent: readClocks(clock, calls) };
      if (!leaves(calls, descriptor, flow)) return null;
      const looked = (): PathHop | null =>
        hopOf({ calls, evidence, clock }, packet, flow.address) ??
        (isAnswer(calls, descriptor, flow)
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

function leaves(calls: SocketCalls, descriptor: number, flow: PathFlow): boolean {
  if (!calls.connect(descriptor, flow)) return false;
  switch (flow.protocol) {
    case "tcp":
      return true;
    case "udp":
      return calls.send(descriptor, question);
    case "icmp":
      return calls.send(descriptor, isIPv6(flow.address) ? echoes.six : echoes.four);
  }
}

/** What a datagram gets from its target; a connection says that by its state. */
function isAnswer(
  calls: SocketCalls,
  descriptor: number,
  { protocol, address }: PathFlow,
): boolean {
  if (protocol === "tcp") return false;
  const first = calls.received(descriptor);
  return first !== null && (protocol === "udp" || first === (isIPv6(address) ? 129 : 0));
}

/** RFC 6761 §6.4: no server knows such a name, and none has to ask further for it. */
const question = encodeQuery(0x7061, { name: "picket.invalid", type: "A" }, false);

/** RFC 792 and RFC 4443 §4: the kernel writes the id and the checksum, which is always the same. */
const echo = (type: number): Uint8Array =>
  Buffer.concat([Buffer.from([type, 0, 0, 0, 0, 0, 0, 1]), Buffer.from("picket path")]);
const echoes = { four: echo(8), six: echo(128) } as const;

/** Whether this machine lets a trace send such packets. */
export function canSendFlow(protocol: PathFlow["protocol"], address: string): boolean {
  const calls = openSocketCalls();
  if (calls === null) return false;
  const sourcePort = limits.sourcePortMax;
  const descriptor = calls.flowSocket({ protocol, address, port: 9, sourcePort }, 1);
  if (descriptor >= 0) calls.close(descriptor);
  return descriptor >= 0;
}
