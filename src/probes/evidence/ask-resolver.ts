import type { ResolverOutcome } from "#check/place-evidence";
import type { Clock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { plainSockets } from "#probes/socket/runtime-sockets";
import { askServers, policyOf } from "#probes/resolve/dns-exchange";
import type { NameServer } from "#probes/resolve/resolving";
import { ServerOrder } from "#probes/resolve/server-order";
import { noTranscript } from "#probes/resolve/transcript";
import type { Millis } from "#base/units";

/**
 * What a name server makes of a question, within `patience`. That a name does not exist, which cannot, is as good as a
 * record; an error is none of its zone's, for it has none.
 */
export async function askResolver(
  server: NameServer,
  patience: Millis,
  clock: Clock,
  signal?: AbortSignal,
): Promise<ResolverOutcome> {
  using deadline = startDeadline(clock, patience, signal);
  const policy = { ...policyOf([server]), attempts: 1 };
  // RFC 6761 §6.4: no server knows such a name, and none has to ask further for it.
  const question = { name: "picket.invalid", type: "A" } as const;
  const serverOrder = new ServerOrder(clock);
  const tools = { clock, sockets: plainSockets(clock), transcript: noTranscript, serverOrder };
  const asked = await askServers(question, policy, deadline, tools);
  if (asked.ok) return isUsable(asked.answer.rcode) ? "answered" : "failing";
  switch (asked.code) {
    case "dns_timeout":
      return "silent";
    // Our own fault, e.g. no free port: nothing left this machine.
    case "agent_error":
    case "dns_unreachable":
      return "unreachable";
    case "dns_malformed":
      return "failing";
    default:
      return "answered";
  }
}

const isUsable = (rcode: string): boolean => rcode === "NOERROR" || rcode === "NXDOMAIN";
